// A multiply as a value: the problem, the grid or tree that cuts it into bricks, the rounds a brick is done in, and
// how its collectives are chosen. Says nothing about data; prints and compares.
#pragma once

#include <memory>
#include <string>

#include "comm/block_collective.hpp"
#include "gemm/tree.hpp"

namespace cairn::gemm {

// How gathers and combines are chosen: soonest done by the link's cost, or the fewest words for the busiest
// rank (direct where the slices are equal, else a ring).
enum class Collectives : std::uint8_t { fastest, fewest_words };

struct Placement;
namespace fast {
struct Steps;
}

struct Schedule {
  Problem problem = {};
  Grid grid = {};
  // Cuts the box into bricks instead of the grid, where there is one. Shared, never changed.
  std::shared_ptr<const Tree> tree = {};
  Rounds rounds = {};
  int lookahead = 0;  // rounds whose gathers are under way while one multiplies
  // Parts of C along n, each combined as soon as it is done: the last rounds along k, as many as are gathered
  // at the same time, multiply one part after the other, and a part moves while the next one multiplies.
  Index combines = 1;
  Collectives collectives = Collectives::fastest;
  Transport transport = Transport::two_sided;
  comm::LinkCost link = {};  // by which `fastest` chooses; the same on all ranks

  // Strassen-like steps before the bricks; the grid is then that of one of their products, in one round. Shared,
  // never changed.
  std::shared_ptr<const fast::Steps> steps = {};
  int fast_levels = 0;  // of Winograd's form in the product of a brick; 0: BLAS

  // Where the users' matrices are; none: A, B and C in the schedule's native layouts. Shared, never changed.
  std::shared_ptr<const Placement> placement = {};

  friend bool operator==(const Schedule& x, const Schedule& y);
};

// Those of the grid, and as many for every product that BFS steps do at the same time.
Index working_ranks(const Schedule& schedule);

// Whether a matrix is dealt with a round at a time.
inline bool has_rounds(const Schedule& s, Matrix x) {
  return s.rounds.count > 1 && s.rounds.along != missing(x);
}
// Faces of a matrix that a rank holds at once: of this round and of those whose words move ahead.
inline Index slots_of(const Schedule& s, Matrix x) {
  return has_rounds(s, x) ? std::min<Index>(s.rounds.count, s.lookahead + 1) : 1;
}

// Whether a matrix is neither moved nor copied: BLAS reads it, or writes it, where it is.
bool stays(const Schedule& schedule, Matrix x);

// By which way the slices of a face move, two-sided; and all of it as a value.
comm::BlockWay way_of(const Schedule& schedule, const comm::Partition& slices);
comm::BlockCollective collective_of(const Schedule& schedule, Matrix x, const comm::Partition& slices);

// "100 x 200 x 300 double NT on [2, 3, 1], 4 rounds along k, lookahead 1"
std::string describe(const Schedule& schedule);
std::string describe(const Problem& problem);           // "100 x 200 x 300 double NN"
std::string describe_bricks(const Schedule& schedule);  // "[2, 3, 1]", or the tree

// The most parts in which C can be combined: columns of it where it is complete only at the end, else one.
Index most_combines(const Schedule& schedule);

// Whether words move in exchanges between layouts, not in collectives along fibres: trees and placed matrices.
inline bool by_exchange(const Schedule& s) { return s.tree != nullptr || s.placement != nullptr; }

// Throws ArgumentError that names what is wrong: a negative size, a grid with an extent below 1, more bricks than
// `ranks`, a number of rounds below 1 or above the dimension, a negative lookahead,
// parts of C to combine below 1 or above n, or more than 1 without parts of k or with rounds along m or n; and
// for matrices that are placed: layouts of another shape, or that name other ranks.
void check(const Schedule& schedule, Index ranks);

// A number that tells schedules apart without their m, n, k: to compare them between ranks.
Index fingerprint(const Schedule& schedule);

}  // namespace cairn::gemm
