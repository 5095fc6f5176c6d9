#include "bench/block_cyclic_product.hpp"

#include "cli/multiply_data.hpp"
#include "layout/kinds.hpp"

namespace cairn::bench {

using gemm::Matrix;

BlockCyclicProduct::BlockCyclicProduct(comm::CommView c, const ScaLapack& library, const model::Product& p,
                                       int rows, int columns, Index block)
    : comm_(c),
      library_(library),
      p_(p),
      rows_(rows),
      columns_(columns),
      block_(block),
      context_(library.grid(rows, columns)),
      matrices_{matrix(p.m, p.k), matrix(p.k, p.n), matrix(p.m, p.n)} {
  for (const Matrix x : {Matrix::a, Matrix::b})
    fill(matrices_[index(x)].view(), c.rank(),
         [x](Index i, Index j) { return cli::random_element<double>(x, i, j); });
}

void BlockCyclicProduct::run() {
  library_.pdgemm(p_.m, p_.n, p_.k, data(Matrix::a), describe(Matrix::a), data(Matrix::b),
                  describe(Matrix::b), data(Matrix::c), describe(Matrix::c));
}

std::array<layout::Layout, 3> BlockCyclicProduct::layouts() const {
  return {matrices_[0].layout(), matrices_[1].layout(), matrices_[2].layout()};
}

layout::DistMatrix<double> BlockCyclicProduct::matrix(Index m, Index n) const {
  const layout::BlockCyclic how{
      .process_rows = rows_, .process_columns = columns_, .mb = block_, .nb = block_};
  return {layout::block_cyclic(m, n, how), comm_.rank()};
}

Descriptor BlockCyclicProduct::describe(Matrix x) const {
  const layout::Layout& l = matrices_[index(x)].layout();
  return ScaLapack::descriptor(context_, l.rows(), l.columns(), block_, block_,
                               l.least_leading_dimension(comm_.rank()));
}

}  // namespace cairn::bench
