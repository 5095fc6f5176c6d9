#include "sparse/sample_parts.hpp"

#include <algorithm>
#include <cmath>

#include "comm/partition.hpp"

namespace cairn::sparse {
namespace {

// The share of its layer that k belongs to, as brick_layouts cuts it.
int share_of(Index k, Index length, int layers, int shares) {
  const auto by_layer = comm::Partition::balanced(layers, length);
  const int l = by_layer.block_of(k);
  return comm::Partition::balanced(shares, by_layer.count(l)).block_of(k - by_layer.offset(l));
}

// Entries in each block that a list meets.
using BlockCounts = std::vector<std::pair<int, float>>;
BlockCounts block_counts(std::span<const Local> sorted, Index length, int parts) {
  const auto cut = comm::Partition::balanced(parts, length);
  BlockCounts counts;
  for (const Local x : sorted) {
    const int block = cut.block_of(x);
    if (counts.empty() || counts.back().first != block) counts.emplace_back(block, 0.0F);
    counts.back().second += 1;
  }
  return counts;
}

// The same as if the indices had been permuted at random.
BlockCounts shuffled_counts(std::span<const Local> list, int parts, std::uint64_t salt) {
  std::vector<float> sums(static_cast<std::size_t>(parts), 0.0F);
  for (const Local x : list)
    sums[mixed_bits(static_cast<std::uint64_t>(x) ^ salt) % static_cast<std::uint64_t>(parts)] += 1;
  BlockCounts counts;
  for (int p = 0; p < parts; ++p)
    if (sums[static_cast<std::size_t>(p)] > 0) counts.emplace_back(p, sums[static_cast<std::size_t>(p)]);
  return counts;
}

void add_shuffled(RankLoads& loads, const SparseGrid& grid, Index k, std::span<const Local> rows_of_a,
                  std::span<const Local> columns_of_b) {
  constexpr std::uint64_t rows = 1ULL << 60, columns = 2ULL << 60, inner = 3ULL << 60;
  const auto l = static_cast<int>(mixed_bits(static_cast<std::uint64_t>(k) ^ inner) %
                                  static_cast<std::uint64_t>(grid.pk));
  for (const auto& [i, x] : shuffled_counts(rows_of_a, grid.pm, rows))
    for (const auto& [j, y] : shuffled_counts(columns_of_b, grid.pn, columns))
      loads.shuffled[static_cast<std::size_t>(grid.rank(i, j, l))] += x * y;
}

// One sampled k on one grid.
void add_k(GridSample& g, RankLoads& loads, const ProductShape& shape, Index k,
           std::span<const Local> rows_of_a, std::span<const Local> columns_of_b) {
  const SparseGrid& grid = g.grid;
  const int owner_a = share_of(k, shape.k, grid.pk, grid.pn),
            owner_b = share_of(k, shape.k, grid.pk, grid.pm);
  const int l = comm::Partition::balanced(grid.pk, shape.k).block_of(k);
  const BlockCounts of_a = block_counts(rows_of_a, shape.m, grid.pm);
  const BlockCounts of_b = block_counts(columns_of_b, shape.n, grid.pn);
  for (const auto& [j, y] : of_b) g.a_needed += j != owner_a ? static_cast<double>(rows_of_a.size()) : 0;
  for (const auto& [i, x] : of_a) g.b_needed += i != owner_b ? static_cast<double>(columns_of_b.size()) : 0;
  g.filled_a += static_cast<double>(of_a.size());
  g.filled_b += static_cast<double>(of_b.size());
  if (loads.voxels.empty()) return;
  add_shuffled(loads, grid, k, rows_of_a, columns_of_b);
  for (const auto& [i, x] : of_a)
    for (const auto& [j, y] : of_b) {
      const auto rank = static_cast<std::size_t>(grid.rank(i, j, l));
      const float a = j != owner_a ? x : 0, b = i != owner_b ? y : 0;
      loads.voxels[rank] += x * y;
      loads.entries[rank] += a + b;
      loads.sent[static_cast<std::size_t>(grid.rank(i, owner_a, l))] += a;
      loads.sent[static_cast<std::size_t>(grid.rank(owner_b, j, l))] += b;
    }
}

// Different (j, layer) among the voxels (j, k) of a row, which are sorted by j, then k.
double different(const std::vector<std::pair<Local, Local>>& voxels, const comm::Partition& layers) {
  double count = 0;
  Local j = -1;
  int layer = -1;
  for (const auto& [column, k] : voxels) {
    const int l = layers.block_of(k);
    if (column != j || l != layer) ++count;
    j = column;
    layer = l;
  }
  return count;
}

std::map<int, comm::Partition> layers_of_k(const SpgemmSample& s) {
  std::map<int, comm::Partition> layers;
  const auto add = [&](int pk) { layers.try_emplace(pk, comm::Partition::balanced(pk, s.shape.k)); };
  add(1);
  for (const GridSample& g : s.grids) add(g.grid.pk);
  return layers;
}

}  // namespace

ExactSums exact_sums(std::span<const Index> a, std::span<const Index> b) {
  ExactSums sums{};
  for (std::size_t k = 0; k < a.size(); ++k) {
    const Index x = a[k], y = b[k];
    sums[0] += x;
    sums[1] += y;
    sums[2] += checked_mul(x, y, "products of a k");
    sums[3] += x * x;
    sums[4] += y * y;
  }
  return sums;
}

void take_exact(const ExactSums& sums, SpgemmSample& s) {
  s.entries_a = sums[0];
  s.entries_b = sums[1];
  s.voxels = sums[2];
  s.squares_a = static_cast<double>(sums[3]);
  s.squares_b = static_cast<double>(sums[4]);
}

std::uint64_t sample_threshold(double share) {
  if (share >= 1) return ~std::uint64_t{0};
  return static_cast<std::uint64_t>(share * 0x1p64);
}

std::uint64_t k_threshold(const SpgemmSample& s, const SampleLimits& limits) {
  return sample_threshold(static_cast<double>(limits.entries) /
                          static_cast<double>(std::max<Index>(1, s.entries_a + s.entries_b)));
}

std::uint64_t voxel_threshold(const SpgemmSample& s, Index voxels) {
  return sample_threshold(static_cast<double>(voxels) / static_cast<double>(std::max<Index>(1, s.voxels)));
}

KSums look_at_k(const SpgemmSample& s, const PatternView& a, const PatternView& b, Index first,
                std::uint64_t below) {
  constexpr int most_ranks = 256;  // beyond, loads of every rank of every grid would be too many words
  KSums all{{0, 0, 0}, std::vector<RankLoads>(s.grids.size())};
  std::vector<GridSample> grids;
  for (const GridSample& g : s.grids) grids.push_back({g.grid});
  for (std::size_t x = 0; x < grids.size() && s.ranks <= most_ranks; ++x) {
    all.loads[x].voxels.assign(static_cast<std::size_t>(grids[x].grid.ranks()), 0.0F);
    all.loads[x].sent = all.loads[x].entries = all.loads[x].shuffled = all.loads[x].voxels;
  }
  for (Index k = 0; k < a.rows; ++k) {
    if (!is_sampled(first + k, below)) continue;
    all.sums[0] += static_cast<double>(a.entries_of(k));
    all.sums[1] += static_cast<double>(b.entries_of(k));
    all.sums[2] += 1;
    for (std::size_t x = 0; x < grids.size(); ++x)
      add_k(grids[x], all.loads[x], s.shape, first + k, a.row(k), b.row(k));
  }
  for (const GridSample& g : grids)
    all.sums.insert(all.sums.end(), {g.a_needed, g.b_needed, g.filled_a, g.filled_b});
  return all;
}

void take_busiest(std::span<const double> busiest, GridSample& g) {
  g.work = busiest[0];
  g.crowding = busiest[1];
  g.shuffled_work = busiest[2];
  g.send_crowding = busiest[3];
}

void take_k(const KSums& all, SpgemmSample& s) {
  s.sampled_a = all.sums[0];
  s.sampled_b = all.sums[1];
  s.sampled_k = all.sums[2];
  for (std::size_t x = 0; x < s.grids.size(); ++x) {
    GridSample& g = s.grids[x];
    g.a_needed = all.sums[3 + 4 * x];
    g.b_needed = all.sums[4 + 4 * x];
    g.filled_a = all.sums[5 + 4 * x];
    g.filled_b = all.sums[6 + 4 * x];
  }
}

double over_mean(double most, double sum, const SparseGrid& grid) {
  return sum > 0 ? most * grid.ranks() / sum : 1.0;
}

std::vector<double> VoxelTally::sums() const {
  std::vector<double> all{voxels, entries, squares, cross, voxel_squares};
  for (const auto& [pk, count] : by_layers) all.push_back(count);
  return all;
}

VoxelTally tally_voxels(const SpgemmSample& s, const PatternView& rows, const PatternView& b) {
  const std::map<int, comm::Partition> layers = layers_of_k(s);
  VoxelTally t;
  for (const auto& [pk, of_k] : layers) t.by_layers[pk] = 0;
  std::vector<std::pair<Local, Local>> voxels;
  for (Index i = 0; i < rows.rows; ++i) {
    voxels.clear();
    for (const Local k : rows.row(i))
      for (const Local j : b.row(k)) voxels.emplace_back(j, k);
    std::sort(voxels.begin(), voxels.end());
    for (const auto& [pk, of_k] : layers) t.by_layers[pk] += different(voxels, of_k);
    const double v = static_cast<double>(voxels.size()), e = different(voxels, layers.at(1));
    t.voxels += v;
    t.entries += e;
    t.squares += e * e;
    t.cross += e * v;
    t.voxel_squares += v * v;
  }
  return t;
}

void take_voxels(const std::vector<double>& sums, const VoxelTally& like, SpgemmSample& s) {
  s.sampled_voxels = sums[0];
  if (sums[0] == 0) return;
  const double ratio = sums[1] / sums[0], all = static_cast<double>(s.voxels);
  s.entries_c = ratio * all;
  // Of a ratio of sums over rows drawn at random.
  const double spread = sums[2] - 2 * ratio * sums[3] + ratio * ratio * sums[4];
  s.entries_c_error = sums[0] >= all ? 0 : std::sqrt(std::max(0.0, spread)) / sums[0] * all;
  std::size_t x = 5;
  for (const auto& [pk, unused] : like.by_layers) {
    for (GridSample& g : s.grids)
      if (g.grid.pk == pk) g.layer_entries = sums[x];
    ++x;
  }
}

double SpgemmSample::a_received(const GridSample& g) const {
  return sampled_a == 0 ? 0 : g.a_needed / sampled_a * static_cast<double>(entries_a) / g.grid.ranks();
}
double SpgemmSample::b_received(const GridSample& g) const {
  return sampled_b == 0 ? 0 : g.b_needed / sampled_b * static_cast<double>(entries_b) / g.grid.ranks();
}
double SpgemmSample::c_received(const GridSample& g) const {
  if (sampled_voxels == 0) return 0;
  const double all = g.layer_entries / sampled_voxels * static_cast<double>(voxels);
  return all * (1 - 1.0 / g.grid.pk) / g.grid.ranks();
}

bool SpgemmSample::looks_random() const {
  if (shape.m != shape.n || shape.m != shape.k || shape.k < 2 || entries_a == 0 || entries_b == 0)
    return false;
  const auto n = static_cast<double>(shape.k), da = static_cast<double>(entries_a) / n,
             db = static_cast<double>(entries_b) / n;
  const auto near = [](double x, double y, double share) { return std::abs(x - y) <= share * y; };
  // Poisson: the mean square of a count is its mean and the square of that.
  return near(da, db, 0.1) && near(squares_a / n, da + da * da, 0.1) &&
         near(squares_b / n, db + db * db, 0.1) && near(static_cast<double>(voxels), n * da * db, 0.1) &&
         near(entries_c, n * n * -std::expm1(n * std::log1p(-da * db / (n * n))), 0.1);
}

std::vector<SparseGrid> spgemm_grids(int ranks, double work_limit) {
  std::vector<SparseGrid> grids;
  for (int pm = 1; pm <= ranks; ++pm)
    for (int pn = 1; ranks % pm == 0 && pn <= ranks / pm; ++pn)
      if (ranks / pm % pn == 0) grids.push_back({pm, pn, ranks / pm / pn});
  for (int used = ranks - 1; used >= 1 && used * work_limit >= ranks; --used) {
    const SparseGrid square = named_method(SpgemmAlgorithm::aware_2d, used).grid;
    if (square.pm > 1) grids.push_back(square);
  }
  return grids;
}

}  // namespace cairn::sparse
