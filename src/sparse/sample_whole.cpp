#include <algorithm>
#include <complex>

#include "sparse/local/operations.hpp"
#include "sparse/sample_parts.hpp"

namespace cairn::sparse {
namespace {

void find_busiest_of(const std::vector<RankLoads>& loads, std::vector<GridSample>& grids) {
  const auto busiest = [](const std::vector<float>& all, const SparseGrid& grid) {
    double most = 0, sum = 0;
    for (const float x : all) {
      most = std::max(most, static_cast<double>(x));
      sum += static_cast<double>(x);
    }
    return over_mean(most, sum, grid);
  };
  for (std::size_t x = 0; x < grids.size(); ++x) {
    std::array<double, all_loads.size()> all{};
    for (std::size_t y = 0; y < all.size(); ++y) all[y] = busiest(loads[x].*all_loads[y], grids[x].grid);
    take_busiest(all, grids[x]);
  }
}

}  // namespace

template <class T>
SpgemmSample sample_whole(const Csr<T>& a, const Csr<T>& b, int ranks, const std::vector<SparseGrid>& grids,
                          const SampleLimits& limits) {
  require(a.columns == b.rows, "A is {} x {} and B is {} x {}: expected as many rows of B as columns of A",
          a.rows, a.columns, b.rows, b.columns);
  SpgemmSample s;
  s.shape = {a.rows, b.columns, a.columns};
  s.ranks = ranks;
  s.value_bytes = static_cast<Index>(sizeof(T));
  for (const SparseGrid& g : grids) s.grids.push_back({g});
  const Array<Index> of_a = column_counts(a.pattern());
  std::vector<Index> of_b;
  for (Index k = 0; k < b.rows; ++k) of_b.push_back(b.entries_of(k));
  take_exact(exact_sums({of_a.begin(), of_a.end()}, of_b), s);
  const Csr<T> by_column = transpose(a);
  const KSums sums = look_at_k(s, by_column.pattern(), b.pattern(), 0, k_threshold(s, limits));
  find_busiest_of(sums.loads, s.grids);
  take_k(sums, s);
  const std::uint64_t below = voxel_threshold(s, limits.voxels);
  const Csr<T> rows = select(a, [&](Index i, Index, const T&) { return is_sampled(i, below); });
  const VoxelTally t = tally_voxels(s, rows.pattern(), b.pattern());
  take_voxels(t.sums(), t, s);
  return s;
}

#define CAIRN_WHOLE(T)                                                                                     \
  template SpgemmSample sample_whole<T>(const Csr<T>&, const Csr<T>&, int, const std::vector<SparseGrid>&, \
                                        const SampleLimits&);
CAIRN_FOR_EACH_SCALAR(CAIRN_WHOLE)
#undef CAIRN_WHOLE

}  // namespace cairn::sparse
