// Multiplies of matrices that lie block-cyclic on a process grid, or parts of them, planned where they are,
// beside ScaLAPACK's pdgemm on the same data: words, and times interleaved in one run with the same work by
// the local BLAS alone on all ranks at once, one BLAS thread per rank.
#include "bench/pdgemm.hpp"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/blas.hpp"
#include "bench/driver.hpp"
#include "bench/pdgemm_case.hpp"
#include "bench/pdgemm_words.hpp"
#include "bench/shape.hpp"
#include "cli/arguments.hpp"
#include "cli/measured_machine.hpp"
#include "cli/session.hpp"
#include "cli/table.hpp"

namespace cairn::bench {
namespace {

using comm::CommView;
using nlohmann::json;

struct Options : RankedOptions {
  Options() : RankedOptions{.ranks = {4, 8}} {}

  std::vector<std::string> shapes{"2048x2048x2048", "512x512x32768"};
  std::vector<std::string> grids{"near-square", "1xP", "Px1"};
  std::vector<Index> blocks{64};
  Index random = 0;  // products, instead of those above
  std::uint64_t seed = 1;
  std::string objective = "time";
  std::string machine;
  bool overlap = false;
  double seconds = 20;
  bool words = false;
  std::string wirecount = "tools/wirecount";
  std::string part;  // of a worker under wirecount: ours, pdgemm, or setup
  Index row = -1;    // of a worker: this row only

  bool times() const { return seconds > 0; }
};

// ---- on the ranks
ProcessGrid grid_named(const std::string& name, int ranks) {
  if (name == "1xP") return {1, ranks};
  if (name == "Px1") return {ranks, 1};
  ProcessGrid grid{1, ranks};
  for (int rows = 1; rows * rows <= ranks; ++rows)
    if (ranks % rows == 0) grid = {rows, ranks / rows};
  return grid;
}

// One for each row on this many ranks, without grids that are the same there.
std::vector<DealtProduct> products(const Options& o, int ranks) {
  std::vector<DealtProduct> all;
  for (Index i = 0; i < o.random; ++i) all.push_back(random_product(o.seed, i, ranks));
  if (o.random > 0) return all;
  std::vector<ProcessGrid> grids;
  for (const std::string& name : o.grids) {
    const ProcessGrid g = grid_named(name, ranks);
    if (std::ranges::find(grids, g) == grids.end()) grids.push_back(g);
  }
  for (const std::string& shape : o.shapes)
    for (const ProcessGrid& grid : grids)
      for (const Index block : o.blocks) all.push_back(in_square_blocks(parse_shape(shape), grid, block));
  return all;
}

// For the wire: one pdgemm, or all that comes before it.
void run_pdgemm(CommView c, const ScaLapack& library, const Options& o, const DealtProduct& product) {
  BlockCyclicProduct peer(c, library, product);
  if (o.part == "pdgemm") peer.run();
}

json run_row(PdgemmCase&& row, const Options& o) {
  json shown = row.description();
  shown.update(row.count_ours());
  if (o.part == "ours") return shown;
  if (o.times())
    shown.update(row.times(o.seconds));
  else
    row.run_pdgemm();
  shown["difference_over_allowed"] = row.difference_over_allowed();
  return shown;
}

json run_all(CommView c, const Options& o) {
  blas::set_threads(1);
  const ScaLapack library;
  plan::Settings settings;
  // Where words are counted on the wire nothing else may move: what was measured before is read, not shared.
  settings.machine = o.part.empty() ? cli::machine_on(c, o.machine).machine
                                    : cli::machine_for_plan(o.machine, c.size()).machine;
  settings.objective = plan::parse_objective(o.objective);
  settings.overlap = o.overlap;
  json rows = json::array();
  if (o.part == "pdgemm" || o.part == "setup") {
    run_pdgemm(c, library, o, products(o, c.size()).at(static_cast<std::size_t>(o.row)));
    return rows;
  }
  for (const DealtProduct& product : products(o, c.size()))
    rows.push_back(run_row(PdgemmCase(c, library, product, settings), o));
  return rows;
}

// ---- launches
// Ours on the wire, all rows in one launch: over all of them each rank must have received what Traffic says.
json launch_ours(int ranks, const Options& o, std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--worker", "--part", "ours"});
  WireLaunch launch = launch_counted(o.wirecount, ranks, arguments);
  for (const json& row : launch.printed)
    for (std::size_t i = 0; i < launch.messages.size(); ++i)
      launch.messages[i] -= row["received_bytes"][i].get<Index>();
  const bool equal = std::ranges::all_of(launch.messages, [](Index left) { return left == 0; });
  for (json& row : launch.printed) row["wire_as_counted"] = equal;
  return launch.printed;
}

// Results and times without the monitoring, which costs a little for every message; words with it.
json launch(int ranks, const Options& o, const std::vector<std::string>& arguments) {
  json rows = run_launch(ranks, arguments);
  if (!o.words) return rows;
  const json counted = launch_ours(ranks, o, arguments);
  PdgemmWords pdgemm(o.wirecount, ranks, arguments);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].update(counted[i]);
    rows[i]["pdgemm_words"] = words_of(pdgemm.received(i, rows[i]["process_grid"]));
  }
  return rows;
}

// ---- output
std::string number(const json& r, const char* pointer, const char* format) {
  const json::json_pointer at(pointer);
  return r.contains(at) ? fmt::format(fmt::runtime(format), r[at].get<double>()) : std::string("-");
}

std::string shape_of(const json& r) {
  return fmt::format("{} x {} x {}", r["m"].get<Index>(), r["n"].get<Index>(), r["k"].get<Index>());
}

// Words no more than pdgemm's, and as many on the wire as Traffic counted.
std::string verdict(const json& r) {
  if (!r.contains("pdgemm_words")) return "-";
  if (!r["wire_as_counted"].get<bool>()) return "wire differs from count";
  return r["words"]["mean"] <= r["pdgemm_words"]["mean"] ? "no more" : "MORE";
}

void print(const json& rows, bool as_json) {
  if (as_json) return fmt::print("{}\n", json{{"rows", rows}}.dump(1));
  cli::Table table({"m x n x k", "ranks", "on", "blocks", "plan", "words per rank", "busiest", "pdgemm's",
                    "busiest", "words", "seconds", "/local", "pdgemm's", "/local", "times faster",
                    "difference/allowed"});
  for (const json& r : rows)
    table.add({shape_of(r), std::to_string(r["ranks"].get<int>()), r["process_grid"], r["blocks"], r["plan"],
               number(r, "/words/mean", "{:.0f}"), number(r, "/words/busiest", "{:.0f}"),
               number(r, "/pdgemm_words/mean", "{:.0f}"), number(r, "/pdgemm_words/busiest", "{:.0f}"),
               verdict(r), number(r, "/seconds", "{:.4f}"), number(r, "/over_local", "{:.3f}"),
               number(r, "/pdgemm_seconds", "{:.4f}"), number(r, "/pdgemm_over_local", "{:.3f}"),
               number(r, "/times_faster", "{:.2f}"), number(r, "/difference_over_allowed", "{:.2g}")});
  fmt::print("{}\n{}\n", table.text(), blas::library().version);
}

void add_options(cli::Command app, Options& o) {
  add_ranked_options(app, o);
  add_shapes(app, o.shapes);
  app.add_option("--grids", o.grids, "Process grids (default near-square,1xP,Px1)")
      .delimiter(',')
      .one_of({"near-square", "1xP", "Px1"});
  app.add_option("--blocks", o.blocks, "Sizes of the square blocks (default 64)").delimiter(',').at_least(1);
  app.add_option(
         "--random", o.random,
         "Number of random products per number of ranks instead: sizes, transposes, grids, blocks that "
         "differ from matrix to matrix, and parts of matrices")
      .at_least(1);
  app.add_option("--seed", o.seed, "Seed of the random products (default 1)");
  app.add_option("--objective", o.objective,
                 "Plan for the least time (default), the fewest words for the busiest rank, or the fewest of "
                 "all ranks together")
      .type_name("time|words|volume");
  app.add_option("--machine", o.machine,
                 "Plan for the machine of this file (default: the one that was measured)")
      .type_name("FILE|built-in");
  app.add_flag("--overlap", o.overlap, "Rounds whose words move while others multiply, where they pay");
  app.add_option("--seconds", o.seconds,
                 "Seconds to spend on the times of a row, 5 rounds at least; 0: no times (default 20)")
      .non_negative();
  app.add_flag("--words", o.words, "Also count both on the wire, in more launches (Open MPI)");
  app.add_option("--wirecount", o.wirecount, "Cairn's tool that counts (default tools/wirecount)")
      .type_name("FILE");
  app.add_option("--part", o.part).group("");
  app.add_option("--row", o.row).group("");
}

}  // namespace

void add_pdgemm(cli::Command bench, cli::Invocation& invocation) {
  auto o = std::make_shared<Options>();
  const cli::Command app =
      bench.add_subcommand("pdgemm", "Multiplies of block-cyclic matrices beside ScaLAPACK's pdgemm");
  add_options(app, *o);
  app.callback([o, &invocation] {
    for (const std::string& shape : o->shapes) parse_shape(shape);
    plan::parse_objective(o->objective);
    require(!o->words || !cli::under_launcher() || o->worker,
            "--words makes its own launches: run it without a launcher");
    run_bench("pdgemm",
              {.options = *o,
               .run = [&](CommView c) { return run_all(c, *o); },
               .print = &print,
               .launch = [&](int p,
                             const std::vector<std::string>& arguments) { return launch(p, *o, arguments); }},
              invocation);
  });
}

}  // namespace cairn::bench
