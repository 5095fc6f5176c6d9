// cairn redistribute: one layout into another, with the words it took.
#include <nlohmann/json.hpp>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/measure.hpp"
#include "cli/session.hpp"
#include "cli/table.hpp"
#include "comm/collectives.hpp"
#include "comm/traffic_table.hpp"
#include "layout/dist_matrix.hpp"
#include "layout/exchange/redistribute.hpp"
#include "layout/kinds.hpp"
#include "layout/matching/relabel.hpp"

namespace cairn::cli {
namespace {

using comm::CommView;
using layout::Layout;

struct Options {
  Index rows = 1000;
  Index columns = 1000;
  std::string from, to;
  std::string op = "N";
  std::string type = "d";
  bool relabel = false;
  int ranks = 0;
  int repeat = 3;
  bool json = false;
};

struct Job {
  Layout from, to;
  Op op;
  Index words_as_given = 0;  // that move if nothing is relabelled
  Index words = 0;           // that must move
  std::string relabelling = "off";
};

Job make_job(const Options& o) {
  const Op op = parse_op("--op", o.op);
  const bool straight = op == Op::none;
  Job job{layout::parse_layout(o.from, o.rows, o.columns),
          layout::parse_layout(o.to, straight ? o.rows : o.columns, straight ? o.columns : o.rows), op};
  job.words = job.words_as_given = layout::words_moved(job.from, job.to, op);
  return job;
}

void relabel(Job& job, int ranks) {
  const layout::RelabelledMove move{job.from, job.to, job.op};
  const layout::Assignment best = layout::relabel(std::span(&move, 1), ranks);
  job.to = job.to.on_ranks(best.rank_of);
  job.words = layout::words_moved(job.from, job.to, job.op);
  job.relabelling = name(best.method);
}

int ranks_needed(const Options& o) {
  const Job job = make_job(o);
  return std::max(job.from.last_rank(), job.to.last_rank()) + 1;
}

struct Result {
  comm::TrafficRow traffic;
  double seconds;
  double error;
};

template <Scalar T>
Result execute(CommView c, const Job& job, int repeat) {
  const int threads = share_cores(c);
  const auto value = [](Index i, Index j) {
    return static_cast<Real<T>>((i * 131 + j * 71) % 1009) - static_cast<Real<T>>(504);
  };
  layout::DistMatrix<T> a(job.from, c.rank()), b(job.to, c.rank());
  fill(a.view(), c.rank(), [&](Index i, Index j) { return T(value(i, j)); });
  Result result{{}, INFINITY, 0};
  for (int k = 0; k < repeat; ++k) {
    fill(b.view(), c.rank(), [](Index, Index) { return T(NAN); });
    comm::barrier(c);
    const comm::TrafficSnapshot before = c.traffic().snapshot();
    const double start = seconds_now();
    layout::redistribute<T>(c, T(1), job.op, a.view(), T(0), b.view(), {.threads = threads});
    const double mine = seconds_now() - start;
    comm::TrafficSnapshot moved = c.traffic().snapshot() - before;
    std::erase_if(moved.phases, [](const auto& phase) { return phase.first != "redistribute"; });
    result.traffic = comm::gather_traffic(c, moved).back();
    result.seconds = std::min(result.seconds, comm::allreduce(c, mine, comm::ReduceOp::max));
  }
  const double worst = largest_difference(b.view(), c.rank(), [&](Index i, Index j) {
    return T(job.op == Op::none ? value(i, j) : value(j, i));
  });
  result.error = comm::allreduce(c, worst, comm::ReduceOp::max);
  return result;
}

nlohmann::json to_json(const Options& o, const Job& job, const Result& r, int ranks) {
  return {{"rows", o.rows},
          {"columns", o.columns},
          {"ranks", ranks},
          {"op", o.op},
          {"type", o.type},
          {"from", job.from.text()},
          {"to", job.to.text()},
          {"relabelling", job.relabelling},
          {"words",
           {{"must_move", job.words},
            {"must_move_without_relabelling", job.words_as_given},
            {"received_total", r.traffic.words_received.total},
            {"received_max", r.traffic.words_received.max},
            {"sent_max", r.traffic.words_sent.max}}},
          {"messages", r.traffic.messages_sent.total},
          {"seconds", r.seconds},
          {"correct", r.error == 0}};
}

void print_text(const Options& o, const Job& job, const Result& r, int ranks) {
  const double size = static_cast<double>(o.rows) * static_cast<double>(o.columns) *
                      static_cast<double>(bytes(parse_scalar_type(o.type)));
  fmt::print("{} x {} {} on {} ranks, op {}\n", o.rows, o.columns, name(parse_scalar_type(o.type)), ranks,
             o.op);
  fmt::print("from  {}\nto    {}\n\n", job.from.text(), job.to.text());
  Table table({"", "words"});
  table.add({"of the matrix", std::to_string(o.rows * o.columns)});
  if (o.relabel) table.add({"would move as given", std::to_string(job.words_as_given)});
  table.add({"must move", std::to_string(job.words)});
  table.add({"moved", std::to_string(r.traffic.words_received.total)});
  table.add({"busiest rank received", std::to_string(r.traffic.words_received.max)});
  fmt::print("{}\n", table.text());
  if (o.relabel) fmt::print("relabelling: {}\n", job.relabelling);
  fmt::print("messages {}, {:.6f} s, {}/s; every element checked: {}\n", r.traffic.messages_sent.total,
             r.seconds, bytes_text(r.seconds > 0 ? size / r.seconds : 0), r.error == 0 ? "right" : "WRONG");
}

void run(CommView c, const Options& o) {
  Job job = make_job(o);
  if (o.relabel) relabel(job, c.size());
  const Result result =
      dispatch(parse_scalar_type(o.type), [&]<class T>() { return execute<T>(c, job, o.repeat); });
  if (c.rank() == 0 && o.json) fmt::print("{}\n", to_json(o, job, result, c.size()).dump(2));
  if (c.rank() == 0 && !o.json) print_text(o, job, result, c.size());
  require<CommError>(result.error == 0, "wrong elements were delivered: the largest error is {}",
                     result.error);
}

}  // namespace

void add_redistribute(Command app, Invocation& invocation) {
  auto o = std::make_shared<Options>();
  const Command command = app.add_subcommand("redistribute", "Turn one layout of a matrix into another");
  command.footer(
      std::string(layout_help) +
      "example:\n  cairn redistribute --rows 4000 --cols 3000 --from \"block-cyclic 2x2 mb=64 nb=64\" "
      "--to \"elemental 2x2\"");
  command.add_option("--rows", o->rows, "Rows of A (default 1000)").at_least(0);
  command.add_option("--cols,--columns", o->columns, "Columns of A (default 1000)").at_least(0);
  command.add_option("--from", o->from, "Layout of A").required().type_name("SPEC");
  command.add_option("--to", o->to, "Layout of op(A)").required().type_name("SPEC");
  command.add_option("--op", o->op, "N: as it is, T: transposed, C: conjugated, too").type_name("N|T|C");
  command.add_option("--type", o->type, "s, d, c or z (default d)");
  command.add_flag("--relabel", o->relabel,
                   "Let the target's positions take the ranks that keep most words home");
  command
      .add_option("--ranks", o->ranks,
                  "Ranks to start (default: as many as the layouts name); ignored under mpirun")
      .at_least(1);
  command.add_option("--repeat", o->repeat, "Times to run it; the fastest counts (default 3)").at_least(1);
  command.add_flag("--json", o->json, "Print one JSON object");
  command.callback([o, &invocation] {
    parse_scalar_type(o->type);
    const int needed = ranks_needed(*o);  // wrong layouts are found here, before any rank is started
    if (!under_launcher()) relaunch(o->ranks > 0 ? o->ranks : needed, invocation.arguments);
    invocation.exit_code = run_on_ranks(invocation.watchdog_seconds, [&](CommView c) { run(c, *o); });
  });
}

}  // namespace cairn::cli
