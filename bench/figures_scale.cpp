// The papers' scenarios at their scale, which nothing has to run for; and how words fall as memory grows.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/size.hpp"
#include "bench/figures.hpp"

namespace cairn::bench {
namespace {

using cli::Chart;
using cli::ChartSeries;
using nlohmann::json;

Chart lines(const std::string& title, const std::string& x, const std::string& y) {
  return {.title = title, .x_label = x, .y_label = y, .log_x = true, .log_y = true};
}

void add_point(ChartSeries& s, double x, double y) {
  s.x.push_back(x);
  s.y.push_back(y);
}

constexpr std::array volume_algorithms{std::pair{"cosma", "Cairn"}, std::pair{"2d", "2D"},
                                       std::pair{"2.5d", "2.5D"}, std::pair{"carma", "CARMA"}};

Chart scenario_chart(const json& scenario) {
  Chart chart = lines(scenario["shape"].get<std::string>() + ", " + scenario["benchmark"].get<std::string>(),
                      "ranks", "words received per rank, mean");
  for (const auto& [key, name] : volume_algorithms) {
    ChartSeries s{.name = name, .y = {}};
    for (const json& p : scenario["points"])
      add_point(s, number_at(p, "/ranks"), number_at(p, fmt::format("/{}/mean_words", key)));
    chart.series.push_back(s);
  }
  ChartSeries bound{.name = "lower bound", .y = {}};
  for (const json& p : scenario["points"])
    add_point(bound, number_at(p, "/ranks"), number_at(p, "/bound_words"));
  chart.series.push_back(bound);
  return chart;
}

// The paper's volumes over COSMA's beside ours over Cairn's.
Chart ratios_chart(const json& scenarios) {
  Chart chart{.title = "Words of a 2D library over those of COSMA",
              .kind = Chart::Kind::bars,
              .x_label = "words over those of the best grid",
              .log_x = true,
              .marks = {1}};
  chart.series = {{.name = "best 2D grid, counted here", .y = {}},
                  {.name = "ScaLAPACK, in the paper", .y = {}}};
  for (const json& s : scenarios) {
    chart.categories.push_back(s["shape"].get<std::string>() + ", " + s["benchmark"].get<std::string>());
    chart.series[0].y.push_back(number_at(s, "/mean/2d/to_cosma"));
    chart.series[1].y.push_back(number_at(s, "/paper_megabytes/scalapack") /
                                number_at(s, "/paper_megabytes/cosma"));
  }
  return chart;
}

std::vector<Chart> draw_volume(Measurements& m) {
  std::vector<std::string> command{"bench", "volume", "--points"};
  if (m.quick()) command.insert(command.end(), {"--ranks", "256,577,1024,2304,4096,9216,18432"});
  const std::optional<json> all = m.run(command);
  if (!all) return {};
  std::vector<Chart> charts{ratios_chart((*all)["scenarios"])};
  for (const json& s : (*all)["scenarios"])
    if (s["benchmark"] == "strong scaling" || s["shape"] == "square") charts.push_back(scenario_chart(s));
  return charts;
}

Chart factor_chart(const json& points, const std::string& kind) {
  const bool lu = kind == "lu";
  Chart chart = lines(lu ? "LU, N = 16384" : "Cholesky, N = 16384", "ranks", "words sent per rank, mean");
  const std::vector<std::pair<std::string, std::string>> wanted{
      {"Cairn, planned", "/ours/words"},
      {"best 2D grid", "/2d/words"},
      {"2D library (printed)", "/printed/library_2d"},
      {lu ? "CANDMC (printed)" : "CAPITAL (printed)", "/printed/rival"},
      {lu ? "COnfLUX (printed)" : "COnfCHOX (printed)", "/printed/conflux"},
      {"lower bound", "/bounds/resident"}};
  for (const auto& [name, pointer] : wanted) {
    ChartSeries s{.name = name, .y = {}};
    for (const json& p : points)
      if (p["kind"] == kind && p["n"] == 16384) add_point(s, number_at(p, "/ranks"), number_at(p, pointer));
    chart.series.push_back(s);
  }
  return chart;
}

std::vector<Chart> draw_factor_volume(Measurements& m) {
  std::vector<Chart> charts;
  for (const char* kind : {"lu", "cholesky"}) {
    const std::optional<json> all = m.run(
        {"bench", "volume", "--only", kind, "--factor-ranks", m.quick() ? "4,16,64" : "4,16,64,256,1024"});
    if (all) charts.push_back(factor_chart((*all)["factors"], kind));
  }
  return charts;
}

std::vector<Chart> draw_caps(Measurements& m) {
  const json rows = m.rows({"bench", "volume", "--strassen"});
  std::vector<Chart> charts{lines("n = 94080: words", "ranks", "words sent per rank"),
                            lines("n = 94080: time by the model", "ranks", "seconds")};
  const std::array wanted{std::pair{"caps", "CAPS"}, std::pair{"2d", "2D"}, std::pair{"2.5d", "2.5D"},
                          std::pair{"2d-strassen", "2D-Strassen"}, std::pair{"strassen-2d", "Strassen-2D"}};
  for (std::size_t i = 0; i < charts.size(); ++i)
    for (const auto& [key, name] : wanted) {
      ChartSeries s{.name = name, .y = {}};
      for (const json& r : rows)
        add_point(s, number_at(r, "/ranks"),
                  number_at(r, fmt::format("/{}/{}", key, i == 0 ? "words" : "seconds")));
      charts[i].series.push_back(s);
    }
  return charts;
}

std::vector<Chart> draw_memory(Measurements& m) {
  const json rows = m.rows({"bench", "memory", "--ranks", m.quick() ? "8" : "8,16", "--shapes",
                            m.quick() ? "1024x1024x1024,256x256x16384" : "2048x2048x2048,512x512x32768",
                            "--steps", m.quick() ? "6" : "8"});
  std::vector<Chart> charts;
  std::string of;
  for (const json& r : rows) {
    const std::string title = fmt::format("{} x {} x {} on {} ranks", r["m"].get<Index>(),
                                          r["n"].get<Index>(), r["k"].get<Index>(), r["ranks"].get<int>());
    if (title != of) {
      of = title;
      charts.push_back({.title = title,
                        .x_label = "most a rank may hold, MB",
                        .y_label = "words, busiest rank",
                        .log_y = true});
      charts.back().series = {{.name = "Cairn, moved", .y = {}},
                              {.name = "best 2D grid that fits", .y = {}},
                              {.name = "lower bound", .y = {}}};
    }
    const double megabytes = 1e-6 * number_at(r, "/memory_limit");
    add_point(charts.back().series[0], megabytes, number_at(r, "/words"));
    add_point(charts.back().series[1], megabytes, number_at(r, "/words_2d"));
    add_point(charts.back().series[2], megabytes, number_at(r, "/bound"));
  }
  return charts;
}

std::vector<Chart> draw_sparse_winners(Measurements& m) {
  std::vector<Chart> charts;
  for (const char* ranks : {"16", "36"}) {
    if (m.quick() && std::string_view(ranks) != "16") continue;
    const json rows =
        m.rows({"bench", "spgemm", "--figure", "--ranks", ranks, "-n", m.quick() ? "8192" : "65536"});
    Chart chart = lines(fmt::format("Algorithms of the paper on {} ranks", ranks), "entries per row (d)",
                        "entries received per rank and row");
    for (const json& r : rows)
      for (const auto& [name, value] : r["entries"].items()) {
        auto at = std::ranges::find(chart.series, name, &ChartSeries::name);
        if (at == chart.series.end()) {
          chart.series.push_back({.name = name, .y = {}});
          at = chart.series.end() - 1;
        }
        add_point(*at, number_at(r, "/d"), value.get<double>());
      }
    charts.push_back(chart);
  }
  return charts;
}

std::vector<Chart> draw_relabel(Measurements& m) {
  const json rows = m.rows({"bench", "relabel", "--ranks", m.quick() ? "16,64,256" : "16,64,256,1024,2048"});
  Chart chart =
      lines("From ScaLAPACK's layout to bricks: 4096 x 4096 x 256", "ranks", "words that move, all ranks");
  for (const auto& [name, pointer] :
       {std::pair{"ranks as given", "/words_as_given"}, std::pair{"ranks chosen", "/words_relabelled"}}) {
    ChartSeries s{.name = name, .y = {}};
    for (const json& r : rows) add_point(s, number_at(r, "/ranks"), number_at(r, pointer));
    chart.series.push_back(s);
  }
  return {chart};
}

}  // namespace

std::vector<Figure> scale_figures() {
  return {
      {"volume", "The COSMA paper's scenarios, to 18,432 ranks",
       "Words per rank on the same engine for every algorithm, counted on its schedule: square and tall "
       "matrices, the same "
       "problem on more ranks (strong scaling), and with memory for little more than the matrices, or for "
       "more.",
       "The paper measured whole libraries with a profiler, and prints sizes only for strong scaling; its "
       "numbers of cores "
       "are known as a range. The 2D grids here are the best ones, which is kinder than a library with one "
       "layout.",
       draw_volume},
      {"factor-volume", "The COnfLUX paper's scenario",
       "Words per rank of LU and Cholesky as Cairn plans them, beside the models that the paper prints.",
       "Models of others' codes are their leading terms; ours is counted where there are few enough steps.",
       draw_factor_volume},
      {"caps", "The CAPS paper's scenario",
       "Words and modelled time of Strassen-like and classical schedules for n = 94,080 on 49 to 7,203 nodes "
       "of 8 GB.",
       "Times are the model's for a machine of 2011; the paper's rivals were codes with grids of their own.",
       draw_caps},
      {"memory", "Words against memory",
       "The less a rank may hold, the more words must move. Memory was watched in the run: pools and the "
       "operating "
       "system's figure stay below the limit, or `cairn bench memory` says so.",
       "The bound holds for bricks with sides of any length; near the least memory no schedule can be close "
       "to it.",
       draw_memory},
      {"sparse-winners", "Which sparse algorithm moves least",
       "Entries that each algorithm of the paper receives, counted in runs on random matrices: the lowest "
       "line changes "
       "with the entries per row.",
       "The algorithms that ask only for the rows they need are not in the paper and not here; `cairn "
       "spgemm` has them.",
       draw_sparse_winners},
      {"relabel", "Words saved by choosing which rank takes which brick",
       "Bringing block-cyclic matrices to bricks: words that move with ranks in the order given, and with "
       "each brick on "
       "the rank that has most of it.",
       "The planner weighs such a move against multiplying the matrices where they are.", draw_relabel},
  };
}

}  // namespace cairn::bench
