// Table 2 of paper 002 (COnfLUX, COnfCHOX), its leading terms, with the bounds of section 6 above them.
#include "bounds/tables_detail.hpp"

namespace cairn::bounds::detail {

Table table_002_2(const TableArguments& x) {
  Table t{"002.2",
          "LU and Cholesky implementations, words per rank",
          {"words"},
          {},
          {{"N", as_real(x.n)}, {"P", as_real(x.ranks)}, {"M", x.memory}},
          {"N x N matrix, P ranks with M words; leading terms of the implementations",
           "the bounds count loading the input and storing the result, at most N^2 / P words per rank each",
           "the printed Cholesky bound takes L(i,k) and L(j,k) for different arrays; the one for triangles "
           "does not"}};
  add_row(t, "LU lower bound", {lu_bound});
  add_row(t, "Cholesky lower bound, printed", {"N*(N - 1)*(N - 2)/(3*P*sqrt(M)) + N*(N - 1)/(2*P) + N/P"});
  add_row(t, "Cholesky lower bound, triangles", {cholesky_bound});
  add_row(t, "MKL, 2D panels", {"N^2/sqrt(P)"});
  add_row(t, "SLATE, 2D blocks", {"N^2/sqrt(P)"});
  add_row(t, "CANDMC, nested 2.5D", {"5*N^3/(P*sqrt(M))"});
  add_row(t, "CAPITAL, 2.5D", {"45*N^3/(8*P*sqrt(M))"});
  add_row(t, "COnfLUX / COnfCHOX, 1D and 2.5D", {"N^3/(P*sqrt(M))"});
  return t;
}

}  // namespace cairn::bounds::detail
