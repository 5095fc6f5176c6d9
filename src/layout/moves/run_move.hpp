// Running a named move over the fibres of a process grid.
#pragma once

#include "comm/grid.hpp"
#include "layout/exchange/strided_update.hpp"
#include "layout/matrix_view.hpp"
#include "layout/moves/move_plan.hpp"

namespace cairn::layout {

// Throws ArgumentError unless the layout is on the mesh d0 x d1 of the grid, in the grid's order of ranks.
void check_on_grid(const comm::GridShape& shape, const Layout& layout, std::string_view name);

// Collective over the grid. to := alpha moved + beta to, where `moved` is `from` (or the sum of the `from` of
// the ranks along the move's dimension); beta = 0 never reads `to`. The matrices are on the mesh
// Mesh({d0, d1}) of the grid and do not share memory. Words: those of move.words(), counted under a phase
// with the name of the move. Work memory: at most what a rank holds before and after.
//
//   const NamedMove& m = find_move("[(0,1),()]", "[(0),()]");          // allgather within rows
//   run_move<double>(grid, m, y.view(), copies.view());
template <Scalar T>
void run_move(const comm::ProcessGrid& grid, const NamedMove& move, const MatrixView<const T>& from,
              const MatrixView<T>& to, const Update<T>& update = {});

// The same with a plan that was made before, for these layouts and this rank. Not checked: for callers that
// have made sure.
template <Scalar T>
void run(const MovePlan& plan, const comm::ProcessGrid& grid, const MatrixView<const T>& from,
         const MatrixView<T>& to, const Update<T>& update = {});

}  // namespace cairn::layout
