// How many entries the products of sampled rows of C have, over all layers and in each.
#pragma once

#include "sparse/spgemm_sample.hpp"

namespace cairn::sparse {

// Which indices belong to a sample: the same on every rank, and one in about 2^64 / below.
constexpr std::uint64_t mixed_bits(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}
inline bool is_sampled(Index index, std::uint64_t below) {
  return mixed_bits(static_cast<std::uint64_t>(index)) <= below;
}
std::uint64_t sample_threshold(double share);
std::uint64_t voxel_threshold(const SpgemmSample& s, Index voxels);

// Collective. `rows` are the sampled rows of A. Fills in layer_entries of the grids, sampled_voxels,
// entries_c and its error. Words: the sampled rows, the rows of B they meet, places alone.
template <class T>
void sample_voxels(comm::CommView comm, const DistSparse<T>& rows, const DistSparse<T>& b, SpgemmSample& s);

// Collective. B without the rows that no column of `rows` (anywhere) meets, values kept.
template <class T>
DistSparse<T> needed_rows_of(comm::CommView comm, const DistSparse<T>& rows, const DistSparse<T>& b);

}  // namespace cairn::sparse
