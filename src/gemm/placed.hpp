// A multiply of matrices where they are: C := alpha op(A) op(B) + beta C for any layouts of A, B and C.
//
// The same three phases on bricks as gemm::Schedule, but a dimension may be cut by any index map, for example
// the one by which the user's matrix is dealt, and the bricks may sit on any ranks. Faces are filled straight
// from the users' layouts and C is summed straight into the user's: each word moves once. A matrix whose
// cells are the faces is read, or written, where it is. See docs/internals/placed.md.
#pragma once

#include <optional>
#include <vector>

#include "comm/partition.hpp"
#include "gemm/schedule.hpp"
#include "layout/exchange/redistribute.hpp"

namespace cairn::gemm {

class Trace;

// How one dimension is cut among the bricks: by a map of the whole dimension, or contiguous and even.
struct Cut {
  int parts = 1;
  std::optional<layout::IndexMap> map = {};

  static Cut by(layout::IndexMap map) { return {map.parts(), std::move(map)}; }
  // Of the indices begin .. begin+count-1.
  layout::IndexMap of_range(Index begin, Index count) const;
};

struct Placed {
  Problem problem = {};
  std::array<layout::Layout, 3> matrices = {};  // A, B and C as they are stored
  std::array<Cut, 3> cuts = {};                 // by dimension
  std::vector<int> ranks = {};                  // of brick (i, j, l) at i + pm (j + pn l); all different
  Rounds rounds = {};                           // contiguous ranges of one dimension, one after the other
  int lookahead = 0;                            // 1: the next round's words move while this one multiplies
  layout::RedistributeOptions exchange = {};    // the same on all ranks, but for the threads

  Grid grid() const { return {cuts[0].parts, cuts[1].parts, cuts[2].parts}; }
  const layout::Layout& of(Matrix x) const { return matrices[index(x)]; }
};

// The map by which the user's matrix, which has this dimension, is cut along it.
const layout::IndexMap& map_of(const Placed& placed, Matrix x, Dim d);

// Bricks whose faces of `x` are the cells of x, on its own ranks: x stays. None where x lies on no mesh, is
// replicated, or in an order that BLAS cannot read.
std::optional<Placed> in_place(const Problem& problem, const std::array<layout::Layout, 3>& matrices,
                               Matrix x);

// Throws ArgumentError that names what is wrong.
void check(const Placed& placed, int ranks);
std::string describe(const Placed& placed);

// What the user's matrix has in one round, and the faces it goes to or comes from. A and B: a layout on all
// bricks, replicated along the missing dimension. C: the faces of one layer of bricks along k.
layout::Layout part_of_round(const Placed& placed, Matrix x, Index round);
layout::Layout faces_of_round(const Placed& placed, Matrix x, Index round, int layer = 0);
// Whether every brick's face is just what its rank has of the matrix, so that nothing moves or is copied.
bool stays(const Placed& placed, Matrix x);

// The exchanges of one round, on every rank of the communicator alike: A and B into the faces, and C out of
// them. No moves: nothing to do.
std::vector<layout::Move> gathers_of_round(const Placed& placed, Index round);
std::vector<layout::Move> combines_of_round(const Placed& placed, Index round);

struct PlacedCounts {
  comm::Counters gathered;   // A and B
  comm::Counters combined;   // C
  Index face_bytes = 0;      // work memory: the faces
  Index exchange_bytes = 0;  // and the pieces under way, at most
};
// Of one rank, on the very exchanges that run.
PlacedCounts count(const Placed& placed, int rank, int ranks);

// Of each rank at least face_bytes + exchange_bytes, without looking at the exchanges.
std::vector<Index> most_work_bytes(const Placed& placed, int ranks);

// Words that all ranks together receive; without rounds, whose ranges may cut parts less evenly. O(pairs of
// parts).
Index words_of_all(const Placed& placed);

// Collective. Counted under "gather" and "combine C". Every rank passes the same `placed`, alpha and beta:
// not checked here. The faces are leased from the communicator's pool before anything moves.
// Records into `trace`, if there is one.
template <Scalar T>
void multiply(const Placed& placed, comm::CommView comm, T alpha, const layout::MatrixView<const T>& a,
              const layout::MatrixView<const T>& b, T beta, const layout::MatrixView<T>& c,
              Trace* trace = nullptr);

}  // namespace cairn::gemm
