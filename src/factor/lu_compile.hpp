// LU as Programs, two a step: one that ends with every rank knowing the pivots, and one that moves their rows and the
// panel. Which rows are pivots is known only in between.
#pragma once

#include <optional>

#include "factor/local_rows.hpp"
#include "factor/lu_step.hpp"
#include "factor/pivot_choice.hpp"
#include "factor/writer.hpp"

namespace cairn::factor {

// Array 0: work memory, kept from one Program to the next; array 1: the part of this rank, column-major with as many
// rows as it has.
template <Scalar T>
class LuCompiler {
 public:
  LuCompiler(const LuShape& shape, int rank, Pivoting pivoting);

  Index work_elements() const noexcept { return work_; }
  Index matrix_elements() const { return rows_.count() * s_.local_columns(q_); }

  // Adds up column `step`, chooses its pivots and tells them to all; meanwhile the update of the step before is
  // finished.
  program::Program choose(int step);
  // The pivots that `choose` has left in the work memory.
  std::vector<Index> pivots(int step, const T* work) const {
    return read_pivots<T>(s_.width(step), work + spread_);
  }
  // The factors of the block of pivots, where they are known in whole: on the ranks that have column `step`.
  bool knows_corner(int step) const;
  bool is_root(int step) const;  // of the tournament
  void read_corner(int step, const T* work, T* block, Index ld) const {
    read_factors(s_.width(step), work + spread_, true, block, ld);
  }
  // L and U of the step, to all that update with them.
  program::Program divide(int step, std::span<const Index> pivots);

  const LocalRows& rows() const noexcept { return rows_; }

 private:
  struct Pending {  // the update A -= L U that is not done yet
    int step;
    program::Place l;
    Index ldl;
  };

  void reserve();
  Index ld() const { return std::max<Index>(1, rows_.count()); }
  bool mine(int step) const { return s_.layer(step) == layer_; }
  bool contributes(int step) const;
  int peer(int step, int position) const { return s_.rank(s_.layer(step), position); }
  program::Program empty_program() const;
  Index columns_left(int step) const { return s_.local_columns(q_) - s_.local_column(q_, step + 1); }
  Index place(Index row, Index column) const { return row + column * ld(); }

  void update(Writer<T>& w, Index first, Index end);
  void reduce_block(Writer<T>& w, int step, int stage, Index row, Index rows, Index column, Index columns);
  void choose_locally(Writer<T>& w, int step, const Tournament& tournament, int number);
  void play(Writer<T>& w, int step, const Tournament& tournament, int number);
  void spread(Writer<T>& w, int step, const Tournament& tournament);
  void swap_rows(Writer<T>& w, int step, const std::vector<std::pair<Index, Index>>& swaps, bool skip_panel);
  void solve_panel(Writer<T>& w, int step, std::span<const Index> pivots, Index before);
  void exchange(Writer<T>& w, int step, std::span<const Index> pivots, Index before);

  LuShape s_;
  int q_, layer_;
  Pivoting pivoting_;
  LocalRows rows_;
  RowsLeft left_;
  std::optional<Pending> pending_;
  bool alone_ = false;  // one position has all rows of the panel: what it eliminates there is the panel
  Index work_ = 0;
  // Offsets in the work memory.
  Index l_ = 0, u_ = 0, panel_ = 0, own_ = 0, other_ = 0, stacked_ = 0, spread_ = 0, corner_ = 0;
  Index packed_ = 0, landed_ = 0, reduce_out_ = 0, reduce_in_ = 0;
};

}  // namespace cairn::factor
