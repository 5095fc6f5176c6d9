// Bytes and time of sparse products: the planner's choice beside the other algorithms and beside what other
// libraries move.
#include "bench/spgemm.hpp"

#include <algorithm>

#include "bench/driver.hpp"
#include "bench/spgemm_choice.hpp"
#include "bench/spgemm_figure.hpp"
#include "bench/spgemm_peers.hpp"
#include "bench/spgemm_times.hpp"
#include "cli/table.hpp"
#include "comm/collectives.hpp"
#include "sparse/generate_sparse.hpp"

namespace cairn::bench {
namespace {

using comm::CommView;
using nlohmann::json;
using sparse::Generator;

struct SpgemmBench {
  RankedOptions ranked;
  bool no_bytes = false, no_times = false, figure = false;
  int rounds = 7;
  std::vector<std::string> timed{"er n=65536 d=4", "er n=65536 d=16", "stencil5 nx=512", "rmat scale=14 d=8"};
  std::vector<int> degrees{2, 4, 8, 16, 32};
  Index n = 65536;
  bool every = false;  // list every algorithm
  ChoiceOptions choice;
};

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
    rows.push_back(compare_choice(c, fmt::format("er d={}", d), a, b, o.choice));
    add_peer(rows.back(), c.size(), d);
  }
  for (const char* text : {"stencil5 nx=256", "rmat scale=14 d=8"}) {
    const Generator g = sparse::parse_generator(text);
    rows.push_back(compare_choice(c, text, g, g, o.choice));
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
    for (const json& row : time_beside_petsc(c, o.timed, o.rounds)) rows.push_back(row);
  return rows;
}

std::string optional_number(const json& row, const char* key) {
  return row.contains(key) ? fmt::format("{:.2f}", row[key].get<double>()) : "";
}

void print_bytes(const json& rows) {
  if (rows.empty()) return;
  cli::Table table({"ranks", "case", "method", "bytes/n", "expected", "busiest/mean", "best peer", "/peer",
                    "model", "/model"});
  for (const json& row : rows) {
    const double n = row["n"], bytes = row["bytes"].get<double>() / n;
    const auto over = [&](const char* key) {
      return row.contains(key) ? fmt::format("{:.2f}", bytes / row[key].get<double>()) : "";
    };
    table.add(
        {std::to_string(row["ranks"].get<int>()), row["case"], row["method"], fmt::format("{:.2f}", bytes),
         fmt::format("{:.2f}", row["expected"].get<double>() / n),
         fmt::format("{:.2f}", row["busiest"].get<double>() / std::max(1.0, row["bytes"].get<double>())),
         optional_number(row, "peer"), over("peer"), optional_number(row, "target"), over("target")});
  }
  fmt::print("{}", table.text());
}

void print_rows(const json& rows, bool as_json, bool every) {
  if (as_json) return fmt::print("{}\n", rows.dump(2));
  json bytes = json::array(), times = json::array(), figure = json::array();
  for (const json& row : rows) {
    const std::string kind = row.value("kind", "bytes");
    (kind == "time" ? times : kind == "figure" ? figure : bytes).push_back(row);
  }
  print_bytes(bytes);
  print_choices(bytes, every);
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
  command.add_option("--within", o->choice.within,
                     "Algorithms predicted to receive at most this times the bytes of the choice are run, "
                     "too (default 1.5)");
  command.add_flag("--every", o->every, "List every algorithm, not only the choice and the best");
  command
      .add_option("--time-rounds", o->choice.rounds,
                  "Time them, too, in this many interleaved rounds (default 0: not at all)")
      .at_least(0);
  command.add_option("--rounds", o->rounds, "Rounds of measuring beside PETSc (default 7)").at_least(1);
  command.add_option("--timed", o->timed, "Generators of the matrices whose squares are timed beside PETSc's")
      .delimiter(',');
  command.add_flag("--no-bytes", o->no_bytes, "Only the times beside PETSc, on up to four ranks");
  command.add_flag(
      "--figure", o->figure,
      "Instead: entries that each algorithm of the paper receives, and which is least for which d and P");
  command.add_flag("--no-times", o->no_times, "Only the bytes");
  command.callback([o, &invocation] {
    run_bench("spgemm",
              {o->ranked, [o](CommView c) { return run_all(c, *o); },
               [o](const json& rows, bool as_json) { print_rows(rows, as_json, o->every); }},
              invocation);
  });
}

}  // namespace cairn::bench
