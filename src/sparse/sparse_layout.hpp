// Which rank owns which entries of a sparse matrix: rows and columns are cut, and the rank of an entry is the
// offset of its row's place plus the offset of its column's place. 1D, 2D and 3D layouts differ in the two
// cuts only. A pure value; O(cells of the cuts) memory, at most O(P).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sparse/cut.hpp"

namespace cairn::sparse {

struct Position {
  int row_place = 0;
  int column_place = 0;
  friend bool operator==(const Position&, const Position&) = default;
};

class SparseLayout {
 public:
  SparseLayout() = default;
  SparseLayout(Cut rows, Cut columns, std::string text);

  static SparseLayout row_blocks(Index rows, Index columns, int ranks);
  static SparseLayout column_blocks(Index rows, Index columns, int ranks);
  // Rank i + pr j owns block (i, j).
  static SparseLayout grid(Index rows, Index columns, int pr, int pc);
  // "rows", "columns", "2d PRxPC", "on R" (all on one rank), for a communicator of `ranks`.
  static SparseLayout parse(std::string_view text, Index rows, Index columns, int ranks);

  Index rows() const { return rows_.length(); }
  Index columns() const { return columns_.length(); }
  const Cut& row_cut() const { return rows_; }
  const Cut& column_cut() const { return columns_; }
  int owner(Index row, Index column) const {
    return rank_at({rows_.place_of(row), columns_.place_of(column)});
  }
  int rank_at(Position at) const { return rows_.offset(at.row_place) + columns_.offset(at.column_place); }
  std::optional<Position> position_of(int rank) const;  // none: the rank owns nothing
  int last_rank() const;
  const std::string& text() const { return text_; }
  Index fingerprint() const;
  SparseLayout transposed() const { return {columns_, rows_, text_ + " transposed"}; }

  friend bool operator==(const SparseLayout& a, const SparseLayout& b) {
    return a.rows_ == b.rows_ && a.columns_ == b.columns_;
  }

 private:
  Cut rows_;
  Cut columns_;
  std::string text_;
};

}  // namespace cairn::sparse
