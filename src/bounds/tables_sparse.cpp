// Table 1 of paper 004 (sparse random matrices). The functions of model/sparse_table.hpp compute the same
// rows.
#include "bounds/tables_detail.hpp"

namespace cairn::bounds::detail {

Table table_004_1(const TableArguments& x) {
  require(x.d > 0 && x.d <= as_real(x.n), "d is {}, expected 0 < d <= n = {}", x.d, x.n);
  Table t{"004.1",
          "sparsity-independent algorithms for random matrices, orders of growth with constant 1",
          {"words", "messages"},
          {},
          {{"n", as_real(x.n)}, {"d", x.d}, {"P", as_real(x.ranks)}, {"M", x.memory}},
          {"n x n matrices with d nonzeros per row on average, P ranks with M words",
           "*: by all-to-all; the words or the messages are attained, not both"}};
  add_row(t, "previous lower bound", {"d^2*n/(P*sqrt(M))", "0"});
  add_row(t, "lower bound", {"min(d*n/sqrt(P), d^2*n/P)", "1"});
  add_row(t, "1D naive block row", {"d*n", "P"});
  add_row(t, "1D improved block row*", {"d^2*n/P", "min(log2(P), d*n/P)"});
  add_row(t, "1D outer product*", {"d^2*n/P", "log2(P)"});
  add_row(t, "2D SpSUMMA", {"d*n/sqrt(P)", "sqrt(P)"});
  add_row(t, "2D improved SpSUMMA", {"d*n/sqrt(P)", "log2(P)*max(1, d*n/(M*sqrt(P)))"});
  add_row(t, "3D iterative*", {"min(d*n/sqrt(P), d^2*n/P)", "log2(P)"});
  add_row(t, "3D recursive", {"min(d*n/sqrt(P), d^2*n/P*max(1, ceil(log2(P/d^2))))", "log2(P)"});
  return t;
}

}  // namespace cairn::bounds::detail
