#include "bounds/bounds.hpp"

#include <algorithm>
#include <cmath>

#include "bounds/classical.hpp"
#include "bounds/factor.hpp"
#include "bounds/phases.hpp"
#include "bounds/strassen.hpp"
#include "bounds/tables_detail.hpp"

namespace cairn::bounds {
namespace {

using detail::cell;

void add_part(BoundReport& report, std::string name, std::string_view formula) {
  report.parts.push_back({std::move(name), cell(formula, report.symbols)});
}

Symbols product_symbols(const Product& p, Index ranks) {
  return {{"m", as_real(p.m)}, {"n", as_real(p.n)}, {"k", as_real(p.k)}, {"P", as_real(ranks)}};
}

// What a cut in one or two dimensions touches depends on which size is the largest.
void add_sorted_sizes(BoundReport& report, const Product& p) {
  std::vector<double> d{as_real(p.m), as_real(p.n), as_real(p.k)};
  std::sort(d.rbegin(), d.rend());
  report.symbols.insert({{"x", d[0]}, {"y", d[1]}, {"z", d[2]}});
  report.notes.push_back("x >= y >= z: the sizes m, n, k in order");
}

void note_if_it_does_not_fit(BoundReport& report, double words, Index ranks, double memory) {
  if (words > as_real(ranks) * memory)
    report.notes.push_back(fmt::format("does not fit: {:.6g} words per rank, and the memory has {:.6g}",
                                       words / as_real(ranks), memory));
}

constexpr std::string_view owned = "(m*k + k*n + m*n)/P";

std::string_view touched(classical::Cut cut) {
  if (cut == classical::Cut::one) return "(x*y + x*z)/P + y*z";
  if (cut == classical::Cut::two) return "x*y/P + 2*sqrt(x*y*z^2/P)";
  return "3*(m*n*k/P)^(2/3)";
}

std::string_view name(classical::Cut cut) {
  if (cut == classical::Cut::one) return "touched for any memory, cut in one dimension";
  if (cut == classical::Cut::two) return "touched for any memory, cut in two dimensions";
  return "touched for any memory, cut in three dimensions";
}

// least_events_smooth as text.
std::string_view by_phases(double voxels_per_rank, double memory) {
  if (one_phase(voxels_per_rank, memory)) return "3*(m*n*k/P)^(2/3)";
  return "2*m*n*k/(P*sqrt(S)) + (1 - 2/3^(3/2))*S";
}

bool power_of_seven(Index ranks) {
  while (ranks % 7 == 0) ranks /= 7;
  return ranks == 1;
}

// All BFS if no memory is given or it suffices, else DFS steps first, as in eq. (3) of paper 001.
void add_caps(BoundReport& report, Index n, Index ranks, std::optional<double> memory) {
  const double most = memory.value_or(strassen::caps_unlimited(as_real(n), ranks).memory);
  report.symbols["g"] = 0;
  if (strassen::caps_unlimited(as_real(n), ranks).memory > most)
    report.symbols["g"] = as_real(strassen::caps_dfs_steps(as_real(n), ranks, most));
  add_part(report, "CAPS, words sent plus received", "(7/4)^g*(12*n^2/P^(2/omega) - 12*n^2/P)");
  add_part(report, "CAPS, messages sent plus received", "7^g*36*log2(P)/omega");
  report.notes.push_back("g: DFS steps before the BFS steps of CAPS");
}

BoundReport factor_report(std::string what, Index n, Index ranks, double memory) {
  require_positive(n, "n");
  require_positive(ranks, "ranks");
  require_positive(memory, "memory");
  BoundReport r{std::move(what), {}, {}, {{"N", as_real(n)}, {"P", as_real(ranks)}, {"M", memory}}, {}};
  r.notes = {"counts loading the input and storing the result, as the red-blue pebble game does",
             "for schedules that compute nothing twice"};
  if (ranks > 1) note_if_it_does_not_fit(r, as_real(n) * as_real(n), ranks, memory);
  if (as_real(n) * as_real(n) > as_real(ranks) * memory)
    r.notes.push_back(
        "N^2 > P M: only the last statement's part is proved; no schedule is known below the sum");
  return r;
}

// Of LU; half of it for Cholesky.
BoundReport resident_report(Index n, Index ranks, std::string_view bound) {
  require_positive(n, "n");
  require_positive(ranks, "ranks");
  BoundReport r{
      "words some rank must receive or send", {}, {}, {{"N", as_real(n)}, {"P", as_real(ranks)}}, {}};
  add_part(r, "touched for any memory", "3*(N^3/(3*P))^(2/3)");
  add_part(r, "owned by a rank, before and after", "2*N^2/P");
  r.bound = cell(std::string(bound), r.symbols);
  r.notes = {
      "for a matrix that lies evenly on the ranks before and after, and schedules that compute nothing twice",
      "with --memory: the bound of the red-blue pebble game, which counts loading and storing the matrix"};
  return r;
}

}  // namespace

BoundReport bound_multiply(const Product& p, Index ranks, std::optional<double> memory) {
  const classical::FacesBound faces = classical::memory_independent(p, ranks);
  BoundReport r{"words some rank must receive or send", {}, {}, product_symbols(p, ranks), {}};
  if (faces.cut != classical::Cut::three) add_sorted_sizes(r, p);
  add_part(r, std::string(name(faces.cut)), touched(faces.cut));
  add_part(r, "owned by a rank", owned);
  std::string_view binding = touched(faces.cut);
  if (memory) {
    r.symbols["S"] = *memory;
    require_positive(*memory, "memory");
    note_if_it_does_not_fit(r, all_words(p), ranks, *memory);
    const std::string_view phases = by_phases(voxels(p) / as_real(ranks), *memory);
    add_part(r, "touched with S words of memory", phases);
    if (r.parts[2].cell.value > r.parts[0].cell.value) binding = phases;
  }
  r.bound = cell(std::string(binding) + " - " + std::string(owned), r.symbols);
  if (ranks == 1) r.bound = cell("0", r.symbols);
  return r;
}

BoundReport bound_multiply_sequential(const Product& p, double memory) {
  require_valid(p);
  require_positive(memory, "memory");
  BoundReport r{"loads and stores", {}, {}, product_symbols(p, 1), {}};
  r.symbols["S"] = memory;
  add_part(r, "every input loaded, every output stored", "m*k + k*n + m*n");
  add_part(r, "by phases", by_phases(voxels(p), memory));
  add_part(r, "Theorem 1, long k only", "2*m*n*k/sqrt(S) + m*n");
  r.bound = std::max(r.parts[0].cell, r.parts[1].cell, [](auto& x, auto& y) { return x.value < y.value; });
  r.notes.push_back("Theorem 1 is not a bound for k < 2 sqrt(S) and is not part of the bound");
  return r;
}

BoundReport bound_strassen(Index n, Index ranks, std::optional<double> memory) {
  require_positive(n, "n");
  require_positive(ranks, "ranks");
  const bool alone = ranks == 1;
  BoundReport r{alone ? "loads and stores, constant 1" : "words some rank must receive or send, constant 1",
                {},
                {},
                {},
                {"omega = log2(7)"}};
  r.symbols = {{"n", as_real(n)}, {"P", as_real(ranks)}, {"omega", strassen::omega0}};
  add_part(r, "for any memory", "n^2/P^(2/omega)");
  if (memory) {
    require_positive(*memory, "memory");
    r.symbols["M"] = *memory;
    add_part(r, "with M words of memory", "(n/sqrt(M))^omega*M/P");
    if (!alone) note_if_it_does_not_fit(r, 3 * as_real(n) * as_real(n), ranks, *memory);
  }
  r.bound = std::max_element(r.parts.begin(), r.parts.end(), [](auto& x, auto& y) {
              return x.cell.value < y.cell.value;
            })->cell;
  const bool fits = !memory || 9 * as_real(n) * as_real(n) <= *memory * as_real(ranks);
  if (!alone && power_of_seven(ranks) && fits)
    add_caps(r, n, ranks, memory);
  else if (!alone)
    r.notes.push_back("CAPS is not shown: it runs on 7, 49, 343, .. ranks with 9 n^2 / P words or more");
  return r;
}

BoundReport bound_lu(Index n, Index ranks, std::optional<double> memory) {
  if (!memory) return resident_report(n, ranks, "max(0, 3*(N^3/(3*P))^(2/3) - 2*N^2/P)/2");
  BoundReport r = factor_report("words loaded and stored by some rank", n, ranks, *memory);
  add_part(r, "S1", "N*(N - 1)/(2*P)");
  add_part(r, "S2", "2*N*(N - 1)*(N - 2)/(3*P*sqrt(M))");
  r.bound = cell(detail::lu_bound, r.symbols);
  return r;
}

BoundReport bound_cholesky(Index n, Index ranks, std::optional<double> memory) {
  if (!memory) return resident_report(n, ranks, "max(0, 3*(N^3/(3*P))^(2/3) - 2*N^2/P)/4");
  BoundReport r = factor_report("words loaded and stored by some rank", n, ranks, *memory);
  add_part(r, "S1", "N/P");
  add_part(r, "S2", "N*(N - 1)/(2*P)");
  add_part(r, "S3", "N*(N - 1)*(N - 2)/(3*sqrt(2)*P*sqrt(M))");
  add_part(r, "S3 as printed", "N*(N - 1)*(N - 2)/(3*P*sqrt(M))");
  r.bound = cell(detail::cholesky_bound, r.symbols);
  r.notes.push_back(
      "the printed S3 takes L(i,k) and L(j,k) for different arrays, and schedules beat it; it is not part of "
      "the bound");
  return r;
}

BoundReport bound_triangle_product(const symmetric::TriangleProduct& x, Index ranks) {
  BoundReport r{"words sent or received by some rank", {}, {}, {}, {}};
  r.symbols = {{"n", as_real(x.n)},
               {"k", as_real(x.k)},
               {"P", as_real(ranks)},
               {"T", symmetric::words_touched(x, ranks)},
               {"m", static_cast<double>(x.panels_owned)}};
  add_part(r, "words touched", "T");
  add_part(r, "owned", "(n*(n + 1)/2 + m*n*k)/P");
  r.bound = cell("max(0, T - (n*(n + 1)/2 + m*n*k)/P)", r.symbols);
  r.notes.push_back(
      x.symmetric ? "T: the least t + m*p with p*sqrt(2*t) = n*(n - 1)*k/P, t of the triangle, p a panel"
                  : "T: the least t + m*p with p*sqrt(t) = n*(n - 1)*k/(2*P), t of the triangle, p a panel");
  return r;
}

BoundReport bound_spgemm(const sparse::Random& x) {
  BoundReport r{
      "expected words, constant 1", {}, {}, {}, {"d nonzeros per row on average, at random places"}};
  r.symbols = {{"n", as_real(x.n)}, {"d", x.d}, {"P", as_real(x.ranks)}};
  require(sparse::nonzeros(x) > 0, "n d is {}, expected more than 0", sparse::nonzeros(x));
  r.bound = cell("min(d*n/sqrt(P), d^2*n/P)", r.symbols);
  if (x.ranks == 1) r.bound = cell("0", r.symbols);  // one rank owns all
  add_part(r, "inputs of a 2D brick", "d*n/sqrt(P)");
  add_part(r, "products made by a rank", "d^2*n/P");
  r.symbols["q"] = 1 - std::exp(-1.0);
  add_part(r, "with the constants of the proof",
           "max(0, min(d^2*n/(4*P), min(q*d*n/sqrt(24*P) - d*n/P, d^2*n/(12*P) - d*n/P)))");
  r.notes.push_back("q = 1 - 1/e");
  return r;
}

}  // namespace cairn::bounds
