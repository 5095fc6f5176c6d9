// Turning one block-cyclic layout into another, beside ScaLAPACK's pdgemr2d, and the transposed matrix,
// beside pdtran: interleaved in one run, medians of the slowest rank's time. The rate counts each byte of the
// matrix once; the plain copy of this machine, on all ranks at once, is printed beside it.
#include "bench/redistribute.hpp"

#include <memory>
#include <nlohmann/json.hpp>

#include "bench/driver.hpp"
#include "bench/scalapack.hpp"
#include "cli/measure.hpp"
#include "cli/session.hpp"
#include "cli/table.hpp"
#include "comm/collectives.hpp"
#include "layout/dist_matrix.hpp"
#include "layout/exchange/redistribute.hpp"
#include "layout/kinds.hpp"

namespace cairn::bench {
namespace {

using comm::CommView;
using layout::BlockCyclic;
using layout::DistMatrix;
using nlohmann::json;

struct Options : RankedOptions {
  Options() : RankedOptions{.ranks = {2, 4}} {}

  Index n = 8192;
  double seconds = 12;
  Index piece_kib = 0;
};

std::string text(const BlockCyclic& b) {
  return fmt::format("{}x{} blocks {}x{}", b.process_rows, b.process_columns, b.mb, b.nb);
}

// p ranks as a mesh, as square as can be.
std::pair<int, int> squarest(int p) {
  int rows = 1;
  for (int d = 1; d * d <= p; ++d)
    if (p % d == 0) rows = d;
  return {rows, p / rows};
}

// The two layouts of a row, filled, and ScaLAPACK's view of the same memory.
struct Contest {
  std::string name, peer;
  BlockCyclic from, to;
  Op op;
};

double value(Index i, Index j) {
  return static_cast<double>(i % 1000) + 1e-3 * static_cast<double>(j % 1000);
}

class Arena {
 public:
  Arena(CommView c, const ScaLapack& peer, const Contest& contest, Index n)
      : comm_(c.unchecked()),
        peer_(peer),
        contest_(contest),
        n_(n),
        a_(block_cyclic(n, n, contest.from), c.rank()),
        b_(block_cyclic(n, n, contest.to), c.rank()),
        from_context_(peer.grid(contest.from.process_rows, contest.from.process_columns)),
        to_context_(contest.op == Op::none ? peer.grid(contest.to.process_rows, contest.to.process_columns)
                                           : from_context_),
        all_(peer.grid(c.size(), 1)) {
    fill(a_.view(), c.rank(), value);
  }
  ~Arena() {
    peer_.release(all_);
    if (to_context_ != from_context_) peer_.release(to_context_);
    peer_.release(from_context_);
  }

  void ours(const layout::RedistributeOptions& options) {
    layout::redistribute<double>(comm_, 1.0, contest_.op, a_.view(), 0.0, b_.view(), options);
  }
  void theirs() {
    const Descriptor da = describe(from_context_, contest_.from, a_.layout());
    const Descriptor db = describe(to_context_, contest_.to, b_.layout());
    if (contest_.op == Op::none)
      peer_.pdgemr2d(n_, n_, a_.local().data(), da, b_.local().data(), db, all_);
    else
      peer_.pdtran(n_, n_, 1.0, a_.local().data(), da, 0.0, b_.local().data(), db);
  }
  // The largest error on any rank after `way`, from a B that was spoilt before.
  double error_after(const std::function<void()>& way) {
    fill(b_.view(), comm_.rank(), [](Index, Index) { return -1.0; });
    way();
    const double mine = largest_difference(b_.view(), comm_.rank(), [&](Index i, Index j) {
      return contest_.op == Op::none ? value(i, j) : value(j, i);
    });
    return comm::allreduce(comm_, mine, comm::ReduceOp::max);
  }

 private:
  Descriptor describe(int context, const BlockCyclic& how, const layout::Layout& layout) const {
    return ScaLapack::descriptor(context, n_, n_, how, layout.least_leading_dimension(comm_.rank()));
  }

  CommView comm_;
  const ScaLapack& peer_;
  Contest contest_;
  Index n_;
  DistMatrix<double> a_, b_;
  int from_context_, to_context_, all_;
};

std::vector<Contest> contests(int p) {
  const auto [rows, columns] = squarest(p);
  const BlockCyclic square{.process_rows = rows, .process_columns = columns, .mb = 64, .nb = 64};
  const BlockCyclic other{.process_rows = p, .process_columns = 1, .mb = 96, .nb = 48};
  return {{"move", "pdgemr2d", square, other, Op::none},
          {"transpose", "pdtran", square, square, Op::transpose}};
}

// Bytes a second of a plain copy, all ranks at once.
double copy_rate(CommView c) {
  comm::barrier(c);
  return comm::allreduce(c, cli::copy_bytes_per_second(Index{1} << 27), comm::ReduceOp::sum);
}

json run_all(CommView c, const Options& o) {
  const ScaLapack peer;
  json rows = json::array();
  layout::RedistributeOptions options;
  if (o.piece_kib > 0) options.piece_bytes = o.piece_kib << 10;
  for (const Contest& contest : contests(c.size())) {
    Arena arena(c, peer, contest, o.n);
    const comm::TrafficSnapshot before = c.traffic().snapshot();
    const double our_error = arena.error_after([&] { arena.ours(options); });
    const Index words = comm::allreduce(
        c, (c.traffic().snapshot() - before).within("redistribute").received.words, comm::ReduceOp::sum);
    const double their_error = arena.error_after([&] { arena.theirs(); });
    const Timings times =
        interleaved(c, {[&] { arena.ours(options); }, [&] { arena.theirs(); }}, o.seconds, 5, 101);
    const double bytes = 8.0 * static_cast<double>(o.n) * static_cast<double>(o.n);
    const double copy = copy_rate(c);
    rows.push_back({{"operation", contest.name},
                    {"peer", contest.peer},
                    {"ranks", c.size()},
                    {"n", o.n},
                    {"from", text(contest.from)},
                    {"to", text(contest.to)},
                    {"words_moved", words},
                    {"seconds", times.median(0)},
                    {"peer_seconds", times.median(1)},
                    {"speedup", times.ratio(1, 0)},
                    {"bytes_per_second", bytes / times.median(0)},
                    {"copy_bytes_per_second", copy},
                    {"share_of_copy", bytes / times.median(0) / copy},
                    {"error", our_error},
                    {"peer_error", their_error}});
  }
  return rows;
}

void print(const json& rows, bool as_json) {
  if (as_json) {
    fmt::print("{}\n", json{{"rows", rows}}.dump(1));
    return;
  }
  cli::Table table({"operation", "ranks", "n", "from", "to", "words moved", "seconds", "peer", "its seconds",
                    "times faster", "GB/s", "copy GB/s", "share", "errors"});
  for (const json& r : rows)
    table.add({r["operation"], std::to_string(r["ranks"].get<int>()), std::to_string(r["n"].get<Index>()),
               r["from"], r["to"], std::to_string(r["words_moved"].get<Index>()),
               fmt::format("{:.4f}", r["seconds"].get<double>()), r["peer"],
               fmt::format("{:.4f}", r["peer_seconds"].get<double>()),
               fmt::format("{:.2f}", r["speedup"].get<double>()),
               fmt::format("{:.2f}", 1e-9 * r["bytes_per_second"].get<double>()),
               fmt::format("{:.2f}", 1e-9 * r["copy_bytes_per_second"].get<double>()),
               fmt::format("{:.2f}", r["share_of_copy"].get<double>()),
               fmt::format("{} / {}", r["error"].get<double>(), r["peer_error"].get<double>())});
  fmt::print("{}", table.text());
}

}  // namespace

void add_redistribute(cli::Command bench, cli::Invocation& invocation) {
  auto o = std::make_shared<Options>();
  const cli::Command app = bench.add_subcommand(
      "redistribute", "One block-cyclic layout into another, and transposed, beside ScaLAPACK");
  add_ranked_options(app, *o);
  app.add_option("-n,--size", o->n, "Rows and columns of the matrix (default 8192)").at_least(1);
  app.add_option("--seconds", o->seconds, "Seconds to spend on a row (default 12)").non_negative();
  app.add_option("--piece", o->piece_kib, "KiB of a piece of a message (default: the library's)").at_least(1);
  app.callback([o, &invocation] {
    run_bench("redistribute",
              {.options = *o, .run = [&](CommView c) { return run_all(c, *o); }, .print = &print},
              invocation);
  });
}

}  // namespace cairn::bench
