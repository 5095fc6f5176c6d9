#include "bench/spgemm_choice.hpp"

#include <algorithm>
#include <set>

#include "bench/driver.hpp"
#include "cli/measured_machine.hpp"
#include "cli/table.hpp"
#include "comm/collectives.hpp"
#include "sparse/generate_sparse.hpp"
#include "sparse/spgemm_run.hpp"

namespace cairn::bench {
namespace {

using comm::CommView;
using nlohmann::json;
using sparse::DistSparse;
using sparse::Generator;
using sparse::SpgemmCandidate;

constexpr double near_best = 1.15;

sparse::SpgemmPlan named_plan(const sparse::SpgemmSample& sample, sparse::SpgemmAlgorithm algorithm) {
  sparse::SpgemmPlanOptions options;
  options.algorithm = algorithm;
  return sparse::plan_spgemm(sample, options);
}

// The planner's candidates, then the others that have a name; a product that two names mean is there once.
std::vector<SpgemmCandidate> all_candidates(const sparse::SpgemmPlan& plan) {
  std::vector<SpgemmCandidate> all;
  std::set<std::string> known;
  const auto add = [&](const SpgemmCandidate& x) {
    const sparse::SparseGrid& g = x.method.grid;
    const std::string key =
        fmt::format("{} {} {} {} {} {}", g.pm, g.pn, g.pk, static_cast<int>(x.method.gathering),
                    x.method.from_home, x.method.face.row_parts);
    if (known.insert(key).second) all.push_back(x);
  };
  const auto add_plan = [&](const sparse::SpgemmPlan& p) {
    add(p.best);
    for (const SpgemmCandidate& x : p.others) add(x);
  };
  add_plan(plan);
  for (const auto algorithm : sparse::all_spgemm_algorithms()) add_plan(named_plan(plan.sample, algorithm));
  return all;
}

double predicted(const SpgemmCandidate& x, int ranks) { return x.cost.bytes * x.method.grid.ranks() / ranks; }

// A method with its operands where it wants them.
struct Product {
  const SpgemmCandidate& how;
  DistSparse<double> a, b;

  sparse::BrickCounts run(CommView c) const {
    const auto kernel = sparse::make_kernel<double>(sparse::Semiring::plus_times);
    return sparse::multiply_bricks<double>(c, how.method, a, b, kernel).counts;
  }
};

Product make_product(CommView c, const SpgemmCandidate& how, const Generator& ga, const Generator& gb) {
  const auto layouts = sparse::layouts_of(how.method, {ga.rows, gb.columns, ga.columns});
  return {how, sparse::generate_sparse<double>(ga, layouts.a, c.rank()),
          sparse::generate_sparse<double>(gb, layouts.b, c.rank())};
}

json counted(CommView c, const Product& product) {
  const comm::TrafficSnapshot before = c.traffic().snapshot();
  const auto voxels = static_cast<double>(product.run(c).voxels);
  const auto bytes = static_cast<double>((c.traffic().snapshot() - before).within("spgemm").received.bytes);
  const auto mean = [&](double x) { return comm::allreduce(c, x, comm::ReduceOp::sum) / c.size(); };
  const auto most = [&](double x) { return comm::allreduce(c, x, comm::ReduceOp::max); };
  return {{"method", product.how.method.describe()},
          {"expected", predicted(product.how, c.size())},
          {"bytes", mean(bytes)},
          {"busiest", most(bytes)},
          {"work", most(voxels) / std::max(1.0, mean(voxels))}};
}

double ratio(double x, double y) { return std::max(1.0, x) / std::max(1.0, y); }

// The least of a field among the rows that `counts` lets count.
template <class Counts>
const json& least(const json& rows, const char* field, Counts&& counts) {
  const json* best = nullptr;
  for (const json& row : rows)
    if (row.contains(field) && counts(row) &&
        (best == nullptr || row[field].get<double>() < (*best)[field].get<double>()))
      best = &row;
  return best == nullptr ? rows.front() : *best;
}

// Bytes are compared among plans that keep the work as even as the planner asks for: a plan in which one rank does
// everything receives nothing. Those of the busiest rank are compared among all.
void compare_bytes(json& row) {
  const json& rows = row["algorithms"];
  const auto any = [](const json&) { return true; };
  const double evenest = least(rows, "work", any)["work"];
  const auto even = [&](const json& x) { return x["work"].get<double>() <= sparse::even_work * evenest; };
  const json& best = least(rows, "bytes", even);
  const json& fairest = least(rows, "busiest", any);
  const json& lowest = least(rows, "bytes", any);
  row["best"] = best["bytes"];
  row["best_method"] = best["method"];
  row["over_best"] = ratio(row["bytes"], best["bytes"]);
  row["over_least_busiest"] = ratio(row["busiest"], fairest["busiest"]);
  row["least_busiest_method"] = fairest["method"];
  row["over_any"] = ratio(row["bytes"], lowest["bytes"]);
  row["any_method"] = lowest["method"];
  row["any_work"] = lowest["work"];
  row["met"] = row["over_best"].get<double>() <= near_best;
}

void compare_times(CommView c, json& row, const std::vector<Product>& products, const std::string& chosen,
                   int rounds) {
  std::vector<Way> ways;
  for (const Product& p : products) ways.emplace_back([&p, c] { p.run(c); });
  const Timings times = interleaved(c, ways, 0, rounds, rounds);
  std::size_t fastest = 0, choice = 0;
  for (std::size_t x = 0; x < products.size(); ++x) {
    row["algorithms"][x]["seconds"] = times.median(x);
    if (times.median(x) < times.median(fastest)) fastest = x;
    if (products[x].how.method.describe() == chosen) choice = x;
  }
  row["time_method"] = chosen;
  row["seconds"] = times.median(choice);
  row["fastest"] = times.median(fastest);
  row["fastest_method"] = products[fastest].how.method.describe();
  row["over_fastest"] = times.ratio(choice, fastest);
  row["time_met"] = row["over_fastest"].get<double>() <= near_best;
}

}  // namespace

json compare_choice(CommView c, const std::string& name, const Generator& ga, const Generator& gb,
                    const ChoiceOptions& o) {
  const auto rows = sparse::SparseLayout::row_blocks(ga.rows, ga.columns, c.size());
  const auto rows_b = sparse::SparseLayout::row_blocks(gb.rows, gb.columns, c.size());
  const auto sample = sparse::sample_product(c, sparse::generate_sparse<double>(ga, rows, c.rank()),
                                             sparse::generate_sparse<double>(gb, rows_b, c.rank()),
                                             sparse::spgemm_grids(c.size()));
  const sparse::SpgemmPlan plan = sparse::plan_spgemm(sample);
  std::string fast = plan.best.method.describe();
  if (o.rounds > 0) {
    sparse::SpgemmPlanOptions by_time;
    by_time.objective = sparse::SpgemmObjective::time;
    by_time.machine = cli::machine_on(c, "").machine;
    fast = sparse::plan_spgemm(sample, by_time).best.method.describe();
  }
  const std::vector<SpgemmCandidate> all = all_candidates(plan);
  json row{{"ranks", c.size()}, {"case", name}, {"n", ga.rows}, {"algorithms", json::array()}};
  std::vector<Product> products;
  json others = json::array();
  const double limit = o.within * std::max(1.0, predicted(plan.best, c.size()));
  for (const SpgemmCandidate& x : all) {
    if (predicted(x, c.size()) > limit && x.method.describe() != fast) {
      others.push_back({{"method", x.method.describe()}, {"expected", predicted(x, c.size())}});
      continue;
    }
    Product product = make_product(c, x, ga, gb);
    row["algorithms"].push_back(counted(c, product));
    if (o.rounds > 0) products.push_back(std::move(product));
  }
  const json& chosen = row["algorithms"].front();
  for (const char* field : {"method", "expected", "bytes", "busiest"}) row[field] = chosen[field];
  compare_bytes(row);
  if (o.rounds > 0) compare_times(c, row, products, fast, o.rounds);
  row["not_run"] = std::move(others);
  return row;
}

namespace {

std::string per_n(const json& row, const json& bytes) {
  return fmt::format("{:.3f}", bytes.get<double>() / row["n"].get<double>());
}

std::string ratio_text(const json& row, const char* key) {
  return row.contains(key) ? fmt::format("{:.2f}", row[key].get<double>()) : "";
}

void print_algorithms(const json& row) {
  cli::Table table({"algorithm", "expected/n", "bytes/n", "busiest/n", "work", "seconds"});
  for (const json& x : row["algorithms"])
    table.add({x["method"], per_n(row, x["expected"]), per_n(row, x["bytes"]), per_n(row, x["busiest"]),
               ratio_text(x, "work"),
               x.contains("seconds") ? fmt::format("{:.4f}", x["seconds"].get<double>()) : ""});
  for (const json& x : row["not_run"])
    table.add({x["method"], per_n(row, x["expected"]), "not run", "", "", ""});
  fmt::print("\n{} on {} ranks\n{}", row["case"].get<std::string>(), row["ranks"].get<int>(), table.text());
}

}  // namespace

void print_choices(const json& rows, bool every) {
  if (rows.empty()) return;
  cli::Table table({"ranks", "case", "chosen", "bytes/n", "run", "least, even work", "/least",
                    "/least busiest", "least of any", "its work", "bytes"});
  cli::Table times({"ranks", "case", "chosen for time", "seconds", "fastest", "/fastest", "time"});
  int met = 0, time_met = 0, timed = 0;
  for (const json& row : rows) {
    if (every) print_algorithms(row);
    met += row["met"].get<bool>() ? 1 : 0;
    table.add(
        {std::to_string(row["ranks"].get<int>()), row["case"], row["method"], per_n(row, row["bytes"]),
         fmt::format("{} of {}", row["algorithms"].size(), row["algorithms"].size() + row["not_run"].size()),
         row["best_method"], ratio_text(row, "over_best"), ratio_text(row, "over_least_busiest"),
         row["any_method"], ratio_text(row, "any_work"), row["met"].get<bool>() ? "met" : "missed"});
    if (!row.contains("fastest")) continue;
    ++timed;
    time_met += row["time_met"].get<bool>() ? 1 : 0;
    times.add({std::to_string(row["ranks"].get<int>()), row["case"], row["time_method"],
               fmt::format("{:.4f}", row["seconds"].get<double>()), row["fastest_method"],
               ratio_text(row, "over_fastest"), row["time_met"].get<bool>() ? "met" : "missed"});
  }
  fmt::print(
      "\nThe choice beside every other algorithm, counted (those predicted to move more than the limit of "
      "--within times its bytes are not run)\n{}",
      table.text());
  fmt::print("Within {} of the least bytes among plans with even work: {} of {} cells.\n", near_best, met,
             rows.size());
  if (timed > 0)
    fmt::print("\n{}Within {} of the fastest: {} of {} cells.\n", times.text(), near_best, time_met, timed);
}

}  // namespace cairn::bench
