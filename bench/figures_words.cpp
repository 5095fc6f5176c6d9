// Words over the lower bound on 2 to 64 ranks: planned, which is what is moved, beside peers counted on the wire.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numeric>

#include "base/size.hpp"
#include "bench/figures.hpp"
#include "bench/spgemm_peers.hpp"

namespace cairn::bench {
namespace {

using cli::Chart;
using cli::ChartSeries;
using nlohmann::json;
using Words = std::vector<std::string>;

std::vector<int> from_to(int first, int last) {
  std::vector<int> all(static_cast<std::size_t>(last - first + 1));
  std::iota(all.begin(), all.end(), first);
  return all;
}

// Where a plan takes long.
std::vector<int> some_ranks(bool quick) {
  return quick ? std::vector<int>{2,  3,  4,  5,  6,  7,  8,  9,  11, 12, 13, 16,
                                  17, 20, 24, 25, 29, 32, 36, 41, 48, 49, 56, 64}
               : from_to(2, 64);
}

Words plan_of(Words operation, int ranks, const Words& more = {}) {
  Words all{"plan"};
  all.insert(all.end(), operation.begin(), operation.end());
  all.insert(all.end(), {"--ranks", std::to_string(ranks), "--machine", "built-in"});
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

// One plan for each number of ranks.
ChartSeries curve(Measurements& m, const std::string& name, const std::vector<int>& ranks,
                  const std::function<Words(int)>& command, const std::string& pointer) {
  ChartSeries s{.name = name, .y = {}};
  for (const int p : ranks) {
    const std::optional<json> plan = m.run(command(p), 120);
    s.x.push_back(p);
    s.y.push_back(plan ? number_at(*plan, pointer) : NAN);
  }
  return s;
}

Chart over_bound(const std::string& title, const char* what = "words over the lower bound") {
  return {.title = title, .x_label = "ranks", .y_label = what, .log_x = true, .log_y = true, .marks = {1}};
}

std::vector<Chart> draw_products(Measurements& m) {
  const std::vector<int> ranks = from_to(2, 64);
  const Words cube{"multiply", "-N", "2048", "--objective", "words"};
  const auto planned = [&](int p) { return plan_of(cube, p); };
  const auto grid = [](int p) { return plan_of({"multiply", "-N", "2048", "--algorithm", "cosma"}, p); };
  const auto named = [&](const char* name, const char* algorithm) {
    return curve(m, name, ranks, planned, fmt::format("/algorithms/{}/max_to_bound", algorithm));
  };
  Chart first = over_bound("2048 x 2048 x 2048, busiest rank");
  first.series = {curve(m, "Cairn: grid or tree", ranks, planned, "/words/max_to_bound"),
                  curve(m, "best grid", ranks, grid, "/words/max_to_bound"), named("SUMMA", "summa2d-c"),
                  named("2.5D", "2.5d"), named("CARMA", "carma")};
  Chart second = over_bound("Other shapes (m x n x k), busiest rank");
  for (const auto& [m_size, n_size, k_size] : {std::array{"512", "512", "65536"},
                                               {"65536", "512", "512"},
                                               {"8192", "8192", "256"},
                                               {"3000", "2000", "1000"}})
    second.series.push_back(curve(
        m, fmt::format("{} x {} x {}", m_size, n_size, k_size), ranks,
        [&](int p) {
          return plan_of({"multiply", "-m", m_size, "-n", n_size, "-k", k_size, "--objective", "words"}, p);
        },
        "/words/max_to_bound"));
  return {first, second};
}

// Peers over the bound that the plan on as many ranks names.
void add_wire(Chart& chart, const json& rows, const std::string& pointer, const std::string& name,
              const std::function<std::optional<json>(int)>& plan) {
  ChartSeries s{.name = name, .y = {}, .dots = true};
  for (const json& row : rows) {
    const std::optional<json> planned = plan(row["ranks"].get<int>());
    if (!planned) continue;
    s.x.push_back(row["ranks"].get<int>());
    s.y.push_back(number_at(row, pointer) / number_at(*planned, "/words/bound"));
  }
  chart.series.push_back(s);
}

std::string near_square(int ranks) {
  int rows = 1;
  for (int d = 1; d * d <= ranks; ++d)
    if (ranks % d == 0) rows = d;
  return fmt::format("block-cyclic {}x{} mb=64 nb=64", rows, ranks / rows);
}

std::vector<Chart> draw_block_cyclic(Measurements& m) {
  const auto command = [](int p) {
    const std::string layout = near_square(p);
    return plan_of({"multiply", "-N", "1024", "--objective", "words", "--layout-a", layout, "--layout-b",
                    layout, "--layout-c", layout},
                   p);
  };
  Chart chart = over_bound("1024 x 1024 x 1024 in ScaLAPACK's layout, mean of the ranks");
  chart.series = {curve(m, "Cairn", some_ranks(m.quick()), command, "/words/mean_to_bound")};
  const json rows = m.rows({"bench", "pdgemm", "--words", "--seconds", "0", "--objective", "words",
                            "--machine", "built-in", "--shapes", "1024x1024x1024", "--grids", "near-square",
                            "--ranks", m.quick() ? "2,4,8,16" : "2,3,4,6,7,8,9,12,16"});
  add_wire(chart, rows, "/words/mean", "Cairn, on the wire", [&](int p) { return m.run(command(p)); });
  add_wire(chart, rows, "/pdgemm_words/mean", "pdgemm, on the wire",
           [&](int p) { return m.run(command(p)); });
  return {chart};
}

std::vector<Chart> draw_fast(Measurements& m) {
  const auto command = [](const char* steps) {
    return [steps](int p) {
      return plan_of({"multiply", "-N", "3584", "--objective", "words", "--fast", steps}, p);
    };
  };
  Chart chart = over_bound("3584 x 3584 x 3584, busiest rank", "words over the classical lower bound");
  const std::vector<int> sevens{7, 14, 21, 28, 35, 42, 49, 56, 63};
  chart.series = {curve(m, "bricks", from_to(7, 64), command("off"), "/words/max"),
                  curve(m, "one Strassen step", sevens, command("B"), "/words/max"),
                  curve(m, "two steps", {49, 50, 56, 60, 63}, command("BB"), "/words/max")};
  // The bound of a fast schedule is another one: all are compared with that of the classical product.
  for (std::size_t i = 0; i < chart.series.size(); ++i)
    for (std::size_t j = 0; j < chart.series[i].x.size(); ++j) {
      const int p = static_cast<int>(chart.series[i].x[j]);
      const std::optional<json> plain = m.run(command("off")(p), 120),
                                mine = m.run(command(i == 0   ? "off"
                                                     : i == 1 ? "B"
                                                              : "BB")(p),
                                             120);
      chart.series[i].y[j] =
          plain && mine ? number_at(*mine, "/words/counted/max") / number_at(*plain, "/words/bound") : NAN;
    }
  return {chart};
}

std::vector<Chart> draw_factor(Measurements& m, const std::string& kind, const std::string& peer) {
  const auto command = [&](int p, const char* algorithm) {
    return plan_of({kind, "-N", "2048", "--objective", "words", "--algorithm", algorithm}, p);
  };
  const std::vector<int> ranks = some_ranks(m.quick());
  const auto planned = [&](int p) { return command(p, "auto"); };
  Chart chart = over_bound("N = 2048, words received per rank");
  chart.series = {
      curve(m, "Cairn, mean", ranks, planned, "/words/mean_to_bound"),
      curve(m, "Cairn, busiest", ranks, planned, "/words/max_to_bound"),
      curve(
          m, "best 2D grid, mean", ranks, [&](int p) { return command(p, "2d"); }, "/words/mean_to_bound")};
  const json rows =
      m.rows({"bench", "factor", "--words", "--seconds", "0", "--objective", "words", "--machine", "built-in",
              "-N", "2048", "--only", kind, "--tasks", "factor", "--blocks", m.quick() ? "64" : "32,64,128",
              "--ranks", m.quick() ? "4,8" : "2,4,6,8,9,12,16"});
  add_wire(chart, rows, "/words/mean", "Cairn, counted in a run", [&](int p) { return m.run(planned(p)); });
  add_wire(chart, rows, "/peer_words/mean", peer + ", on the wire", [&](int p) { return m.run(planned(p)); });
  return {chart};
}

std::vector<Chart> draw_symmetric(Measurements& m) {
  Chart chart = over_bound("n = k = 2048, busiest rank");
  for (const char* name : {"syrk", "symm", "trmm"})
    chart.series.push_back(curve(
        m, name, some_ranks(m.quick()),
        [&](int p) {
          return plan_of({name, "-n", "2048", "-k", "2048", "--objective", "words"}, p);
        },
        "/words/max_to_bound"));
  return {chart};
}

std::vector<Chart> draw_sparse(Measurements& m) {
  const Index n = m.quick() ? 16384 : 65536;
  const std::vector<int> ranks =
      m.quick() ? std::vector<int>{2, 4, 7, 9, 13, 16, 25, 36, 49, 64} : some_ranks(true);
  const auto command = [&](int d) {
    return [d, n](int p) { return plan_of({"spgemm", "--gen", fmt::format("er n={} d={}", n, d)}, p); };
  };
  Chart bytes{.title = "Random matrices, 8 entries per row",
              .x_label = "ranks",
              .y_label = "bytes received per rank and row of A",
              .log_x = true,
              .log_y = true};
  Chart bound =
      over_bound("Random matrices, entries received over the bound", "entries over the lower bound");
  for (const int d : {2, 8, 32})
    bound.series.push_back(
        curve(m, fmt::format("{} entries per row", d), ranks, command(d), "/words/mean_to_bound"));
  ChartSeries ours = curve(m, "Cairn, expected", ranks, command(8), "/bytes/counted/mean");
  for (double& y : ours.y) y /= static_cast<double>(n);
  bytes.series = {ours,
                  {.name = "PETSc", .y = {}, .dots = true},
                  {.name = "CombBLAS 2D", .y = {}, .dots = true},
                  {.name = "CombBLAS 3D", .y = {}, .dots = true}};
  for (const SpgemmPeer& peer : spgemm_peers) {
    if (peer.d != 8) continue;
    const std::array values{peer.petsc, peer.combblas_2d, peer.combblas_3d};
    for (std::size_t i = 0; i < values.size(); ++i) {
      bytes.series[i + 1].x.push_back(peer.ranks);
      bytes.series[i + 1].y.push_back(values[i]);
    }
  }
  ChartSeries run{.name = "Cairn, counted in a run", .y = {}, .dots = true};
  for (const json& row : m.rows({"bench", "spgemm", "--no-times", "--within", "1", "--degrees", "8", "-n",
                                 std::to_string(n), "--ranks", m.quick() ? "4,9" : "4,9,16"})) {
    if (row.value("case", "") != "er d=8") continue;
    run.x.push_back(row["ranks"].get<int>());
    run.y.push_back(row["bytes"].get<double>() / static_cast<double>(n));
  }
  bytes.series.push_back(run);
  return {bytes, bound};
}

}  // namespace

std::vector<Figure> words_figures() {
  return {
      {"products", "Words of dense products",
       "How many times the least possible the busiest rank receives or sends, when Cairn plans for the "
       "fewest words. "
       "1 (dashed) cannot be beaten by any classical algorithm. A grid is at its best where the number of "
       "ranks has "
       "good factors; a tree keeps every rank at work on the others, 7, 11 and 13 for example. The named "
       "algorithms are "
       "Cairn's own schedules of them.",
       "Anything about time: words are all that is counted here. The plans are those for matrices that "
       "nobody has placed "
       "yet, and for as much memory as they want. Where a plan leaves ranks idle the others own a little "
       "more than the bound "
       "assumes, and the busiest can be slightly below 1.",
       draw_products},
      {"block-cyclic", "Words of products in ScaLAPACK's layout",
       "Matrices that start and end block-cyclic in blocks of 64 on the squarest process grid, as `pdgemm` "
       "takes them. "
       "Lines are planned; dots were received in a run, counted on the wire by `tools/wirecount`, setup "
       "taken off.",
       "The bound is that of matrices which lie evenly, wherever that is best: it does not ask for this "
       "layout, so 1 "
       "need not be within reach. ScaLAPACK might do better in other blocks.",
       draw_block_cyclic},
      {"fast", "Words of Strassen-like products",
       "What steps of Strassen's kind between ranks move, against the least that any classical algorithm can "
       "(dashed). In "
       "the limit of many ranks they move fewer words than that; on up to 64 ranks their constants are "
       "larger than what "
       "they save, and what one gains is operations.",
       "Whether they are faster: the times below and the CAPS scenario tell. Rounding errors are larger, "
       "though bounded; "
       "Cairn takes such steps only when asked.",
       draw_fast},
      {"lu", "Words of LU with pivoting",
       "Mean and busiest rank as planned, beside the best grid without layers and what `pdgetrf` receives on "
       "the wire.",
       "The bound is for a matrix that may start anywhere; pivot rows are known only in the run, so the plan "
       "is an "
       "expectation.",
       [](Measurements& m) { return draw_factor(m, "lu", "pdgetrf"); }},
      {"cholesky", "Words of Cholesky",
       "Mean and busiest rank as planned, beside the best grid without layers and what `pdpotrf` receives on "
       "the wire.",
       "The bound counts the leading term of the multiplications; small ranks' panels cost more than it "
       "knows of.",
       [](Measurements& m) { return draw_factor(m, "cholesky", "pdpotrf"); }},
      {"symmetric", "Words of symmetric and triangular products",
       "Rank-k update (syrk), symmetric times general (symm), triangular times general (trmm), each against "
       "its own "
       "bound.",
       "Peers were not counted.", draw_symmetric},
      {"sparse", "Bytes and entries of sparse products",
       "C = A A of random matrices. The plan picks among eleven algorithms after sampling the matrices. The "
       "peers' bytes "
       "were measured once, elsewhere, on 65,536 rows (PETSc 3.18, CombBLAS 2).",
       "The bound has constant 1 and is proved for large random matrices: a ratio below 1 can happen where a "
       "plan uses "
       "that few rows are needed. Other matrices have other winners.",
       draw_sparse},
  };
}

}  // namespace cairn::bench
