// Bricks on the ranks and by the index maps of users' matrices: the part of a Schedule that says where A, B and
// C already are.
//
// A dimension may be cut by any index map, for example the one by which a user's matrix is dealt, or the box by a
// tree; and the bricks may sit on any ranks. Faces are filled straight from the users' layouts and C is summed straight into
// the user's: each word moves once. A matrix whose cells are the faces is read, or written, where it is. See
// docs/internals/placed.md.
#pragma once

#include <optional>
#include <vector>

#include "gemm/schedule.hpp"
#include "layout/exchange/redistribute.hpp"

namespace cairn::gemm {

// How one dimension is cut among the bricks: by a map of the whole dimension, or contiguous and even.
struct Cut {
  int parts = 1;
  std::optional<layout::IndexMap> map = {};

  static Cut by(layout::IndexMap map) { return {map.parts(), std::move(map)}; }
  // Of the indices begin .. begin+count-1.
  layout::IndexMap of_range(Index begin, Index count) const;
  friend bool operator==(const Cut&, const Cut&) = default;
};

struct Placement {
  std::array<layout::Layout, 3> matrices = {};  // A, B and C as they are stored
  std::array<Cut, 3> cuts = {};                 // by dimension; their parts are the schedule's grid. No tree
  std::vector<int> ranks = {};  // of brick (i, j, l) at i + pm (j + pn l), or of the tree; all different
  // With several layers along k: C is summed before it moves, the faces by a reduce-scatter along k. Then every
  // element goes to its owner once, not once a layer.
  bool sums_first = false;
  layout::RedistributeOptions exchange = {};  // the same on all ranks

  Grid grid() const { return {cuts[0].parts, cuts[1].parts, cuts[2].parts}; }
  friend bool operator==(const Placement& x, const Placement& y);
};

// A schedule for matrices placed this way, on the grid that the cuts make; or on a tree.
Schedule schedule_on(const Problem& problem, Placement placement, std::shared_ptr<const Tree> tree = {});
// The same schedule with its placement changed.
template <class F>
void change_placement(Schedule& schedule, F&& change) {
  auto copy = std::make_shared<Placement>(*schedule.placement);
  change(*copy);
  schedule.grid = copy->grid();
  schedule.placement = std::move(copy);
}

// ---- what follows is for schedules with a placement --------------------------------------------------------

inline const layout::Layout& layout_of(const Schedule& s, Matrix x) {
  return s.placement->matrices[index(x)];
}

// The map by which the user's matrix, which has this dimension, is cut along it.
const layout::IndexMap& map_of(const Schedule& schedule, Matrix x, Dim d);

// Bricks whose faces of `x` are the cells of x, on its own ranks: x stays. None where x lies on no mesh, is
// replicated, or in an order that BLAS cannot read.
std::optional<Schedule> in_place(const Problem& problem, const std::array<layout::Layout, 3>& matrices,
                                 Matrix x);

// Throws ArgumentError that names what is wrong with the placement.
void check_placement(const Schedule& schedule, Index ranks);
std::string describe_placement(const Schedule& schedule);  // ", C in place"
Index fingerprint_of_placement(const Schedule& schedule);

// What the user's matrix has in one round, and the faces it goes to or comes from. A and B: a layout on all
// bricks, replicated where their faces overlap. C: the faces of one layer of bricks along k.
layout::Layout part_of_round(const Schedule& schedule, Matrix x, Index round);
layout::Layout faces_of_round(const Schedule& schedule, Matrix x, Index round, int layer = 0);
// C summed first: the slices of the faces that the ranks of a fibre along k have of the sum.
layout::Layout sums_of_round(const Schedule& schedule, Index round);
inline bool sums_first(const Schedule& s) { return s.placement->sums_first && s.grid.pk > 1; }
// Whether the busiest owner of C receives less so: it owns far more than a brick has of C.
bool is_better_summed_first(const Schedule& schedule);
// The lines (columns, or rows of a C by rows) of a face of C as the fibre shares them.
comm::Partition slices_of_sum(const Schedule& schedule, Index rows, Index columns);

// Whether every brick's face is just what its rank has of the matrix, so that nothing moves or is copied.
bool stays_placed(const Schedule& schedule, Matrix x);

// The exchanges of one round, on every rank of the communicator alike: A and B into the faces, and C out of
// them. No moves: nothing to do.
std::vector<Matrix> gathered_in_round(const Schedule& schedule, Index round);
std::vector<layout::Move> gathers_of_round(const Schedule& schedule, Index round);
std::vector<layout::Move> combines_of_round(const Schedule& schedule, Index round);

// Whether words of this exchange may be passed on: not where several layers are added up in C.
layout::PassOn pass_on_in(const std::vector<layout::Move>& combines);

// The number of the brick of a rank, if it has one.
std::optional<int> brick_of(const Schedule& schedule, int rank);
int layers_of(const Schedule& schedule);  // along k

// Rows and columns of the face of a brick in a round.
struct FaceShape {
  Index rows = 0, columns = 0;
};
FaceShape face_shape(const Schedule& schedule, Matrix x, Index round, int brick);

// Voxels of the largest brick, without rounds.
double largest_placed_brick(const Schedule& schedule);

inline Op op_of(const Problem& p, Matrix x) {
  return x == Matrix::a ? p.op_a : x == Matrix::b ? p.op_b : Op::none;
}
inline bool conjugates(const Problem& p, Matrix x) {
  return op_of(p, x) == Op::adjoint && is_complex(p.type);
}
// Memory by rows is the transposed matrix by columns, and a C by rows is written as C transposed: whether BLAS
// must be told the other of "as it is" and "transposed".
inline bool is_flipped(layout::Order memory, layout::Order c) { return memory != c; }

// Faces lie in the order of the user's matrix, which packs fastest, unless BLAS has no name for what they
// then are: conjugated and not transposed.
layout::Order face_order(const Schedule& schedule, Matrix x);

// Of the longest face of a rank over the rounds; 0 where the matrix stays. A remainder may give a later round
// more of a part than the first has.
Index face_elements(const Schedule& schedule, Matrix x, int rank);
// Of the longest slice of the sum that a rank has, where C is summed first.
Index sum_elements(const Schedule& schedule, int rank);

// Of each rank at least the faces and the pieces under way, without looking at the exchanges.
std::vector<Index> most_work_bytes(const Schedule& schedule, int ranks);

// Words that all ranks together receive; without rounds, whose ranges may cut parts less evenly. O(pairs of
// parts), of trees mostly O(bricks).
Index words_of_all_placed(const Schedule& schedule);

}  // namespace cairn::gemm
