#include "layout/local_blocks.hpp"

namespace cairn::layout {
namespace {

template <Scalar T>
void visit_cell(const MatrixView<const T>& m, const Cell& cell,
                const typename LocalBlocks<T>::Visitor& visit) {
  m.layout.column_map().for_each_run(cell.column_part, [&](const Run& cols) {
    m.layout.row_map().for_each_run(cell.row_part, [&](const Run& rows) {
      const Index at = cell.offset + rows.local * cell.row_stride + cols.local * cell.column_stride;
      visit({.data = m.data + at,
             .row = rows.begin,
             .col = cols.begin,
             .rows = rows.count(),
             .cols = cols.count(),
             .row_stride = cell.row_stride,
             .col_stride = cell.column_stride});
    });
  });
}

}  // namespace

template <Scalar T>
LocalBlocks<T> blocks_of(const MatrixView<const T>& m, int rank, Copies copies) {
  check_memory(m, rank, "the matrix");
  return {m.layout.rows(), m.layout.columns(),
          [m, rank, copies](const typename LocalBlocks<T>::Visitor& visit) {
            for (const Cell& cell : m.cells(rank))
              if (copies == Copies::all || m.layout.owner(cell.row_part, cell.column_part) == rank)
                visit_cell<T>(m, cell, visit);
          }};
}

#define CAIRN_INSTANTIATE(T) template LocalBlocks<T> blocks_of(const MatrixView<const T>&, int, Copies);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::layout
