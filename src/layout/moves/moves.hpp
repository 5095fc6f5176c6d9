// The redistributions of paper 003 ("Parallel Matrix Multiplication: A Systematic Journey"), figures 5.1 and
// 6.1, by name: each is one collective along one dimension of a d0 x d1 mesh. A pure table; run_move.hpp runs
// its entries. docs/internals/moves.md draws it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "layout/kinds.hpp"

namespace cairn::layout {

enum class MoveKind {
  local,        // copies are given up; nothing moves
  permutation,  // each rank sends its cell to one other
  allgather,
  all_to_all,
  reduce_scatter,
  allreduce,
  scatter,    // from here on: where one part has all rows or all columns, which is what becomes
  gather,     // of the collectives above for a single row or column
  broadcast,  // of allgather
  reduce      // of reduce_scatter: to one
};
std::string_view name(MoveKind c);  // "all-to-all"

// How a matrix lies on the mesh. With `sum` it is not there yet: every rank along those mesh dimensions has a
// contribution, and the matrix is their sum. y^(1)[(0),()] of the paper is "^(1)[(0),()]".
struct Distribution {
  Notation notation;
  std::vector<int> sum;

  std::string text() const;
  friend bool operator==(const Distribution&, const Distribution&) = default;
};
Distribution parse_distribution(std::string_view text);

// What is redistributed: figure 6.1 is about matrices, figure 5.1 about vectors. A column is n x 1 and a row
// 1 x n; a panel that lies in one part of the mesh counts as well.
enum class Shape { matrix, column, row };
std::string_view name(Shape s);

struct NamedMove {
  static constexpr int whole_mesh = -1;

  MoveKind collective = MoveKind::local;
  Distribution from, to;
  int along = whole_mesh;      // the mesh dimension of the fibres it runs along
  std::optional<Shape> shape;  // the only one it is for; none: any that `applies` to

  std::string name() const;  // "allgather [(0,1),()] -> [(0),()]", different for every move
  bool applies(Shape s) const;
  // Words of the busiest rank (sent or received, whichever is more) for a matrix of m x n, as the paper
  // counts them; exact where the extents divide m and n. As text: "(d0-1)/d0 m/d1 n".
  double words(Index m, Index n, int d0, int d1) const;
  std::string formula() const;
  friend bool operator==(const NamedMove&, const NamedMove&) = default;
};

// All of them.
std::span<const NamedMove> all_moves();

// By name, or by what it does; an error that names what there is if there is none.
const NamedMove& find_move(std::string_view name);
const NamedMove& find_move(std::string_view from, std::string_view to, Shape shape = Shape::matrix);

// The chain of moves with the fewest words on a large square mesh, of several the shortest: those of the
// paper. Empty if from is to. Column to row: scatter, permutation, gather.
std::vector<NamedMove> path(std::string_view from, std::string_view to, Shape shape = Shape::matrix);
std::vector<NamedMove> path(const Distribution& from, const Distribution& to, Shape shape);
// The same for a matrix of m x n on this mesh.
std::vector<NamedMove> cheapest_path(const Distribution& from, const Distribution& to, Shape shape, Index m,
                                     Index n, int d0, int d1);

}  // namespace cairn::layout
