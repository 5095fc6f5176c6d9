#include "cli/operation.hpp"

namespace cairn::cli {

const std::vector<Operation>& operations() {
  static const std::vector<Operation> table{
      multiply_operation(), redistribute_operation(), strassen_operation(), lu_operation(),
      cholesky_operation(), solve_operation(),        syrk_operation(),     symm_operation(),
      trmm_operation(),     spgemm_operation(),       spmm_operation(),     collectives_operation()};
  return table;
}

}  // namespace cairn::cli
