// The twelve scenarios of paper 000 ("Red-Blue Pebbling Revisited"), sections 8 and 9: square, largeK, largeM
// and flat matrices in strong scaling, with limited and with extra memory. Nothing runs: every figure is
// counted on the schedule. The paper's Table 3 stands beside it.
#include "bench/volume.hpp"

#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

#include "bench/limited_grid.hpp"
#include "cli/arguments.hpp"
#include "cli/table.hpp"
#include "model/decompositions.hpp"
#include "plan/plan.hpp"

namespace cairn::bench {
namespace {

using model::Product;
using nlohmann::json;

constexpr double word_bytes = 8, megabyte = 1e6;
constexpr double node_bytes = 64.0 * (1 << 30), node_cores = 36;  // of the paper's machine

struct Options {
  // Powers of two, whole nodes of 36 cores, and one rank more than that.
  std::vector<int> ranks{128,  144,  256,  288,  512,  576,  577,  1024, 1152,  2048,
                         2304, 2305, 4096, 4608, 4609, 8192, 9216, 9217, 16384, 18432};
  Index words_per_core = 1 << 21;
  std::vector<std::string> only;
  bool points = false;
  bool json = false;
};

// ---- scenarios
// ---------------------------------------------------------------------------------------------
struct Figures {
  double scalapack, ctf, carma, cosma;  // Table 3, MB per rank
};

struct Setting {
  Product product;
  double memory_words;  // a rank
};

struct Scenario {
  std::string shape, benchmark;
  Figures paper;
  int fewest_ranks;
  std::function<Setting(int ranks)> at;
};

Index whole(double x) { return std::max<Index>(1, static_cast<Index>(std::llround(x))); }

// Solves f(x) = y for a growing f.
double inverse(const std::function<double(double)>& f, double y) {
  double low = 0, high = 1;
  while (f(high) < y) high *= 2;
  for (int i = 0; i < 200; ++i) ((f((low + high) / 2) < y) ? low : high) = (low + high) / 2;
  return high;
}

// The matrices of a shape that have so many words together. Tall ones are those of w water molecules, m = n =
// 136 w and k = 228 w^2; flat ones a rank-256 update.
Product square(double words) {
  const Index n = whole(std::sqrt(words / 3));
  return {n, n, n};
}
Product tall(double words, bool in_k) {
  const auto size = [](double w) { return 136 * w * 136 * w + 2 * 136 * w * 228 * w * w; };
  const double w = inverse(size, words);
  const Index narrow_side = whole(136 * w), length = whole(228 * w * w);
  return in_k ? Product{narrow_side, narrow_side, length} : Product{length, narrow_side, narrow_side};
}
Product flat(double words) {
  const Index n = whole(inverse([](double x) { return x * x + 512 * x; }, words));
  return {n, n, 256};
}

using Shape = std::function<Product(double words)>;

Scenario strong(const char* shape, const Product& p, int fewest, const Figures& paper) {
  return {shape, "strong scaling", paper, fewest, [p](int) {
            return Setting{p, node_bytes / node_cores / word_bytes};
          }};
}

// PS / I = 2: a rank has room for its own parts and as much again. The input grows with P.
Scenario limited(const char* shape, const Shape& make, double words_per_core, const Figures& paper) {
  return {shape, "limited memory", paper, 1, [=](int ranks) {
            return Setting{make(words_per_core * ranks), 2 * words_per_core};
          }};
}

// P^(2/3) S / I = 2: P^(1/3) copies of the input fit beside the input itself. It grows with P^(2/3).
Scenario extra(const char* shape, const Shape& make, double words_per_core, const Figures& paper) {
  return {shape, "extra memory", paper, 1, [=](int ranks) {
            return Setting{make(words_per_core * std::pow(ranks, 2.0 / 3)), 2 * words_per_core};
          }};
}

std::vector<Scenario> scenarios(const Options& o) {
  const auto words = static_cast<double>(o.words_per_core);
  const Shape large_k = [](double w) { return tall(w, true); },
              large_m = [](double w) { return tall(w, false); };
  return {strong("square", {16384, 16384, 16384}, 1, {203, 222, 195, 107}),
          limited("square", square, words, {816, 986, 799, 424}),
          extra("square", square, words, {303, 350, 291, 151}),
          strong("largeK", {17408, 17408, 3735552}, 2048, {2636, 2278, 659, 545}),
          limited("largeK", large_k, words, {368, 541, 128, 88}),
          extra("largeK", large_k, words, {133, 152, 48, 35}),
          strong("largeM", {3735552, 17408, 17408}, 2048, {3507, 2024, 541, 410}),
          limited("largeM", large_m, words, {989, 672, 399, 194}),
          extra("largeM", large_m, words, {122, 77, 77, 29}),
          strong("flat", {131072, 131072, 512}, 1, {134, 68, 10, 7}),
          limited("flat", flat, words, {47, 101, 26, 8}),
          extra("flat", flat, words, {15, 15, 10, 3})};
}

// ---- one point
// --------------------------------------------------------------------------------------------- Words a rank
// receives, the mean over all ranks, and the grid that was taken.
struct Volume {
  double words = 0;
  double busiest = 0;
  std::string grid;
};

class Point {
 public:
  Point(const Setting& at, int ranks) : at_(at), ranks_(ranks) {
    problem_ = {.m = at.product.m, .n = at.product.n, .k = at.product.k};
    settings_.objective = plan::Objective::words;
    settings_.candidates = 1;
    memory_bytes_ = static_cast<Index>(word_bytes * at.memory_words);
  }

  // Where the limit does not bind, the planner's own answer.
  Volume cosma() const {
    const plan::Plan free = plan::plan_multiply(problem_, ranks_, settings_);
    if (free.best.memory_bytes <= memory_bytes_) return volume(free);
    plan::Settings limited = settings_;
    limited.memory_bytes = memory_bytes_;
    return volume(plan_within_memory(problem_, ranks_, limited));
  }
  double bound() const {
    return std::max(0.0, model::classical::words_lower_bound(at_.product, ranks_, at_.memory_words));
  }
  // Needs little memory: panels are as narrow as one likes.
  Volume summa() const { return volume(plan::plan_named("summa2d-c", problem_, ranks_, settings_)); }

  // As many layers as fit and move fewest words.
  Volume layers() const {
    Volume best;
    for (int c = 1; Index{c} * c * c <= ranks_; ++c) {
      const plan::Plan p = plan::plan_named("2.5d", problem_, ranks_, settings_, {.layers = c});
      const Volume v = volume(p);
      if (c == 1 || (p.best.memory_bytes <= memory_bytes_ && v.words < best.words)) best = v;
    }
    return best;
  }

  // Where the brick of the recursion does not fit, it takes steps one after the other: Table 2 of paper 000,
  // less what a rank owns.
  Volume carma() const {
    const plan::Plan p = plan::plan_named("carma", problem_, ranks_, settings_);
    if (p.best.memory_bytes <= memory_bytes_) return volume(p);
    const model::Cost steps = model::classical::recursive(at_.product, ranks_, at_.memory_words);
    const double words = steps.words - model::all_words(at_.product) / ranks_;
    return {words, words, "in steps"};
  }

 private:
  Volume volume(const plan::Plan& p) const {
    return {static_cast<double>(p.best.totals.words_total) / ranks_,
            static_cast<double>(p.best.totals.words_received), describe(p.best.schedule.grid)};
  }

  Setting at_;
  int ranks_;
  gemm::Problem problem_;
  plan::Settings settings_;
  Index memory_bytes_ = 0;
};

json volume_json(const Volume& v) {
  return {{"mean_words", v.words}, {"busiest_words", v.busiest}, {"grid", v.grid}};
}

json point_json(const Scenario& s, int ranks) {
  const Setting at = s.at(ranks);
  const Point point(at, ranks);
  return {{"ranks", ranks},
          {"m", at.product.m},
          {"n", at.product.n},
          {"k", at.product.k},
          {"memory_words", at.memory_words},
          {"bound_words", point.bound()},
          {"cosma", volume_json(point.cosma())},
          {"2d", volume_json(point.summa())},
          {"2.5d", volume_json(point.layers())},
          {"carma", volume_json(point.carma())}};
}

double mean_megabytes(const json& points, const std::function<double(const json&)>& words) {
  double sum = 0;
  for (const json& p : points) sum += words(p);
  return points.empty() ? 0 : sum / static_cast<double>(points.size()) * word_bytes / megabyte;
}

json run_scenario(const Scenario& s, const Options& o) {
  json points = json::array();
  for (const int ranks : o.ranks)
    if (ranks >= s.fewest_ranks) points.push_back(point_json(s, ranks));
  json mean = json::object();
  mean["bound"] = mean_megabytes(points, [](const json& p) { return p["bound_words"].get<double>(); });
  for (const char* name : {"cosma", "2d", "2.5d", "carma"})
    mean[name] = mean_megabytes(points, [&](const json& p) { return p[name]["mean_words"].get<double>(); });
  mean["cosma_busiest"] =
      mean_megabytes(points, [](const json& p) { return p["cosma"]["busiest_words"].get<double>(); });
  return {{"shape", s.shape},
          {"benchmark", s.benchmark},
          {"mean_megabytes", mean},
          {"paper_megabytes",
           {{"scalapack", s.paper.scalapack},
            {"ctf", s.paper.ctf},
            {"carma", s.paper.carma},
            {"cosma", s.paper.cosma}}},
          {"points", points}};
}

// ---- output
// ------------------------------------------------------------------------------------------------
constexpr const char* note =
    "MB are 10^6 bytes of 8-byte words received by a rank, the mean over all ranks, then over the numbers of "
    "ranks.\n"
    "What is comparable with Table 3: the ratios to cosma, roughly. In absolute terms only strong scaling "
    "has "
    "sizes that\n"
    "the paper prints, and its numbers of cores are known only from 128 (largeK and largeM: 2,048) to "
    "18,432. "
    "With limited\n"
    "and extra memory it prints neither sizes nor memory; here a core has the input words named above, and "
    "twice that memory.\n"
    "The paper's volumes are what a profiler saw of whole libraries: ScaLAPACK with fewer ranks than cores, "
    "CARMA on the\n"
    "power of two below P. The 2D, 2.5D and carma here are grids of the same engine in native layouts, which "
    "is "
    "kinder to them.\n";

std::string ratio(double x, double y) { return y > 0 ? fmt::format("{:.2f}", x / y) : "-"; }

void print_summary(const json& rows, const Options& o) {
  cli::Table table({"scenario", "P", "bound MB", "cosma", "2D", "2.5D", "carma", "cosma/bound",
                    "busiest/mean", "2D/cosma", "2.5D/cosma", "carma/cosma", "| paper: COSMA", "ScaLAPACK",
                    "CTF", "CARMA", "ScaLAPACK/COSMA", "CTF/COSMA", "CARMA/COSMA"});
  for (const json& r : rows) {
    const json &m = r["mean_megabytes"], &p = r["paper_megabytes"];
    const auto mb = [](const json& x) { return fmt::format("{:.1f}", x.get<double>()); };
    const auto over = [](const json& x, const json& y) { return ratio(x.get<double>(), y.get<double>()); };
    table.add({fmt::format("{}, {}", r["shape"].get<std::string>(), r["benchmark"].get<std::string>()),
               std::to_string(r["points"].size()), mb(m["bound"]), mb(m["cosma"]), mb(m["2d"]), mb(m["2.5d"]),
               mb(m["carma"]), over(m["cosma"], m["bound"]), over(m["cosma_busiest"], m["cosma"]),
               over(m["2d"], m["cosma"]), over(m["2.5d"], m["cosma"]), over(m["carma"], m["cosma"]),
               "| " + mb(p["cosma"]), mb(p["scalapack"]), mb(p["ctf"]), mb(p["carma"]),
               over(p["scalapack"], p["cosma"]), over(p["ctf"], p["cosma"]), over(p["carma"], p["cosma"])});
  }
  fmt::print("{}\n{} input words a core with limited memory, times P^(-1/3) with extra memory.\n{}",
             table.text(), o.words_per_core, note);
}

void print_points(const json& row) {
  fmt::print("\n{}, {}\n", row["shape"].get<std::string>(), row["benchmark"].get<std::string>());
  cli::Table table(
      {"P", "m x n x k", "bound", "cosma", "grid", "2D", "grid", "2.5D", "grid", "carma", "grid"});
  for (const json& p : row["points"]) {
    std::vector<std::string> cells{
        std::to_string(p["ranks"].get<int>()),
        fmt::format("{} x {} x {}", p["m"].get<Index>(), p["n"].get<Index>(), p["k"].get<Index>()),
        fmt::format("{:.0f}", p["bound_words"].get<double>())};
    for (const char* name : {"cosma", "2d", "2.5d", "carma"}) {
      cells.push_back(fmt::format("{:.0f}", p[name]["mean_words"].get<double>()));
      cells.push_back(p[name]["grid"]);
    }
    table.add(std::move(cells));
  }
  fmt::print("{}", table.text());
}

bool wanted(const Options& o, const Scenario& s) {
  return o.only.empty() || std::ranges::count(o.only, s.shape) > 0;
}

void run(const Options& o) {
  json rows = json::array();
  for (const Scenario& s : scenarios(o)) {
    if (!wanted(o, s)) continue;
    std::fprintf(stderr, "cairn bench volume: %s, %s\n", s.shape.c_str(), s.benchmark.c_str());
    rows.push_back(run_scenario(s, o));
  }
  if (o.json) return fmt::print("{}\n", json{{"scenarios", rows}, {"note", note}}.dump(1));
  print_summary(rows, o);
  if (o.points)
    for (const json& row : rows) print_points(row);
}

}  // namespace

void add_volume(CLI::App& bench) {
  auto o = std::make_shared<Options>();
  CLI::App* app = bench.add_subcommand(
      "volume", "Words per rank in the scenarios of the COSMA paper, planned, beside its Table 3");
  app->add_option("--ranks", o->ranks, "Numbers of ranks (default: 20 of them, 128 to 18432)")
      ->delimiter(',')
      ->check(cli::whole_number(1));
  cli::add_size(*app, "--words-per-core", o->words_per_core,
                "Input words a core with limited memory (default 2097152)");
  app->add_option("--only", o->only, "square, largeK, largeM, flat (default: all)")
      ->delimiter(',')
      ->check(CLI::IsMember({"square", "largeK", "largeM", "flat"}));
  app->add_flag("--points", o->points, "Print every number of ranks, too");
  app->add_flag("--json", o->json, "Print one JSON object");
  app->callback([o] { run(*o); });
}

}  // namespace cairn::bench
