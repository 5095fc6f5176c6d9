// The parts of sampling that need no ranks: what a rank makes of what it keeps, and what follows from the sums of
// all of them. sample_product adds up over ranks between the two; sample_whole has everything in one place.
#pragma once

#include <array>
#include <map>

#include "base/mixed_bits.hpp"
#include "sparse/spgemm_sample.hpp"

namespace cairn::sparse {

// Of A, of B, products, squares of A, squares of B.
using ExactSums = std::array<Index, 5>;
ExactSums exact_sums(std::span<const Index> counts_a, std::span<const Index> counts_b);
void take_exact(const ExactSums& sums, SpgemmSample& s);

// Which indices belong to a sample: the same on every rank, and one in about 2^64 / below.
inline bool is_sampled(Index index, std::uint64_t below) {
  return mixed_bits(static_cast<std::uint64_t>(index)) <= below;
}
std::uint64_t sample_threshold(double share);
std::uint64_t k_threshold(const SpgemmSample& s, const SampleLimits& limits);
std::uint64_t voxel_threshold(const SpgemmSample& s, Index voxels);

// What the ranks of one grid would multiply, receive and send for the sampled k, rank after rank; empty for more ranks
// than are counted one by one.
struct RankLoads {
  std::vector<float> voxels, entries;
  std::vector<float> shuffled;  // voxels, if rows, columns and k were permuted at random
  std::vector<float> sent;      // entries, by who has them
};
inline constexpr std::array all_loads{&RankLoads::voxels, &RankLoads::entries, &RankLoads::shuffled,
                                      &RankLoads::sent};
struct KSums {
  std::vector<double> sums;      // entries of A, of B, sampled k, then four of each grid
  std::vector<RankLoads> loads;  // by grid
};
// Row k of `a` has the rows of A's column first + k, row k of `b` the columns of B's row first + k.
KSums look_at_k(const SpgemmSample& s, const PatternView& a, const PatternView& b, Index first,
                std::uint64_t below);
void take_k(const KSums& all, SpgemmSample& s);
// The busiest of a grid's ranks over their mean.
double over_mean(double most, double sum, const SparseGrid& grid);
// `busiest` has one figure for each of all_loads.
void take_busiest(std::span<const double> busiest, GridSample& g);

// Different (column, layer) among the voxels of rows of C, for every number of layers of the sample's grids.
struct VoxelTally {
  double voxels = 0, entries = 0, squares = 0, cross = 0, voxel_squares = 0;
  std::map<int, double> by_layers;
  std::vector<double> sums() const;  // in one line, to be added up
};
VoxelTally tally_voxels(const SpgemmSample& s, const PatternView& rows, const PatternView& b);
void take_voxels(const std::vector<double>& sums, const VoxelTally& like, SpgemmSample& s);

}  // namespace cairn::sparse
