// Bytes and time of sparse products: the planner's choice beside the other algorithms and beside what other
// libraries move.
#include "bench/spgemm.hpp"

#include <algorithm>

#include "bench/driver.hpp"
#include "bench/spgemm_figure.hpp"
#include "bench/spgemm_peers.hpp"
#include "bench/spgemm_times.hpp"
#include "cli/table.hpp"
#include "comm/collectives.hpp"
#include "sparse/generate_sparse.hpp"
#include "sparse/spgemm_run.hpp"

namespace cairn::bench {
namespace {

using comm::CommView;
using nlohmann::json;
using sparse::Generator;

struct SpgemmBench {
  RankedOptions ranked;
  bool no_bytes = false, no_times = false, figure = false;
  int rounds = 7;
  std::vector<int> degrees{2, 4, 8, 16, 32};
  Index n = 65536;
  int rivals = 3;  // next best candidates to run, too; -1: every one
};

// Bytes that a product receives. Judged as the planner does: by the mean of the ranks that work, and by the busiest
// where it has more than a quarter above it. A plan in which few ranks do anything has a small mean over all ranks and
// nobody gains by it.
struct Moved3 {
  double mean = 0, busiest = 0, seconds = 0;
  int working = 1;
  double judged(int ranks) const { return std::max(mean * ranks / working, busiest / 1.25); }
};

Moved3 run_method(CommView c, const Generator& ga, const Generator& gb, const sparse::SpgemmMethod& method) {
  const auto layouts = sparse::layouts_of(method, {ga.rows, gb.columns, ga.columns});
  const auto a = sparse::generate_sparse<double>(ga, layouts.a, c.rank());
  const auto b = sparse::generate_sparse<double>(gb, layouts.b, c.rank());
  const auto kernel = sparse::make_kernel<double>(sparse::Semiring::plus_times);
  const comm::TrafficSnapshot before = c.traffic().snapshot();
  Moved3 m;
  bool works = false;
  m.seconds =
      slowest(c, [&] { works = sparse::multiply_bricks<double>(c, method, a, b, kernel).counts.voxels > 0; });
  m.working = std::max(1, comm::allreduce(c, works ? 1 : 0, comm::ReduceOp::sum));
  const auto bytes = (c.traffic().snapshot() - before).within("spgemm").received.bytes;
  m.busiest = static_cast<double>(comm::allreduce(c, bytes, comm::ReduceOp::max));
  m.mean = static_cast<double>(comm::allreduce(c, bytes, comm::ReduceOp::sum)) / c.size();
  return m;
}

double ratio(double x, double y) { return std::max(1.0, x) / std::max(1.0, y); }

json run_case(CommView c, const SpgemmBench& o, const std::string& name, const Generator& ga,
              const Generator& gb) {
  const auto rows = sparse::SparseLayout::row_blocks(ga.rows, ga.columns, c.size());
  const auto rows_b = sparse::SparseLayout::row_blocks(gb.rows, gb.columns, c.size());
  const auto sample = sparse::sample_product(c, sparse::generate_sparse<double>(ga, rows, c.rank()),
                                             sparse::generate_sparse<double>(gb, rows_b, c.rank()),
                                             sparse::spgemm_grids(c.size()));
  const sparse::SpgemmPlan plan = sparse::plan_spgemm(sample);
  const Moved3 chosen = run_method(c, ga, gb, plan.best.method);
  double best = chosen.mean, fairest = chosen.judged(c.size()), fastest = chosen.seconds;
  std::string best_method = plan.best.method.describe(), fairest_method = best_method;
  const auto rivals = static_cast<int>(plan.others.size());
  for (int x = 0; x < (o.rivals < 0 ? rivals : std::min(o.rivals, rivals)); ++x) {
    const sparse::SpgemmMethod& method = plan.others[static_cast<std::size_t>(x)].method;
    const Moved3 rival = run_method(c, ga, gb, method);
    if (rival.mean < best) best_method = method.describe();
    if (rival.judged(c.size()) < fairest) fairest_method = method.describe();
    best = std::min(best, rival.mean);
    fairest = std::min(fairest, rival.judged(c.size()));
    fastest = std::min(fastest, rival.seconds);
  }
  return {{"ranks", c.size()},
          {"case", name},
          {"method", plan.best.method.describe()},
          {"n", ga.rows},
          {"expected", plan.best.cost.bytes * plan.best.method.grid.ranks() / c.size()},
          {"bytes", chosen.mean},
          {"busiest", chosen.busiest},
          {"best", best},
          {"best_method", best_method},
          {"over_best", ratio(chosen.mean, best)},
          {"fairest_method", fairest_method},
          {"over_fairest", ratio(chosen.judged(c.size()), fairest)},
          {"working_ranks", chosen.working},
          {"seconds", chosen.seconds},
          {"fastest", fastest}};
}

void add_peer(json& row, int ranks, int d) {
  for (const SpgemmPeer& p : spgemm_peers)
    if (p.ranks == ranks && p.d == d) {
      row["peer"] = p.best();
      row["target"] = p.target;
    }
}

json run_bytes(CommView c, const SpgemmBench& o) {
  json rows = json::array();
  for (const int d : o.degrees) {
    Generator a = sparse::parse_generator(fmt::format("er n={} d={} seed=1", o.n, d)), b = a;
    b.seed = 2;
    rows.push_back(run_case(c, o, fmt::format("er d={}", d), a, b));
    add_peer(rows.back(), c.size(), d);
  }
  for (const char* text : {"stencil5 nx=256", "rmat scale=14 d=8"}) {
    const Generator g = sparse::parse_generator(text);
    rows.push_back(run_case(c, o, text, g, g));
    const double total = std::string_view(text).starts_with("rmat") ? rmat_peer_mb : laplacian_peer_mb;
    if (c.size() == 16) rows.back()["peer"] = total * 1e6 / 16 / static_cast<double>(g.rows);
  }
  return rows;
}

// Times on up to four ranks: more share the cores of one machine.
json run_all(CommView c, const SpgemmBench& o) {
  if (o.figure) return count_figure(c, o.n, o.degrees);
  json rows = o.no_bytes ? json::array() : run_bytes(c, o);
  if (!o.no_times && c.size() <= 4)
    for (const json& row : time_beside_petsc(c, o.rounds)) rows.push_back(row);
  return rows;
}

std::string optional_number(const json& row, const char* key) {
  return row.contains(key) ? fmt::format("{:.2f}", row[key].get<double>()) : "";
}

void print_bytes(const json& rows) {
  if (rows.empty()) return;
  cli::Table table({"ranks", "case", "method", "bytes/n", "expected", "busiest/mean", "best peer", "/peer",
                    "model", "/model", "/best", "/fairest", "seconds"});
  for (const json& row : rows) {
    const double n = row["n"], bytes = row["bytes"].get<double>() / n;
    const auto over = [&](const char* key) {
      return row.contains(key) ? fmt::format("{:.2f}", bytes / row[key].get<double>()) : "";
    };
    table.add(
        {std::to_string(row["ranks"].get<int>()), row["case"], row["method"], fmt::format("{:.2f}", bytes),
         fmt::format("{:.2f}", row["expected"].get<double>() / n),
         fmt::format("{:.2f}", row["busiest"].get<double>() / std::max(1.0, row["bytes"].get<double>())),
         optional_number(row, "peer"), over("peer"), optional_number(row, "target"), over("target"),
         fmt::format("{:.2f}", row["over_best"].get<double>()),
         fmt::format("{:.2f}", row["over_fairest"].get<double>()),
         fmt::format("{:.3f}", row["seconds"].get<double>())});
  }
  fmt::print(
      "{}\n/best: mean bytes over the least of the algorithms that were run; /fairest: by the mean of the "
      "ranks that "
      "multiply\nanything, or 0.8 of the busiest one's.\n",
      table.text());
}

void print_rows(const json& rows, bool as_json) {
  if (as_json) return fmt::print("{}\n", rows.dump(2));
  json bytes = json::array(), times = json::array(), figure = json::array();
  for (const json& row : rows) {
    const std::string kind = row.value("kind", "bytes");
    (kind == "time" ? times : kind == "figure" ? figure : bytes).push_back(row);
  }
  print_bytes(bytes);
  print_times(times);
  print_figure(figure);
}

}  // namespace

void add_spgemm(cli::Command app, cli::Invocation& invocation) {
  auto o = std::make_shared<SpgemmBench>();
  o->ranked.ranks = {4, 9, 16};
  const cli::Command command = app.add_subcommand(
      "spgemm", "Sparse products: bytes per rank beside what other libraries move, times beside PETSc");
  add_ranked_options(command, o->ranked);
  command.add_option("-n", o->n, "Rows of the random matrices (default 65536)").at_least(2);
  command.add_option("--degrees", o->degrees, "Entries per row (default 2 4 8 16 32)");
  command.add_option("--rivals", o->rivals, "Next best candidates that are run, too; -1: all (default 3)")
      .at_least(-1);
  command.add_option("--rounds", o->rounds, "Rounds of measuring beside PETSc (default 7)").at_least(1);
  command.add_flag("--no-bytes", o->no_bytes, "Only the times beside PETSc, on up to four ranks");
  command.add_flag(
      "--figure", o->figure,
      "Instead: entries that each algorithm of the paper receives, and which is least for which d and P");
  command.add_flag("--no-times", o->no_times, "Only the bytes");
  command.callback([o, &invocation] {
    run_bench("spgemm", {o->ranked, [o](CommView c) { return run_all(c, *o); }, print_rows}, invocation);
  });
}

}  // namespace cairn::bench
