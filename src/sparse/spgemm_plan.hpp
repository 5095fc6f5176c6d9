// Which algorithm, on which grid: bytes, messages, memory and time of every candidate predicted from a
// sample, the best one, and why the others lost.
#pragma once

#include <optional>

#include "bounds/machine.hpp"
#include "sparse/spgemm_sample.hpp"

namespace cairn::sparse {

// Per rank of the grid on average, expected values: they follow from counts, samples and random places.
struct SpgemmCost {
  double entries_a = 0, entries_b = 0, entries_c = 0;  // received from others
  double inputs = 0;                                   // received in an all-to-all before the gathers
  double bytes = 0;                                    // of the product: packed entries, patterns, lengths
  double pattern_bytes = 0;                            // of these
  double convert_bytes = 0;  // to bring A and B from where they are, per rank of the communicator
  double messages = 0;
  double voxels = 0;
  double work = 1;           // voxels of the busiest rank over the mean
  double shuffled_work = 1;  // voxels of the busiest rank, if rows, columns and k were permuted at random
  double crowding = 1;       // bytes that the busiest rank receives over the mean
  double send_crowding = 1;  // and sends
  double memory_bytes = 0;
  double seconds = 0;
  double total_bytes() const { return bytes + convert_bytes; }
};

struct SpgemmCandidate {
  SpgemmMethod method;
  SpgemmCost cost;
  std::string why;  // it was chosen or lost
};

enum class SpgemmObjective { bytes, time };

// Few bytes are no use where one rank does the work of many, and one rank that does everything receives none. Plans are
// compared by bytes among those whose busiest rank has at most this times the least that any plan gives its busiest rank.
inline constexpr double even_work = 1.5;

struct SpgemmPlanOptions {
  SpgemmAlgorithm algorithm = SpgemmAlgorithm::automatic;
  std::optional<int> layers;
  std::optional<SparseGrid> grid;
  SpgemmObjective objective = SpgemmObjective::bytes;
  std::optional<Index> memory_bytes;  // most a rank may hold, its parts of A, B and C included
  Machine machine = {};
  // Where A and B are; none: they will be brought into being where the method wants them.
  const SparseLayout* a = nullptr;
  const SparseLayout* b = nullptr;
};

// Entries that an average rank must receive.
struct SpgemmBound {
  double entries = 0;
  double entries_with_constants = 0;  // the same theorem with the constants of its proof
  std::string source;
};

struct SpgemmPlan {
  SpgemmSample sample;
  SpgemmCandidate best;
  std::vector<SpgemmCandidate> others;  // the next best first
  SpgemmBound bound;
  std::string explain() const;
  std::string advice() const;  // a random permutation, where it would help; empty otherwise
};

// Pure. The cost of a method; its grid must be among the sample's.
SpgemmCost spgemm_cost(const SpgemmMethod& method, const SpgemmSample& sample,
                       const SpgemmPlanOptions& options = {});
// Theorem 3.1 of paper 004 for what looks like random matrices; 0 for anything else.
SpgemmBound spgemm_bound(const SpgemmSample& sample);
// Pure. Throws ArgumentError for impossible options and MemoryError where nothing fits.
SpgemmPlan plan_spgemm(const SpgemmSample& sample, const SpgemmPlanOptions& options = {});
// The grids a plan with these options wants in its sample.
std::vector<SparseGrid> grids_for(const SpgemmPlanOptions& options, int ranks);

}  // namespace cairn::sparse
