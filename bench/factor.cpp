// LU, Cholesky, solves and whole solves beside ScaLAPACK at its best block size: words on the wire, and times interleaved
// in one run, one BLAS thread per rank. A factorization starts where its plan wants the matrix; B, and A of a whole solve,
// lie block-cyclic for both.
#include "bench/factor.hpp"

#include <memory>
#include <nlohmann/json.hpp>

#include "bench/driver.hpp"
#include "bench/factor_row.hpp"
#include "bench/pdgemm_case.hpp"
#include "bench/pdgemm_words.hpp"
#include "cli/arguments.hpp"
#include "cli/measured_machine.hpp"
#include "cli/session.hpp"
#include "cli/table.hpp"

namespace cairn::bench {
namespace {

using comm::CommView;
using nlohmann::json;

struct FactorBench : RankedOptions {
  FactorBench() : RankedOptions{.ranks = {2, 4, 8}} {}

  std::vector<Index> sizes{4096}, blocks{32, 64, 128, 256}, right_sides{1, 256};
  std::vector<std::string> only;  // lu, cholesky
  std::vector<std::string> tasks{"factor", "solve", "whole"};
  std::string objective = "time", machine, algorithm = "auto";
  std::optional<Index> step, layers;
  double seconds = 20;
  bool words = false;
  std::string wirecount = "tools/wirecount";
  std::string part;  // of a worker under wirecount: ours, peer, or setup
  Index row = -1, block = 64;

  bool wants(const std::vector<std::string>& names, const char* name) const {
    return names.empty() || std::ranges::find(names, name) != names.end();
  }
};

std::vector<FactorRow> rows_of(const FactorBench& o) {
  std::vector<FactorRow> rows;
  for (const Index n : o.sizes)
    for (const bool definite : {false, true}) {
      if (!o.wants(o.only, definite ? "cholesky" : "lu")) continue;
      if (o.wants(o.tasks, "factor")) rows.push_back({n, definite, Task::factor, 1});
      for (const Index b : o.right_sides) {
        if (o.wants(o.tasks, "solve")) rows.push_back({n, definite, Task::solve, b});
        if (o.wants(o.tasks, "whole")) rows.push_back({n, definite, Task::factor_and_solve, b});
      }
    }
  return rows;
}

FactorRowOptions row_options(const FactorBench& o, const Machine& machine) {
  FactorRowOptions r{.blocks = o.blocks, .settings = {}, .seconds = o.seconds};
  r.settings.goal = o.objective == "words" ? factor::Goal::words : factor::Goal::time;
  r.settings.algorithm = o.algorithm;
  r.settings.step = o.step;
  if (o.layers) r.settings.layers = narrow<int>(*o.layers, "--layers");
  r.settings.machine = machine;
  return r;
}

json description(const FactorRow& row, int ranks) {
  return {{"n", row.n}, {"ranks", ranks}, {"peer", row.peer()}, {"right_sides", row.right_sides}};
}

json run_factor(CommView c, const FactorBench& o) {
  blas::set_threads(1);
  const std::vector<FactorRow> rows = rows_of(o);
  if (o.part == "peer" || o.part == "setup") {
    run_peer(c, rows.at(static_cast<std::size_t>(o.row)), o.block, o.part == "setup");
    return json::array();
  }
  // Where words are counted on the wire nothing else may move: what was measured before is read, not shared.
  const FactorRowOptions r =
      row_options(o, o.part.empty() ? cli::machine_on(c, o.machine).machine
                                    : cli::machine_for_plan(o.machine, c.size()).machine);
  if (o.part == "ours") return json::array({count_ours(c, rows.at(static_cast<std::size_t>(o.row)), r)});
  json shown = json::array();
  for (const FactorRow& row : rows) {
    shown.push_back(description(row, c.size()));
    shown.back().update(count_ours(c, row, r));
    if (o.seconds > 0) shown.back().update(time_row(c, row, r));
  }
  return shown;
}

// ---- words on the wire
WireLaunch launch_part(const FactorBench& o, int ranks, std::vector<std::string> arguments, const char* part,
                       std::size_t row, Index block) {
  arguments.insert(arguments.end(), {"--worker", "--part", part, "--row", std::to_string(row), "--block",
                                     std::to_string(block)});
  return launch_counted(o.wirecount, ranks, arguments);
}

json wire_words(const FactorBench& o, int ranks, const std::vector<std::string>& arguments, std::size_t row) {
  const WireLaunch ours = launch_part(o, ranks, arguments, "ours", row, 0);
  json shown = ours.printed[0];
  shown["wire_as_counted"] = shown["received_bytes"] == json(ours.messages);
  for (const Index block : o.blocks) {
    std::vector<Index> bytes = launch_part(o, ranks, arguments, "peer", row, block).all;
    const std::vector<Index> setup = launch_part(o, ranks, arguments, "setup", row, block).all;
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] -= setup[i];
    const json words = words_of(bytes);
    if (!shown.contains("peer_words") || words["mean"] < shown["peer_words"]["mean"])
      shown["peer_words"] = words;
  }
  return shown;
}

json launch_factor(const FactorBench& o, int ranks, const std::vector<std::string>& arguments) {
  json rows = run_launch(ranks, arguments);
  for (std::size_t i = 0; o.words && i < rows.size(); ++i) rows[i].update(wire_words(o, ranks, arguments, i));
  return rows;
}

// ---- output
void print_factor(const json& rows, bool as_json) {
  if (as_json) return fmt::print("{}\n", json{{"rows", rows}}.dump(1));
  const auto number = [](const json& r, const char* pointer, const char* format) {
    const json::json_pointer at(pointer);
    return r.contains(at) ? fmt::format(fmt::runtime(format), r[at].get<double>()) : std::string("-");
  };
  cli::Table table({"N", "ranks", "beside", "columns of B", "plan", "words per rank", "busiest",
                    "ScaLAPACK's", "busiest", "seconds", "ScaLAPACK's", "block", "times faster",
                    "/local LAPACK", "residual", "wire"});
  for (const json& r : rows)
    table.add({std::to_string(r["n"].get<Index>()), std::to_string(r["ranks"].get<int>()), r["peer"],
               std::to_string(r["right_sides"].get<Index>()), r.value("plan", "-"),
               number(r, "/words/mean", "{:.0f}"), number(r, "/words/busiest", "{:.0f}"),
               number(r, "/peer_words/mean", "{:.0f}"), number(r, "/peer_words/busiest", "{:.0f}"),
               number(r, "/seconds", "{:.4f}"), number(r, "/peer_seconds", "{:.4f}"),
               number(r, "/peer_block", "{:.0f}"), number(r, "/times_faster", "{:.2f}"),
               number(r, "/over_local", "{:.3f}"), number(r, "/residual", "{:.2g}"),
               !r.contains("wire_as_counted")     ? "-"
               : r["wire_as_counted"].get<bool>() ? "as counted"
                                                  : "differs from count"});
  fmt::print("{}\n{}\n", table.text(), blas::library().version);
}

void add_factor_bench_options(cli::Command app, FactorBench& o) {
  add_ranked_options(app, o);
  app.add_option("-N,--N", o.sizes, "Rows and columns of A (default 4096)").delimiter(',').at_least(1);
  app.add_option("--blocks", o.blocks, "Block sizes of ScaLAPACK; the best counts (default 32,64,128,256)")
      .delimiter(',')
      .at_least(1);
  app.add_option("--nrhs,--right-sides", o.right_sides, "Columns of B (default 1,256)")
      .delimiter(',')
      .at_least(1);
  app.add_option("--only", o.only, "lu, cholesky (default: both)").delimiter(',').one_of({"lu", "cholesky"});
  app.add_option("--tasks", o.tasks, "factor, solve, whole: pdgetrf, pdgetrs, pdgesv (default: all)")
      .delimiter(',')
      .one_of({"factor", "solve", "whole"});
  app.add_option("--objective", o.objective, "Plan for the least time (default) or the fewest words")
      .type_name("time|words")
      .one_of({"time", "words"});
  app.add_option("--algorithm", o.algorithm, "As of cairn lu and cairn cholesky (default auto)");
  cli::add_size(app, "--step", o.step, "Columns per step (default: planned)");
  cli::add_size(app, "--layers", o.layers, "Layers (default: planned)");
  app.add_option("--machine", o.machine,
                 "Plan for the machine of this file (default: the one that was measured)")
      .type_name("FILE|built-in");
  app.add_option("--seconds", o.seconds,
                 "Seconds to spend on the times of a row, 3 rounds at least; 0: no times (default 20)")
      .non_negative();
  app.add_flag("--words", o.words, "Also count both on the wire, in more launches (Open MPI)");
  app.add_option("--wirecount", o.wirecount, "Cairn's tool that counts (default tools/wirecount)")
      .type_name("FILE");
  app.add_option("--part", o.part).group("");
  app.add_option("--row", o.row).group("");
  app.add_option("--block", o.block).group("");
}

}  // namespace

void add_factor(cli::Command bench, cli::Invocation& invocation) {
  auto o = std::make_shared<FactorBench>();
  const cli::Command app =
      bench.add_subcommand("factor", "LU, Cholesky and solves beside ScaLAPACK and the local LAPACK");
  add_factor_bench_options(app, *o);
  app.callback([o, &invocation] {
    require(!o->words || !cli::under_launcher() || o->worker,
            "--words makes its own launches: run it without a launcher");
    run_bench("factor",
              {.options = *o,
               .run = [&](CommView c) { return run_factor(c, *o); },
               .print = &print_factor,
               .launch =
                   [&](int p, const std::vector<std::string>& arguments) {
                     return launch_factor(*o, p, arguments);
                   }},
              invocation);
  });
}

}  // namespace cairn::bench
