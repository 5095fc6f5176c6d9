// What planning knows of a product before it runs. Counts are exact; what depends on how patterns meet is
// measured on a sample of k (all of them if they are few) and on a sample of rows of C.
#pragma once

#include "sparse/dist_sparse.hpp"
#include "sparse/spgemm_method.hpp"

namespace cairn::sparse {

// Sums over the sampled k for one grid: how many entries of A would go to ranks of the same row of the grid,
// all of them or only where they are needed, and how many k are filled in a block.
struct GridSample {
  SparseGrid grid;
  double a_needed = 0;       // entries of A that others can use, each counted once per rank
  double b_needed = 0;       // of B
  double filled_b = 0;       // (k, column block of B) pairs with an entry
  double filled_a = 0;       // (k, row block of A) pairs with an entry
  double work = 1;           // voxels of the busiest rank over the mean, as sampled
  double shuffled_work = 1;  // the same if rows, columns and k were permuted at random
  double crowding = 1;       // entries of A and B that the busiest rank receives over the mean
  double send_crowding = 1;  // the same of those that it sends
  double layer_entries = 0;  // entries of C of the sampled rows, those of each layer counted apart
};

struct SpgemmSample {
  ProductShape shape;
  int ranks = 1;
  Index value_bytes = 8;
  Index entries_a = 0, entries_b = 0;   // exact
  Index voxels = 0;                     // exact: products A(i,k) B(k,j)
  double squares_a = 0;                 // sum over k of (entries of column k of A)^2, exact
  double squares_b = 0;                 // of rows of B
  double sampled_a = 0, sampled_b = 0;  // entries in the sampled k
  double sampled_k = 0;
  double sampled_voxels = 0;   // in the sampled rows of C
  double entries_c = 0;        // estimated
  double entries_c_error = 0;  // standard error of that; 0 where every row was counted
  std::vector<GridSample> grids;

  // Entries an average rank receives, scaled from the sample.
  double a_received(const GridSample& g) const;
  double b_received(const GridSample& g) const;
  double c_received(const GridSample& g) const;
  // True where counts of rows and columns and their meeting are as of random matrices of one density.
  bool looks_random() const;
};

struct SampleLimits {
  Index entries = 1 << 16;  // of A and B together in the sampled k, about
  Index voxels = 1 << 16;   // in the sampled rows of C, about
};

// Collective. A and B lie anywhere. Words: O(entries / P) for the counts (a byte or two for each filled
// column of a block), O(limits / P) and the places alone for the samples. Phase "plan" of Traffic.
template <class T>
SpgemmSample sample_product(comm::CommView comm, const DistSparse<T>& a, const DistSparse<T>& b,
                            const std::vector<SparseGrid>& grids, const SampleLimits& limits = {});

// The same sample of matrices that are in one place, for a product on `ranks` ranks. Pure; O(entries) memory.
template <class T>
SpgemmSample sample_whole(const Csr<T>& a, const Csr<T>& b, int ranks, const std::vector<SparseGrid>& grids,
                          const SampleLimits& limits = {});

// Every [pm, pn, pk] with pm pn pk = P, and the most square 2D grid of every smaller number of ranks with at
// most work_limit times the work: for P that is a prime or nearly one.
std::vector<SparseGrid> spgemm_grids(int ranks, double work_limit = 1.25);

}  // namespace cairn::sparse
