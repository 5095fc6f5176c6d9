// LU as Programs, two a step: one that ends with every rank knowing the pivots, and one that moves their rows and the
// panel. Which rows are pivots is known only in between.
#pragma once

#include <optional>

#include "factor/local_rows.hpp"
#include "factor/lu_step.hpp"
#include "factor/pivot_choice.hpp"
#include "factor/writer.hpp"

namespace cairn::factor {

// Consecutive local columns.
struct ColumnRun {
  Index first, count;
};

// One rank chooses among all rows: nothing but LAPACK is needed.
inline bool is_local(const LuShape& shape, PivotChoice pivoting) {
  return shape.ranks() == 1 && pivoting != PivotChoice::none;
}

// Array 0: work memory, kept from one Program to the next; array 1: the part of this rank, column-major with as many
// rows as it has.
template <Scalar T>
class LuCompiler {
 public:
  // With a leading dimension of the matrix; 0: that of the shape.
  LuCompiler(const LuShape& shape, int rank, PivotChoice pivoting, Index leading_dimension = 0);

  Index work_elements() const noexcept { return work_; }
  Index matrix_elements() const { return ld_ * s_.local_columns(q_); }

  // All steps in one, where is_local: LAPACK's getrf, whose swaps are left there when it has run.
  program::Program choose_all(std::span<int> swaps) const;
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
  // L and U of the step, to all that update with them. Columns to the left keep their rows where they were.
  program::Program divide(int step, std::span<const Index> pivots);
  // After all steps: rows of L to where later steps have moved them, every column once.
  program::Program settle_left();

  // Partial pivoting where several positions have rows of the panel, instead of choose: begin_panel; on those that play
  // elect, elected and eliminate for every column; end_panel with the pivots, which the others do not know yet.
  bool is_contested(int step) const { return tournament_of(s_, step, left_).order.size() > 1; }
  bool plays(int step) const;
  program::Program begin_panel(int step);
  program::Program elect(int step, Index column);
  Index elected(const T* work) const { return decode_row<T>(work[own_ + 1]); }
  program::Program eliminate(int step, Index column, Index row);
  program::Program end_panel(int step, std::span<const Index> pivots);

  const LocalRows& rows() const noexcept { return rows_; }

 private:
  struct Pending {  // the update A -= L U that is not done yet
    int step;
    Index row, rows;  // of A
    program::Place l;
    Index ldl;
    program::Place u;  // of the columns after the step
    Index ldu;
  };

  struct RowPart {  // rows of a panel, packed or to be unpacked
    std::vector<Index> rows;
    Index at;
  };
  struct ColumnPart {  // pivot rows in some columns
    std::vector<Index> rows;
    std::vector<ColumnRun> runs;
    Index at;
  };
  // What a step brings here, and how far its buffers are used.
  struct Coming {
    Index at, packed;
    std::vector<RowPart> l = {};
    std::vector<ColumnPart> u = {};
    int panel = Waits::nothing, rows = Waits::nothing;  // communication
  };

  static constexpr int stages = 32;  // of communication in a step
  enum Stage { reduce_panel, reduce_rows, swap_panels, swap_pivots, tell, tell_row, send_row, first_round };

  void reserve();
  Index ld() const { return ld_; }
  bool mine(int step) const { return s_.layer(step) == layer_; }
  bool contributes(int step) const;
  int peer(int step, int position) const { return s_.rank(s_.layer(step), position); }
  program::Program empty_program() const;
  Index columns_left(int step) const { return s_.local_columns(q_) - s_.local_column(q_, step + 1); }
  Index place(Index row, Index column) const { return row + column * ld(); }

  void update(Writer<T>& w, Index first, Index end);
  void finish_update(Writer<T>& w, int step);
  void finish_column(Writer<T>& w, int step);
  void reduce_block(Writer<T>& w, int step, int stage, Index row, Index rows, Index column, Index columns);
  void choose_locally(Writer<T>& w, int step, const Tournament& tournament, int number);
  void play(Writer<T>& w, int step, const Tournament& tournament, int number);
  void spread(Writer<T>& w, int step, const Tournament& tournament);
  void swap_rows(Writer<T>& w, int step, Index first, Index end);
  void solve_panel(Writer<T>& w, int step, std::span<const Index> pivots, Index before);
  void send_panel(Writer<T>& w, int step, Coming& coming);
  void send_pivot_rows(Writer<T>& w, int step, std::span<const Index> pivots, Index before, Coming& coming);
  void solve_rows(Writer<T>& w, int step, std::span<const Index> pivots, Index before, const Coming& coming);

  LuShape s_;
  int q_, layer_;
  Index ld_;
  PivotChoice pivoting_;
  LocalRows rows_;
  RowsLeft left_;
  std::vector<Swaps> swaps_;  // of every step
  std::optional<Pending> pending_;
  std::shared_ptr<std::vector<char>> used_;  // rows left that are pivots of the panel at work
  bool eliminated_ = false;                  // the panel is L and U already
  bool alone_ = false;  // one position has all rows of the panel: what it eliminates there is the panel
  Index work_ = 0;
  // Offsets in the work memory.
  Index l_ = 0, u_ = 0, panel_ = 0, own_ = 0, other_ = 0, stacked_ = 0, spread_ = 0, corner_ = 0;
  Index packed_ = 0, landed_ = 0, reduce_out_ = 0, reduce_in_ = 0;
};

}  // namespace cairn::factor
