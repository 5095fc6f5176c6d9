// cairn convert: a dense matrix from one file format into another.
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/measure.hpp"
#include "cli/node_memory.hpp"
#include "cli/session.hpp"
#include "cli/table.hpp"
#include "comm/agreement.hpp"
#include "comm/collectives.hpp"
#include "io/files.hpp"
#include "layout/dist_matrix.hpp"

namespace cairn::cli {
namespace {

struct Options {
  std::string in, out;
  std::string from_format, to_format;
  std::string from_dataset, dataset = "/matrix";
  std::optional<Index> rows, columns;
  Index offset = 0;
  std::string type, order, byte_order;  // of a raw input
  std::string to_type, to_order;
  int ranks = 0;
  bool json = false;
  bool progress = false;
};

io::ByteOrder parse_byte_order(std::string_view text) {
  if (text.empty()) return io::native_byte_order;
  require(text == "little" || text == "big", "--byte-order is '{}', expected little or big", text);
  return text == "little" ? io::ByteOrder::little : io::ByteOrder::big;
}

std::optional<io::Format> parse_format(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(io::parse_format(text));
}

bool describes_raw(const Options& o) { return o.rows || o.columns || !o.type.empty() || !o.order.empty(); }

io::ReadOptions read_options(const Options& o) {
  io::ReadOptions r{.format = parse_format(o.from_format), .dataset = o.from_dataset};
  if (!describes_raw(o)) return r;
  require(!r.format || *r.format == io::Format::raw,
          "--from is {}, expected raw where --rows, --cols, --type or --order are given", o.from_format);
  require(o.rows && o.columns && !o.type.empty() && !o.order.empty(),
          "a raw input needs all of --rows, --cols, --type and --order");
  r.raw = {*o.rows,
           *o.columns,
           parse_scalar_type(o.type),
           parse_order("--order", o.order),
           parse_byte_order(o.byte_order),
           o.offset};
  return r;
}

io::WriteOptions write_options(const Options& o) {
  io::WriteOptions w{.format = parse_format(o.to_format), .dataset = o.dataset};
  if (!o.to_order.empty()) w.order = parse_order("--to-order", o.to_order);
  return w;
}

// A line on the terminal that says how far rank 0 is, once the work takes longer than a second.
class ProgressLine {
 public:
  ProgressLine(bool shown, std::string what)
      : shown_(shown), what_(std::move(what)), last_(seconds_now() + 0.8) {}
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(double part) {
    const double now = seconds_now();
    if (!shown_ || now - last_ < 0.2) return;
    last_ = now;
    drawn_ = true;
    fmt::print(stderr, "\r{} {:3.0f}%", what_, 100 * part);
    std::fflush(stderr);
  }

 private:
  void clear() {
    if (drawn_) fmt::print(stderr, "\r{:{}}\r", "", what_.size() + 5);
    std::fflush(stderr);
  }
  bool shown_;
  std::string what_;
  double last_;
  bool drawn_ = false;
};

struct Result {
  io::MatrixInfo from, to;
  double seconds = 0;
};

// Each rank reads one stretch of the input as it stands there; writing redistributes it if the order changes.
template <Scalar T>
void move_matrix(comm::CommView c, const Options& o, const Result& r) {
  const bool shown = o.progress && c.rank() == 0;
  const double share = static_cast<double>(comm::ranks_on_this_node(c)) / c.size();
  comm::agree(c, "memory of the node", [&] {  // a packed file may hold more than its length
    require_free_memory(
        fmt::format("a matrix of {} x {} elements", r.from.rows(), r.from.columns()),
        static_cast<double>(r.from.rows()) * static_cast<double>(r.from.columns()) * sizeof(T) * share);
  });
  layout::DistMatrix<T> m(io::share_layout(r.from.rows(), r.from.columns(), r.from.order(), c.size()),
                          c.rank());
  {
    ProgressLine line(shown, fmt::format("reading {}", o.in));
    io::ReadOptions options = read_options(o);
    options.transfer.progress = [&](double part) { line.show(part); };
    io::read<T>(c, o.in, m.view(), options);
  }
  ProgressLine line(shown, fmt::format("writing {}", o.out));
  io::WriteOptions options = write_options(o);
  options.transfer.progress = [&](double part) { line.show(part); };
  io::write<T>(c, o.out, m.view(), options);
}

// What was written, as a reader sees it; a raw file does not describe itself.
io::MatrixInfo look_again(comm::CommView c, const Options& o, const io::MatrixInfo& from, ScalarType type) {
  io::ReadOptions options{.format = parse_format(o.to_format), .dataset = o.dataset};
  const bool raw = options.format == io::Format::raw ||
                   (!options.format && io::format_by_extension(o.out) == io::Format::raw);
  if (raw) {
    const layout::Order order = o.to_order.empty() ? from.order() : parse_order("--to-order", o.to_order);
    options.raw = {.rows = from.rows(), .columns = from.columns(), .type = type, .order = order};
  }
  return io::probe(c, o.out, options);
}

Result convert(comm::CommView c, const Options& o) {
  const double start = seconds_now();
  Result r;
  r.from = io::probe(c, o.in, read_options(o));
  const ScalarType type = o.to_type.empty() ? r.from.type() : parse_scalar_type(o.to_type);
  dispatch(type, [&]<class T>() { move_matrix<T>(c, o, r); });
  r.to = look_again(c, o, r.from, type);
  r.seconds = comm::allreduce(c, seconds_now() - start, comm::ReduceOp::max);
  return r;
}

nlohmann::json to_json(const std::string& path, const io::MatrixInfo& info) {
  nlohmann::json j{{"file", path},
                   {"format", io::name(info.format)},
                   {"rows", info.rows()},
                   {"columns", info.columns()},
                   {"type", name(info.type())},
                   {"order", info.order() == layout::Order::row_major ? "row-major" : "column-major"},
                   {"bytes", info.file_bytes}};
  if (!info.dataset.empty()) j["dataset"] = info.dataset;
  return j;
}

std::string to_text(const std::string& path, const io::MatrixInfo& info) {
  const std::string dataset = info.dataset.empty() ? "" : fmt::format(" {}", info.dataset);
  return fmt::format("{} ({}{}, {}, {})", path, io::name(info.format), dataset, name(info.type()),
                     bytes_text(static_cast<double>(info.file_bytes)));
}

void run(comm::CommView c, const Options& o) {
  const Result r = convert(c, o);
  if (c.rank() != 0) return;
  if (o.json) {
    const nlohmann::json j{{"from", to_json(o.in, r.from)},
                           {"to", to_json(o.out, r.to)},
                           {"ranks", c.size()},
                           {"seconds", r.seconds}};
    fmt::print("{}\n", j.dump(2));
  } else {
    fmt::print("{} -> {}: {} x {} in {:.3f} s on {} rank{}\n", to_text(o.in, r.from), to_text(o.out, r.to),
               r.from.rows(), r.from.columns(), r.seconds, c.size(), c.size() == 1 ? "" : "s");
  }
}

void add_raw_options(Command app, Options& o) {
  const std::string group = "A raw input";
  app.add_option("--rows", o.rows, "Rows").at_least(0).group(group);
  app.add_option("--cols", o.columns, "Columns").at_least(0).group(group);
  app.add_option("--type", o.type, "s, d, c, z, or float, double, complex<float>, complex<double>")
      .group(group);
  app.add_option("--order", o.order, "C (row-major) or F (column-major)").group(group);
  app.add_option("--offset", o.offset, "Bytes in front of the matrix (default 0)").at_least(0).group(group);
  app.add_option("--byte-order", o.byte_order, "little or big (default: this machine's)").group(group);
}

}  // namespace

void add_convert(Command app, Invocation& invocation) {
  auto o = std::make_shared<Options>();
  const Command convert = app.add_subcommand(
      "convert", "Convert a dense matrix to another file format: .npy, .mtx, .h5, .bin (raw)");
  convert.add_option("IN", o->in, "The file to read; its first bytes give the format").required();
  convert.add_option("OUT", o->out, "The file to write; its extension gives the format").required();
  convert.add_option("--from", o->from_format, "Format of IN, if not by its content: npy, mtx, raw, hdf5");
  convert.add_option("--to", o->to_format, "Format of OUT, if not by its name: npy, mtx, raw, hdf5");
  convert.add_option("--from-dataset", o->from_dataset,
                     "Dataset of an HDF5 input (default /matrix, or the first of two dimensions)");
  convert.add_option("--dataset", o->dataset, "Dataset of an HDF5 output (default /matrix)");
  convert.add_option("--to-type", o->to_type,
                     "Type of the elements of OUT: s, d, c or z (default: as in IN)");
  convert.add_option("--to-order", o->to_order, "Order of a .npy or raw OUT: C or F (default: as in IN)");
  add_raw_options(convert, *o);
  convert.add_option("--ranks", o->ranks, "Ranks to start (default: one per core); ignored under mpirun")
      .at_least(1);
  convert.add_flag("--json", o->json, "Print one JSON object");
  convert.add_flag("--progress", o->progress, "Show progress on stderr (default: on a terminal)");
  convert.callback([o, &invocation] {
    read_options(*o);
    require(write_options(*o).format || io::format_by_extension(o->out),
            "write '{}': the extension is unknown, expected .npy, .mtx, .h5 or .bin, or --to", o->out);
    require_folder("OUT", o->out);
    if (!o->to_type.empty()) parse_scalar_type(o->to_type);
    const int cores = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
    if (!under_launcher())
      relaunch(o->ranks > 0 ? o->ranks : std::max(1, cores), with_progress(invocation.arguments));
    invocation.exit_code = run_on_ranks(invocation.watchdog_seconds, [&](comm::CommView c) { run(c, *o); });
  });
}

}  // namespace cairn::cli
