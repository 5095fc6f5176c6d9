#include "sparse/spgemm_plan.hpp"

#include <algorithm>
#include <cmath>

#include "bounds/sparse.hpp"

namespace cairn::sparse {
namespace {

// The sparsity-aware algorithm of a grid, by the name it has there.
SpgemmAlgorithm aware_on(const SparseGrid& g) {
  if (g.pn == 1 && g.pk == 1) return SpgemmAlgorithm::block_row;
  if (g.pm == 1 && g.pk == 1) return SpgemmAlgorithm::block_column;
  if (g.pm == 1 && g.pn == 1) return SpgemmAlgorithm::outer_product;
  return g.pk == 1 ? SpgemmAlgorithm::aware_2d : SpgemmAlgorithm::aware_3d;
}

std::vector<SpgemmMethod> automatic_methods(const std::vector<SparseGrid>& grids) {
  std::vector<SpgemmMethod> methods;
  for (const SparseGrid& g : grids) {
    methods.push_back(method_on(aware_on(g), g));
    if (g.pk == 1 && g.ranks() > 1) methods.push_back(method_on(SpgemmAlgorithm::summa_improved, g));
  }
  return methods;
}

std::vector<SpgemmMethod> methods_for(const SpgemmSample& s, const SpgemmPlanOptions& o) {
  std::vector<SparseGrid> grids;
  for (const GridSample& g : s.grids)
    if ((!o.layers || g.grid.pk == *o.layers) && (!o.grid || g.grid == *o.grid)) grids.push_back(g.grid);
  require(!grids.empty(), "no grid of {} ranks has {} layers", s.ranks, o.layers.value_or(0));
  if (o.algorithm == SpgemmAlgorithm::automatic) return automatic_methods(grids);
  if (o.algorithm == SpgemmAlgorithm::recursive)
    return {recursive_method(
        s.ranks, {static_cast<double>(s.entries_a), static_cast<double>(s.entries_b), s.entries_c})};
  std::vector<SpgemmMethod> methods;
  std::string problem;
  for (const SparseGrid& g : grids) try {
      if (o.grid || g.ranks() == s.ranks) methods.push_back(method_on(o.algorithm, g));
    } catch (const ArgumentError& e) {
      problem = e.what();
    }
  require(!methods.empty(), "{}", problem.empty() ? "no grid fits the algorithm" : problem);
  return methods;
}

// Bytes per rank that works: an idle rank makes the mean smaller and nobody's burden. A quarter more on the
// busiest rank than on the average is what a sample shows of an even load.
double judged(const SpgemmCost& c, SpgemmObjective objective) {
  constexpr double even = 1.25;
  if (objective == SpgemmObjective::time) return c.seconds;
  return c.total_bytes() * std::max(1.0, c.crowding / even);
}

// Candidates that do not keep the work even go last.
void put_uneven_last(std::vector<SpgemmCandidate>& all, int ranks) {
  const auto busiest = [&](const SpgemmCandidate& x) {
    return x.cost.work * ranks / x.method.grid.ranks();  // over the mean of all ranks
  };
  double least = INFINITY;
  for (const SpgemmCandidate& x : all) least = std::min(least, busiest(x));
  for (SpgemmCandidate& x : all)
    if (busiest(x) > even_work * least)
      x.why = fmt::format("{:.1f} times the work on its busiest rank", busiest(x) / least);
  std::stable_partition(all.begin(), all.end(), [](const SpgemmCandidate& x) { return x.why.empty(); });
}

// As many column phases as it takes to fit; false if none will do.
bool fit(SpgemmMethod& method, SpgemmCost& cost, const SpgemmSample& s, const SpgemmPlanOptions& o) {
  if (!o.memory_bytes) return true;
  const auto limit = static_cast<double>(*o.memory_bytes);
  const Index most = std::max<Index>(1, s.shape.n / method.grid.pn);
  while (cost.memory_bytes > limit && method.phases < most) {
    method.phases = static_cast<int>(std::min<Index>(most, 2 * Index{method.phases}));
    cost = spgemm_cost(method, s, o);
  }
  return cost.memory_bytes <= limit;
}

std::string reason(const SpgemmCost& lost, const SpgemmCost& best, const SpgemmPlanOptions& o) {
  if (o.objective == SpgemmObjective::time)
    return fmt::format("{:.2f} times the time", lost.seconds / std::max(1e-300, best.seconds));
  const double ratio = lost.total_bytes() / std::max(1.0, best.total_bytes());
  if (ratio < 1) return fmt::format("its busiest rank receives {:.1f} times the mean", lost.crowding);
  const char* most = "A";
  const double parts[] = {lost.entries_a, lost.entries_b, lost.entries_c, lost.inputs};
  const char* operands[] = {"A", "B", "C", "the inputs' all-to-all"};
  most = operands[std::max_element(std::begin(parts), std::end(parts)) - std::begin(parts)];
  if (lost.convert_bytes > lost.bytes) most = "bringing A and B there";
  return fmt::format("{:.2f} times the bytes, most of them {}", ratio, most);
}

}  // namespace

std::vector<SparseGrid> grids_for(const SpgemmPlanOptions& o, int ranks) {
  if (o.grid) {
    require(o.grid->ranks() <= ranks, "grid is [{}, {}, {}], expected at most {} ranks", o.grid->pm,
            o.grid->pn, o.grid->pk, ranks);
    return {*o.grid};
  }
  return spgemm_grids(ranks);
}

SpgemmBound spgemm_bound(const SpgemmSample& s) {
  if (!s.looks_random() || s.ranks == 1)
    return {0, 0, "none but 0 is known for these patterns: a layout that fits them may need no words"};
  const double d = static_cast<double>(s.entries_a + s.entries_b) / 2 / static_cast<double>(s.shape.k);
  const bounds::sparse::Random x{s.shape.k, d, s.ranks};
  return {bounds::sparse::lower_bound(x).words, bounds::sparse::lower_bound_with_constants(x),
          fmt::format("paper 004, Theorem 3.1, random matrices with d = {:.2f}: min(dn/sqrt P, d^2 n/P), an "
                      "order of growth with constant 1",
                      d)};
}

SpgemmPlan plan_spgemm(const SpgemmSample& sample, const SpgemmPlanOptions& o) {
  SpgemmPlan plan;
  plan.sample = sample;
  plan.bound = spgemm_bound(sample);
  std::vector<SpgemmCandidate> all;
  double least = INFINITY;
  for (SpgemmMethod& method : methods_for(sample, o)) {
    SpgemmCost cost = spgemm_cost(method, sample, o);
    least = std::min(least, cost.memory_bytes);
    if (fit(method, cost, sample, o)) all.push_back({std::move(method), cost, ""});
  }
  require<MemoryError>(!all.empty(), "a rank may hold {} bytes, and every algorithm needs {:.0f} or more",
                       o.memory_bytes.value_or(0), least);
  std::stable_sort(all.begin(), all.end(), [&](const SpgemmCandidate& x, const SpgemmCandidate& y) {
    return judged(x.cost, o.objective) < judged(y.cost, o.objective);
  });
  if (o.algorithm == SpgemmAlgorithm::automatic && o.objective == SpgemmObjective::bytes)
    put_uneven_last(all, sample.ranks);
  plan.best = all.front();
  plan.best.why = o.objective == SpgemmObjective::time ? "least time" : "fewest bytes";
  for (std::size_t x = 1; x < all.size(); ++x) {
    if (all[x].why.empty()) all[x].why = reason(all[x].cost, plan.best.cost, o);
    plan.others.push_back(std::move(all[x]));
  }
  return plan;
}

std::string SpgemmPlan::explain() const {
  const SpgemmSample& s = sample;
  std::string text = fmt::format(
      "{} x {} x {}: nnz(A) {}, nnz(B) {}, {} products, nnz(C) about {:.0f} +- {:.0f}\n{}: {:.0f} bytes per "
      "rank expected, {:.0f} messages, {:.0f} bytes of memory\n",
      s.shape.m, s.shape.n, s.shape.k, s.entries_a, s.entries_b, s.voxels, s.entries_c, s.entries_c_error,
      best.method.describe(), best.cost.total_bytes(), best.cost.messages, best.cost.memory_bytes);
  text += fmt::format("bound: {:.0f} entries per rank ({})\n", bound.entries, bound.source);
  for (std::size_t x = 0; x < std::min<std::size_t>(8, others.size()); ++x)
    text += fmt::format("  {:<34} {:>12.0f} bytes: {}\n", others[x].method.describe(),
                        others[x].cost.total_bytes(), others[x].why);
  const std::string more = advice();
  return more.empty() ? text : text + "advice: " + more + "\n";
}

std::string SpgemmPlan::advice() const {
  constexpr double even = 1.5, gain = 1.25;  // below: what a sample shows of an even load, and noise
  const SpgemmCost& c = best.cost;
  if (c.work < even || c.work < gain * c.shuffled_work) return {};
  return fmt::format(
      "the busiest rank has {:.1f} times the mean work; with rows and columns permuted at random it "
      "would "
      "have {:.1f} times",
      c.work, c.shuffled_work);
}

}  // namespace cairn::sparse
