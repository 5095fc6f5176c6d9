// Times beside peers, interleaved in one run: bars of how many times faster Cairn is.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>

#include "base/size.hpp"
#include "bench/figures.hpp"

namespace cairn::bench {
namespace {

using cli::Chart;
using cli::ChartSeries;
using nlohmann::json;

Chart times_faster(const std::string& title, const std::string& peer) {
  return {.title = title,
          .kind = Chart::Kind::bars,
          .x_label = "time of " + peer + " over Cairn's: above 1 Cairn is faster",
          .marks = {1}};
}

Chart in_seconds(const std::string& title) {
  return {.title = title,
          .kind = Chart::Kind::bars,
          .x_label = "seconds, median of the slowest rank",
          .log_x = true};
}

std::string shape_text(const json& r) {
  return fmt::format("{} x {} x {}", r["m"].get<Index>(), r["n"].get<Index>(), r["k"].get<Index>());
}

std::string on_ranks(const json& r) { return fmt::format(", {} ranks", r["ranks"].get<int>()); }

// One category a row and one series a pointer.
void add_rows(Chart& chart, const json& rows, const std::function<std::string(const json&)>& category,
              const std::vector<std::pair<std::string, std::string>>& series) {
  for (const auto& [name, pointer] : series) chart.series.push_back({.name = name, .y = {}});
  for (const json& row : rows) {
    chart.categories.push_back(category(row));
    for (std::size_t i = 0; i < series.size(); ++i)
      chart.series[i].y.push_back(number_at(row, series[i].second));
  }
}

std::vector<Chart> time_products(Measurements& m) {
  const json native =
      m.rows({"bench", "multiply", "--ranks", "2,4", "--shapes",
              m.quick() ? "1536x1536x1536,256x256x32768" : "4096x4096x4096,512x512x65536,300x300x300",
              "--seconds", m.quick() ? "3" : "20"});
  Chart seconds = in_seconds("Products in Cairn's own layouts");
  const auto category = [](const json& r) { return shape_text(r) + on_ranks(r); };
  add_rows(seconds, native, category,
           {{"Cairn", "/seconds"},
            {"pdgemm, best grid", "/peer_seconds"},
            {"local BLAS alone", "/local_seconds"}});
  Chart faster = times_faster("Products beside pdgemm", "pdgemm");
  const json placed =
      m.rows({"bench", "pdgemm", "--ranks", m.quick() ? "4" : "2,4,8", "--grids", "near-square", "--shapes",
              m.quick() ? "1536x1536x1536,256x256x32768" : "2048x2048x2048,512x512x32768", "--seconds",
              m.quick() ? "3" : "20"});
  add_rows(faster, native, [&](const json& r) { return category(r) + ", own layouts"; },
           {{"", "/times_faster"}});
  for (const json& r : placed) {
    faster.categories.push_back(category(r) + ", block-cyclic");
    faster.series.front().y.push_back(number_at(r, "/times_faster"));
  }
  return {seconds, faster};
}

std::vector<Chart> time_factor(Measurements& m) {
  Chart chart = times_faster("LU, Cholesky and solves beside ScaLAPACK", "ScaLAPACK");
  const json rows =
      m.rows({"bench", "factor", "--ranks", m.quick() ? "2,4" : "2,4,8", "-N", m.quick() ? "1536" : "4096",
              "--blocks", m.quick() ? "64" : "64,128", "--right-sides", m.quick() ? "1" : "1,256", "--tasks",
              "factor,solve", "--seconds", m.quick() ? "3" : "20"},
             2400);
  add_rows(chart, rows,
           [](const json& r) {
             const Index columns = r["right_sides"].get<Index>();
             return fmt::format("{}, N = {}{}{}", r["peer"].get<std::string>(), r["n"].get<Index>(),
                                columns > 1 ? fmt::format(", {} right sides", columns) : "", on_ranks(r));
           },
           {{"", "/times_faster"}});
  return {chart};
}

std::vector<Chart> time_sparse(Measurements& m) {
  Chart chart = times_faster("Sparse products beside PETSc", "PETSc");
  const json rows = m.rows({"bench", "spgemm", "--no-bytes", "--ranks", m.quick() ? "4" : "2,4", "--rounds",
                            m.quick() ? "3" : "7"});
  add_rows(chart, rows, [](const json& r) { return r["case"].get<std::string>() + on_ranks(r); },
           {{"planned in the call", "/ratio"}, {"planned before", "/ratio_planned_before"}});
  Chart local = times_faster("Sparse products on one rank beside GraphBLAS", "GraphBLAS");
  std::vector<std::string> command{"bench", "spgemm-local", "--rounds", m.quick() ? "3" : "5"};
  if (m.quick())
    command.insert(command.end(), {"--matrix", "er n=65536 d=8,stencil5 nx=256,rmat scale=13 d=8"});
  add_rows(local, m.rows(command), [](const json& r) { return r["matrix"].get<std::string>(); },
           {{"rows sorted", "/ratio_sorted"}, {"rows unsorted", "/ratio"}});
  return {chart, local};
}

std::vector<Chart> time_fast(Measurements& m) {
  Chart local{.title = "Fast products on one core beside the BLAS",
              .kind = Chart::Kind::bars,
              .x_label = "time of the BLAS over that of the fast product",
              .marks = {1}};
  add_rows(
      local,
      m.rows({"bench", "fast-local", "--shapes",
              m.quick() ? "1024x1024x1024,2048x2048x2048" : "1024x1024x1024,2048x2048x2048,4096x4096x4096",
              "--seconds", m.quick() ? "2" : "10"}),
      [](const json& r) { return shape_text(r) + fmt::format(", {} levels", r["levels"].get<int>()); },
      {{"measured", "/speed_up"}, {"model", "/model"}});
  Chart ranks{.title = "One Strassen step between ranks beside bricks",
              .kind = Chart::Kind::bars,
              .x_label = "time of the best bricks over that of the fast schedule",
              .marks = {1}};
  add_rows(
      ranks,
      m.rows({"bench", "fast", "--ranks", "7", "--shapes", m.quick() ? "1792x1792x1792" : "3584x3584x3584",
              "--orders", "B", "--seconds", m.quick() ? "4" : "30"}),
      [](const json& r) { return shape_text(r) + on_ranks(r); }, {{"", "/fast/0/times_faster"}});
  return {local, ranks};
}

// Geometric mean over the sizes and numbers of ranks, by operation.
void add_collectives(Chart& chart, const json& rows) {
  std::map<std::string, std::pair<double, int>> logs;
  for (const json& r : rows) {
    auto& [sum, count] = logs[r["operation"]];
    sum -= std::log(number_at(r, "/time_ratio"));
    ++count;
  }
  chart.series.push_back({.name = "", .y = {}});
  for (const auto& [name, mean] : logs) {
    chart.categories.push_back(name);
    chart.series.front().y.push_back(std::exp(mean.first / mean.second));
  }
}

std::vector<Chart> draw_moving(Measurements& m) {
  Chart collectives = times_faster("Collectives of 1 MiB and more beside the MPI library", "the MPI library");
  add_collectives(collectives, m.rows({"bench", "collectives", "--ranks", m.quick() ? "2,4" : "2,3,4,7,8",
                                       "--bytes", m.quick() ? "1048576" : "1048576,4194304", "--launches",
                                       m.quick() ? "1" : "3", "--seconds", m.quick() ? "0.2" : "0.4"}));
  Chart layouts = times_faster("Changing layouts beside ScaLAPACK", "ScaLAPACK");
  add_rows(layouts,
           m.rows({"bench", "redistribute", "--ranks", m.quick() ? "4" : "2,4,8", "--size",
                   m.quick() ? "2048" : "8192", "--seconds", m.quick() ? "2" : "12"}),
           [](const json& r) {
             return fmt::format("{} ({}), n = {}{}", r["operation"].get<std::string>(),
                                r["peer"].get<std::string>(), r["n"].get<Index>(), on_ranks(r));
           },
           {{"", "/speedup"}});
  return {collectives, layouts};
}

}  // namespace

std::vector<Figure> times_figures() {
  return {
      {"times-products", "Time of dense products",
       "One BLAS thread per rank for all. The local BLAS alone is each rank's share of the work on all ranks "
       "at once "
       "without any words: nothing can be faster than that in classical arithmetic.",
       "Ranks share the cores and the memory of one machine, so words are cheap here; on a network they cost "
       "more, and "
       "fewer of them gain more.",
       time_products},
      {"times-factor", "Time of LU, Cholesky and solves",
       "ScaLAPACK at its best of the block sizes tried. getrf and potrf factor, getrs and potrs solve with "
       "the factors.",
       "A factorization of Cairn starts where its plan wants the matrix; bringing it there is not in the "
       "time.",
       time_factor},
      {"times-sparse", "Time of sparse products",
       "Squares of random, mesh and skewed matrices from row blocks, as PETSc has them. GraphBLAS runs on "
       "one process.",
       "C stays where each library leaves it. Skewed matrices gain most because one rank of PETSc has most "
       "of the work.",
       time_sparse},
      {"times-fast", "Time of Strassen-like products",
       "What one core gains by levels of Winograd's form of Strassen's algorithm, measured and as the model "
       "says; and one "
       "step between seven ranks.",
       "Seven ranks on fewer cores share them: the words a step saves are nearly free here.", time_fast},
      {"times-moving", "Time of moving data",
       "Each collective beside the MPI library's own, geometric mean over the sizes; one block-cyclic layout "
       "into "
       "another and transposed, beside `pdgemr2d` and `pdtran`.",
       "Short messages are left out.", draw_moving},
  };
}

}  // namespace cairn::bench
