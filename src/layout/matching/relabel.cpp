#include "layout/matching/relabel.hpp"

#include <map>

#include "layout/overlap.hpp"

namespace cairn::layout {
namespace {

// f(row part, column part of a, row part, column part of b, words in common) for all pairs of cells that have
// any: the product of what the rows and the columns share.
template <class F>
void for_each_common(const Layout& a, const Layout& b, const F& f) {
  const std::vector<SharedCount> rows = shared_counts(a.row_map(), b.row_map());
  const std::vector<SharedCount> columns = shared_counts(a.column_map(), b.column_map());
  for (const SharedCount& c : columns)
    for (const SharedCount& r : rows) f(r.from, c.from, r.to, c.to, r.count * c.count);
}

// The layout with position q on rank q.
Layout by_position(const Layout& layout) {
  require(layout.mesh() != nullptr, "only a layout on a mesh can be relabelled, not a {}", layout.text());
  std::vector<int> positions(static_cast<std::size_t>(layout.mesh()->positions()));
  for (std::size_t q = 0; q < positions.size(); ++q) positions[q] = static_cast<int>(q);
  return layout.on_ranks(std::move(positions));
}

}  // namespace

std::vector<Benefit> benefits_of(std::span<const RelabelledMove> moves) {
  std::vector<Benefit> benefits;
  for (const RelabelledMove& move : moves) {
    const Layout fixed = as_operand(move.fixed, move.op), positions = by_position(move.relabelled);
    check_move(move.fixed, positions, move.op, std::numeric_limits<int>::max());
    for_each_common(fixed, positions, [&](int row, int column, int to_row, int to_column, Index words) {
      for (int copy = 0; copy < fixed.copies(row, column); ++copy)
        for (int other = 0; other < positions.copies(to_row, to_column); ++other)
          benefits.push_back({positions.owner(to_row, to_column, other), fixed.owner(row, column, copy),
                              checked_mul(words, move.weight, "words kept at home")});
    });
  }
  return benefits;
}

Assignment relabel(std::span<const RelabelledMove> moves, int ranks, const AssignmentOptions& options) {
  require(!moves.empty(), "relabelling needs a move at least");
  const int positions = by_position(moves.front().relabelled).mesh()->positions();
  for (const RelabelledMove& move : moves)
    require(by_position(move.relabelled).mesh()->positions() == positions,
            "the relabelled layouts have {} and {} positions, expected the same", positions,
            move.relabelled.mesh()->positions());
  return assign_positions(positions, ranks, benefits_of(moves), options);
}

Index words_moved(const Layout& from, const Layout& to, Op op) {
  Index moved = 0;
  const Layout operand = as_operand(from, op);
  for_each_common(operand, to, [&](int row, int column, int to_row, int to_column, Index words) {
    if (operand.copies(row, column) == 0) return;  // nobody has it
    for (int copy = 0; copy < to.copies(to_row, to_column); ++copy)
      if (!operand.holds(to.owner(to_row, to_column, copy), row, column)) moved += words;
  });
  return moved;
}

}  // namespace cairn::layout
