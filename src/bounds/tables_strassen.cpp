// Table 1 of paper 001 (CAPS). The functions of model/strassen_table.hpp compute the same rows.
#include "bounds/strassen_table.hpp"
#include "bounds/tables_detail.hpp"

namespace cairn::bounds::detail {
namespace {

void add_classical(Table& t) {
  add_row(t, "classical lower bound",
          {"n^3/P", "max(n^3/(P*M^(1/2)), n^2/P^(2/3))", "max(n^3/(P*M^(3/2)), 1)"});
  add_row(t, "2D", {"n^3/P", "n^2/P^(1/2)", "P^(1/2)"});
  add_row(t, "3D", {"n^3/P", "n^2/P^(2/3)", "log2(P)"});
  add_row(t, "2.5D", {"n^3/P", "max(n^3/(P*M^(1/2)), n^2/P^(2/3))", "n^3/(P*M^(3/2)) + log2(P)"});
}

void add_strassen(Table& t) {
  add_row(
      t, "Strassen lower bound",
      {"n^omega/P", "max(n^omega/(P*M^(omega/2 - 1)), n^2/P^(2/omega))", "max(n^omega/(P*M^(omega/2)), 1)"});
  add_row(t, "2D-Strassen", {"n^omega/P^((omega - 1)/2)", "n^2/P^(1/2)", "P^(1/2)"});
  add_row(t, "Strassen-2D", {"(7/8)^l*n^3/P", "(7/4)^l*n^2/P^(1/2)", "7^l*P^(1/2)"});
  add_row(t, "2.5D-Strassen",
          {"max(n^3/(P*M^(3/2 - omega/2)), n^omega/P^(omega/3))", "max(n^3/(P*M^(1/2)), n^2/P^(2/3))",
           "n^3/(P*M^(3/2)) + log2(P)"});
  add_row(t, "Strassen-2.5D",
          {"(7/8)^l*n^3/P", "max((7/8)^l*n^3/(P*M^(1/2)), (7/4)^l*n^2/P^(2/3))",
           "(7/8)^l*n^3/(P*M^(3/2)) + 7^l*log2(P)"});
  add_row(t, "CAPS",
          {"n^omega/P", "max(n^omega/(P*M^(omega/2 - 1)), n^2/P^(2/omega))",
           "max(n^omega/(P*M^(omega/2))*log2(P), log2(P))"});
}

}  // namespace

Table table_001_1(const TableArguments& x) {
  require(x.steps >= 0, "steps is {}, expected 0 or more", x.steps);
  Table t{"001.1",
          "classical and Strassen-based algorithms, orders of growth with constant 1",
          {"flops", "words", "messages"},
          {},
          {{"n", as_real(x.n)},
           {"P", as_real(x.ranks)},
           {"M", x.memory},
           {"l", x.steps},
           {"omega", strassen::omega0}},
          {"n x n matrices, P ranks with M words; omega = log2(7); l Strassen steps before a classical "
           "algorithm"}};
  add_classical(t);
  add_strassen(t);
  return t;
}

}  // namespace cairn::bounds::detail
