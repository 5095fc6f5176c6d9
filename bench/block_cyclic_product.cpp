#include "bench/block_cyclic_product.hpp"

#include <algorithm>

#include "cli/multiply_data.hpp"

namespace cairn::bench {

using gemm::Matrix;
using layout::DistMatrix;

BlockCyclicProduct::BlockCyclicProduct(comm::CommView c, const ScaLapack& library,
                                       const DealtProduct& product)
    : library_(library),
      product_(product),
      context_(library.grid(product.grid.rows, product.grid.columns)),
      matrices_{DistMatrix<double>(product.whole(Matrix::a), c.rank()),
                DistMatrix<double>(product.whole(Matrix::b), c.rank()),
                DistMatrix<double>(product.whole(Matrix::c), c.rank())} {
  for (const Matrix x : {Matrix::a, Matrix::b})
    fill(matrices_[index(x)].view(), c.rank(),
         [x](Index i, Index j) { return cli::random_element<double>(x, i, j); });
  std::ranges::fill(whole(Matrix::c).local(), untouched);
}

void BlockCyclicProduct::run() {
  const gemm::Problem& p = product_.problem;
  library_.pdgemm(p.op_a, p.op_b, {p.m, p.n, p.k}, described(Matrix::a), described(Matrix::b),
                  described(Matrix::c));
}

layout::MatrixView<double> BlockCyclicProduct::operand(Matrix x, const DistMatrix<double>& whole) const {
  return {product_.operand(x), whole.local().data(), std::ssize(whole.local()),
          whole.layout().least_leading_dimension(whole.rank())};
}

Operand BlockCyclicProduct::described(Matrix x) const {
  const DistMatrix<double>& matrix = whole(x);
  const DealtMatrix& d = product_.of(x);
  return {.data = matrix.local().data(),
          .matrix = ScaLapack::descriptor(context_, d.rows, d.columns, d.blocks,
                                          matrix.layout().least_leading_dimension(matrix.rank())),
          .i = d.i,
          .j = d.j};
}

}  // namespace cairn::bench
