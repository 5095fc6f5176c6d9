// Fast schedules on ranks against the best classical one and against ScaLAPACK's pdgemm, interleaved.
#include "bench/fast.hpp"

#include <fmt/format.h>
#include <functional>

#include <memory>
#include <nlohmann/json.hpp>

#include "base/blas.hpp"
#include "bench/block_cyclic_product.hpp"
#include "bench/driver.hpp"
#include "bench/fast_product.hpp"
#include "bench/native_product.hpp"
#include "bench/shape.hpp"
#include "cli/fast_options.hpp"
#include "cli/machine_file.hpp"
#include "cli/rates_file.hpp"
#include "cli/table.hpp"
#include "plan/plan.hpp"
#include "program/count.hpp"

namespace cairn::bench {
namespace {

using comm::CommView;
using nlohmann::json;
namespace fast = gemm::fast;

struct FastBenchOptions : RankedOptions {
  FastBenchOptions() : RankedOptions{.ranks = {7}} {}

  std::vector<std::string> shapes{"3584x3584x3584"};
  std::vector<std::string> orders{"auto"};
  double seconds = 30;
  int working = 0;                  // ranks of our schedules; 0: all
  std::vector<std::string> pdgemm;  // process grids
};

// "2x4", of the first ranks.
ProcessGrid parse_process_grid(const std::string& text, int ranks) {
  ProcessGrid grid;
  char rest = 0;
  const bool right = std::sscanf(text.c_str(), "%dx%d%c", &grid.rows, &grid.columns, &rest) == 2 &&
                     grid.rows >= 1 && grid.columns >= 1 && grid.rows * grid.columns <= ranks;
  require(right, "--pdgemm is '{}', expected grids of at most {} ranks such as 2x4", text, ranks);
  return grid;
}

// ScaLAPACK's product on its own block-cyclic matrices; ranks outside of the grid wait.
class PdgemmRival {
 public:
  PdgemmRival(CommView c, const ScaLapack& library, const bounds::Product& p, const ProcessGrid& grid)
      : works_(c.rank() < grid.rows * grid.columns), product_(c, library, in_square_blocks(p, grid, 64)) {}
  void run() {
    if (works_) product_.run();
  }

 private:
  bool works_;
  BlockCyclicProduct product_;
};

fast::FastOptions fast_options(const std::string& order) {
  fast::FastOptions o;
  o.machine = cli::known_machine("").machine;
  o.rates = cli::known_rates(1).rates;
  o.order = order;
  if (order == "auto") o.family = fast::Family::caps;
  return o;
}

json run_fast_row(CommView c, const bounds::Product& x, const FastBenchOptions& o) {
  const gemm::Problem p{.m = x.m, .n = x.n, .k = x.k};
  const int working = o.working == 0 ? c.size() : o.working;
  require(working <= c.size(), "--working is {}, expected at most the {} ranks", working, c.size());
  const plan::Plan classical =
      plan::plan_multiply(p, working, {.machine = cli::known_machine("").machine, .overlap = true});
  NativeProduct plain(c, classical.best.schedule);
  std::vector<std::unique_ptr<FastProduct<double>>> products;
  std::vector<Way> ways{[&] { plain.run(); }};
  json orders = json::array();
  for (const std::string& order : o.orders) {
    const fast::FastCandidate best = fast::candidates(p, working, fast_options(order)).front();
    products.push_back(std::make_unique<FastProduct<double>>(c, best.schedule));
    FastProduct<double>* product = products.back().get();
    ways.push_back([product] { product->run(); });
    orders.push_back({{"schedule", fast::describe(best.schedule)},
                      {"predicted", best.seconds},
                      {"words", program::count(product->program()).total().sent.words}});
  }
  std::optional<ScaLapack> library;
  if (!o.pdgemm.empty()) library.emplace();
  std::vector<std::unique_ptr<PdgemmRival>> rivals;
  for (const std::string& grid : o.pdgemm) {
    rivals.push_back(std::make_unique<PdgemmRival>(c, *library, x, parse_process_grid(grid, c.size())));
    ways.push_back([rival = rivals.back().get()] { rival->run(); });
  }
  const Timings times = interleaved(c, ways, o.seconds, 2, 101);
  for (std::size_t i = 0; i < products.size(); ++i) {
    orders[i]["seconds"] = times.median(i + 1);
    orders[i]["times_faster"] = times.ratio(0, i + 1);
    orders[i]["error_over_bound"] = products[i]->worst_error(20);
  }
  json peers = json::array();
  for (std::size_t i = 0; i < rivals.size(); ++i) {
    const std::size_t way = 1 + products.size() + i;
    peers.push_back(
        {{"grid", o.pdgemm[i]}, {"seconds", times.median(way)}, {"times_faster", times.ratio(0, way)}});
  }
  return {{"pdgemm", peers},
          {"m", p.m},
          {"n", p.n},
          {"k", p.k},
          {"ranks", c.size()},
          {"working_ranks", working},
          {"classical", describe(classical.best.schedule)},
          {"classical_words", classical.best.totals.words_received},
          {"classical_predicted", classical.best.predicted},
          {"classical_seconds", times.median(0)},
          {"fast", orders}};
}

json run_fast_rows(CommView c, const FastBenchOptions& o) {
  blas::set_threads(1);
  json rows = json::array();
  for (const std::string& shape : o.shapes) rows.push_back(run_fast_row(c, parse_shape(shape), o));
  return rows;
}

void print_fast(const json& rows, bool as_json) {
  if (as_json) return fmt::print("{}\n", json{{"rows", rows}}.dump(1));
  cli::Table table({"schedule", "words", "seconds", "times faster", "predicted, s", "error/bound"});
  for (const json& r : rows) {
    table.add({r["classical"], std::to_string(r["classical_words"].get<Index>()),
               fmt::format("{:.4g}", r["classical_seconds"].get<double>()), "1",
               fmt::format("{:.4g}", r["classical_predicted"].get<double>()), "-"});
    for (const json& f : r["fast"])
      table.add({f["schedule"], std::to_string(f["words"].get<Index>()),
                 fmt::format("{:.4g}", f["seconds"].get<double>()),
                 fmt::format("{:.3f}", f["times_faster"].get<double>()),
                 fmt::format("{:.4g}", f["predicted"].get<double>()),
                 fmt::format("{:.2g}", f["error_over_bound"].get<double>())});
    for (const json& f : r["pdgemm"])
      table.add({fmt::format("pdgemm on {}", f["grid"].get<std::string>()), "-",
                 fmt::format("{:.4g}", f["seconds"].get<double>()),
                 fmt::format("{:.3f}", f["times_faster"].get<double>()), "-", "-"});
  }
  fmt::print("{}", table.text());
}

}  // namespace

void add_fast(cli::Command bench, cli::Invocation& invocation) {
  auto o = std::make_shared<FastBenchOptions>();
  const cli::Command app =
      bench.add_subcommand("fast", "Fast schedules on ranks against the best classical one");
  add_ranked_options(app, *o);
  app.add_option("--shapes", o->shapes, "m x n x k, such as 3584x3584x3584").delimiter(',');
  app.add_option("--orders", o->orders, "Orders of steps such as B,DB; auto: what the planner takes of caps")
      .delimiter(',');
  app.add_option("--seconds", o->seconds, "For each row").non_negative();
  app.add_option("--working", o->working, "Ranks of the schedules, the first ones (default: all)")
      .at_least(1);
  app.add_option("--pdgemm", o->pdgemm, "ScaLAPACK's pdgemm beside them, on process grids such as 2x4,1x7")
      .delimiter(',');
  app.callback([o, &invocation] {
    run_bench("fast", {*o, [o](CommView c) { return run_fast_rows(c, *o); }, &print_fast}, invocation);
  });
}

}  // namespace cairn::bench
