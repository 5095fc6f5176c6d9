#include "bench/volume_factor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bounds/bounds.hpp"
#include "bounds/conflux.hpp"
#include "cli/table.hpp"
#include "factor/plan.hpp"

namespace cairn::bench {
namespace {

using factor::FactorPlan;
using factor::FactorProblem;
using factor::FactorSettings;
using factor::Kind;
using nlohmann::json;

struct FactorPoint {
  const char* scenario;
  Index n;
  int ranks;
};

// As the paper's: N = 16,384; N = 3200 P^(1/3); N from 2,048 to 524,288, where a rank has 1,000 elements or more.
std::vector<FactorPoint> points_of(const std::vector<int>& ranks) {
  std::vector<FactorPoint> points;
  for (const int p : ranks) points.push_back({"7a, N = 16384", 16384, p});
  for (const int p : ranks)
    points.push_back({"7b, N = 3200 P^(1/3)", std::llround(3200 * std::cbrt(static_cast<double>(p))), p});
  for (Index n = 2048; n <= 524288; n *= 4)
    for (const int p : ranks)
      if (n != 16384 && n * n / p >= 1000) points.push_back({"7c, sizes and ranks", n, p});
  return points;
}

json planned(const FactorProblem& problem, int ranks, const char* algorithm) {
  FactorSettings settings{.goal = factor::Goal::words, .algorithm = algorithm};
  settings.most_candidates = 1;
  if (problem.rows > 32768) settings.step = 256;  // N v words are little there, and steps are many to count
  const FactorPlan plan = factor::plan_factor(problem, ranks, settings);
  return {
      {"words", plan.best.mean_words},
      {"busiest", plan.best.busiest_words},
      {"how", fmt::format("{} x{} v={}", plan.best.pattern, plan.best.layers, plan.best.step)},
      {"counted", plan.best.counted},
      {"memory_over_share", static_cast<double>(plan.best.memory_bytes) * ranks /
                                (8 * static_cast<double>(problem.rows) * static_cast<double>(problem.rows))}};
}

// Lemma 8 with the paper's memory, N^2 / P^(2/3), and v = 4 c: all terms, not only the leading one.
double printed_words(Kind kind, Index n, int ranks) {
  const double p = ranks, memory = static_cast<double>(n) * static_cast<double>(n) / std::pow(p, 2.0 / 3);
  const Index v = std::clamp<Index>(std::llround(4 * std::cbrt(p)), 1, n);
  const bounds::factor::Blocked x{n, ranks, memory, v};
  return (kind == Kind::lu ? bounds::factor::conflux(x) : bounds::factor::confchox(x)).words;
}

json point_of(Kind kind, const FactorPoint& at) {
  const FactorProblem problem{kind, at.n, at.n, ScalarType::f64};
  const double p = at.ranks,
               memory = static_cast<double>(at.n) * static_cast<double>(at.n) / std::pow(p, 2.0 / 3);
  const factor::FactorBounds least = factor::factor_bounds(problem, at.ranks);
  return {{"kind", kind == Kind::lu ? "lu" : "cholesky"},
          {"scenario", at.scenario},
          {"n", at.n},
          {"ranks", at.ranks},
          {"printed",
           {{"library_2d", bounds::factor::words_2d_library(at.n, at.ranks)},
            {"rival", kind == Kind::lu ? bounds::factor::words_candmc(at.n, at.ranks, memory)
                                       : bounds::factor::words_capital(at.n, at.ranks, memory)},
            {"conflux", printed_words(kind, at.n, at.ranks)}}},
          {"2d", planned(problem, at.ranks, "2d")},
          {"paper_grid", planned(problem, at.ranks, kind == Kind::lu ? "conflux" : "confchox")},
          {"ours", planned(problem, at.ranks, "auto")},
          {"bounds", {{"resident", least.resident}, {"cyclic", least.cyclic}}}};
}

constexpr const char* factor_note =
    "Words are elements of 8 bytes sent per rank, mean. As printed in the paper, with M = N^2 / P^(2/3): 2D "
    "libraries "
    "N^2 / sqrt(P),\n"
    "the rivals CANDMC (LU) and CAPITAL (Cholesky) by their authors' models, COnfLUX and COnfCHOX by Lemma 8 "
    "with v = 4 "
    "c. Counted\n"
    "on Cairn's schedules: the best 2D grid, the paper's square grid with layers (each layer applies whole "
    "steps, where "
    "the paper\n"
    "cuts every step into slices of v / c), and what Cairn plans. ~: by leading terms, where there are too "
    "many ranks or "
    "steps to count.\n";

std::string words_text(const json& x) {
  return fmt::format("{}{:.4g}", x["counted"].get<bool>() ? "" : "~", x["words"].get<double>());
}

}  // namespace

json factor_volumes(const std::vector<std::string>& kinds, const std::vector<int>& ranks) {
  json rows = json::array();
  for (const Kind kind : {Kind::lu, Kind::cholesky}) {
    if (std::ranges::find(kinds, kind == Kind::lu ? "lu" : "cholesky") == kinds.end()) continue;
    for (const FactorPoint& at : points_of(ranks)) rows.push_back(point_of(kind, at));
  }
  return rows;
}

void print_factor_volumes(const json& rows) {
  cli::Table table({"", "figure", "N", "P", "2D printed", "CANDMC/CAPITAL", "COnfLUX/CHOX", "| 2D",
                    "paper's grid", "ours", "how", "busiest/mean", "2D/ours", "printed/ours", "bound",
                    "cyclic", "ours/cyclic"});
  for (const json& r : rows) {
    const double ours = r["ours"]["words"].get<double>(), cyclic = r["bounds"]["cyclic"].get<double>();
    const auto over = [](double a, double b) {
      return b > 0 ? fmt::format("{:.2f}", a / b) : std::string("-");
    };
    table.add({r["kind"], r["scenario"], std::to_string(r["n"].get<Index>()),
               std::to_string(r["ranks"].get<int>()),
               fmt::format("{:.4g}", r["printed"]["library_2d"].get<double>()),
               fmt::format("{:.4g}", r["printed"]["rival"].get<double>()),
               fmt::format("{:.4g}", r["printed"]["conflux"].get<double>()), "| " + words_text(r["2d"]),
               words_text(r["paper_grid"]), words_text(r["ours"]), r["ours"]["how"],
               over(r["ours"]["busiest"].get<double>(), ours), over(r["2d"]["words"].get<double>(), ours),
               over(r["printed"]["conflux"].get<double>(), ours),
               fmt::format("{:.4g}", r["bounds"]["resident"].get<double>()), fmt::format("{:.4g}", cyclic),
               over(ours, cyclic)});
  }
  fmt::print("{}{}", table.text(), factor_note);
}

}  // namespace cairn::bench
