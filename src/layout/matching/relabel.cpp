#include "layout/matching/relabel.hpp"

#include <algorithm>
#include <optional>

#include "layout/overlap.hpp"

namespace cairn::layout {
namespace {

// The ranks that hold each cell of a layout.
class Owners {
 public:
  explicit Owners(const Layout& l) : row_parts_(l.row_map().parts()), first_{0} {
    for (int column = 0; column < l.column_map().parts(); ++column)
      for (int row = 0; row < row_parts_; ++row) {
        for (int copy = 0; copy < l.copies(row, column); ++copy) all_.push_back(l.owner(row, column, copy));
        first_.push_back(all_.size());
      }
  }
  std::span<const int> of(int row, int column) const {
    const auto cell = static_cast<std::size_t>(Index{column} * row_parts_ + row);
    return std::span(all_).subspan(first_[cell], first_[cell + 1] - first_[cell]);
  }

 private:
  int row_parts_;
  std::vector<std::size_t> first_;
  std::vector<int> all_;
};

// The layout with position q on rank q.
Layout by_position(const Layout& layout) {
  require(layout.mesh() != nullptr, "only a layout on a mesh can be relabelled, not a {}", layout.text());
  std::vector<int> positions(static_cast<std::size_t>(layout.mesh()->positions()));
  for (std::size_t q = 0; q < positions.size(); ++q) positions[q] = static_cast<int>(q);
  return layout.on_ranks(std::move(positions));
}

// A move, prepared to tell what each position has in common with each rank.
class MoveInCommon {
 public:
  MoveInCommon(const RelabelledMove& move, int ranks)
      : positions_(by_position(move.relabelled)), weight_(move.weight) {
    check_move(move.fixed, positions_, move.op, std::max(ranks, positions_.last_rank() + 1));
    const Layout fixed = as_operand(move.fixed, move.op);
    owners_.emplace(fixed);
    rows_ = shared_table(fixed.row_map(), positions_.row_map());
    columns_ = shared_table(fixed.column_map(), positions_.column_map());
  }

  void add_to(int position, BenefitTable::Row& row) const {
    for (const PartCount& c : columns_[static_cast<std::size_t>(positions_.column_part_of(position))])
      for (const PartCount& r : rows_[static_cast<std::size_t>(positions_.row_part_of(position))])
        for (const int rank : owners_->of(r.part, c.part))
          row.add(rank, checked_mul(r.count * c.count, weight_, "words kept at home"));
  }

 private:
  Layout positions_;
  Index weight_;
  std::optional<Owners> owners_;
  SharedTable rows_, columns_;
};

// What the ranks of `to` have of their cells, where both lie on meshes: a number for each rank, not for each pair.
Index words_at_home(const Layout& from, const Layout& to, const SharedTable& rows,
                    const SharedTable& columns) {
  Index words = 0;
  for (int q = 0; q < to.mesh()->positions(); ++q) {
    const int rank = to.mesh()->rank_at(q);
    if (!from.mesh()->position_of(rank)) continue;
    words +=
        shared_with(rows[static_cast<std::size_t>(to.row_part_of(rank))], from.row_part_of(rank)) *
        shared_with(columns[static_cast<std::size_t>(to.column_part_of(rank))], from.column_part_of(rank));
  }
  return words;
}

// The same for any layouts, pair by pair, less what nobody has.
Index words_moved_by_pairs(const Layout& from, const Layout& to, const SharedTable& rows,
                           const SharedTable& columns) {
  Index moved = 0;
  for (std::size_t to_column = 0; to_column < columns.size(); ++to_column)
    for (const PartCount& column : columns[to_column])
      for (std::size_t to_row = 0; to_row < rows.size(); ++to_row)
        for (const PartCount& row : rows[to_row]) {
          if (from.copies(row.part, column.part) == 0) continue;  // nobody has it
          const int r = static_cast<int>(to_row), c = static_cast<int>(to_column);
          for (int copy = 0; copy < to.copies(r, c); ++copy)
            if (!from.holds(to.owner(r, c, copy), row.part, column.part)) moved += row.count * column.count;
        }
  return moved;
}

}  // namespace

Assignment relabel(std::span<const RelabelledMove> moves, int ranks, const AssignmentOptions& options) {
  require(!moves.empty(), "relabelling needs at least one move");
  const int positions = by_position(moves.front().relabelled).mesh()->positions();
  for (const RelabelledMove& move : moves)
    require(by_position(move.relabelled).mesh()->positions() == positions,
            "the relabelled layouts have {} and {} positions, expected the same", positions,
            move.relabelled.mesh()->positions());
  std::vector<MoveInCommon> prepared;
  for (const RelabelledMove& move : moves) prepared.emplace_back(move, ranks);
  const BenefitTable table(positions, ranks, [&](int position, BenefitTable::Row& row) {
    for (const MoveInCommon& move : prepared) move.add_to(position, row);
  });
  return assign_positions(table, options);
}

Index words_moved(const Layout& from, const Layout& to, Op op) {
  const Layout operand = as_operand(from, op);
  const SharedTable rows = shared_table(operand.row_map(), to.row_map()),
                    columns = shared_table(operand.column_map(), to.column_map());
  if (operand.mesh() == nullptr || to.mesh() == nullptr)
    return words_moved_by_pairs(operand, to, rows, columns);
  const Index copies = to.copies(0, 0);
  return copies * to.rows() * to.columns() - words_at_home(operand, to, rows, columns);
}

}  // namespace cairn::layout
