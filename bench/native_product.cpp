#include "bench/native_product.hpp"

#include "check/freivalds.hpp"
#include "cli/multiply_data.hpp"
#include "gemm/local_blocks.hpp"
#include "gemm/native_view.hpp"
#include "layout/dist_matrix.hpp"

namespace cairn::bench {

using gemm::Matrix;

NativeProduct::NativeProduct(comm::CommView c, const gemm::Schedule& s, Index work_bytes)
    : comm_(c), schedule_(s), context_(c, {.work_bytes = work_bytes}) {
  c.pool().trim();
  c.pool().restart_peak();
  for (const Matrix x : gemm::all_matrices) {
    data_[index(x)] = Buffer<double>(gemm::NativeLayout(s, x).local_count(c.rank()));
    const layout::MatrixView<double> view{gemm::general_layout(s, x), of(x).data(), std::ssize(of(x)), 0};
    fill(view, c.rank(), [&](Index i, Index j) { return cli::random_element<double>(x, i, j); });
  }
}

void NativeProduct::run() {
  context_.multiply<double>(schedule_, 1.0, of(Matrix::a), of(Matrix::b), 0.0, of(Matrix::c));
}

double NativeProduct::worst_error() const {
  const gemm::Problem& p = schedule_.problem;
  const auto blocks = [&](Matrix x) {
    return gemm::blocks_of<double>(gemm::NativeLayout(schedule_, x), comm_.rank(), of(x));
  };
  return check::Freivalds<double>(comm_, p.m, p.n)
      .check(1.0, {p.op_a, blocks(Matrix::a)}, {p.op_b, blocks(Matrix::b)}, 0.0, blocks(Matrix::c))
      .error_over_allowed();
}

Index NativeProduct::most_bytes() const {
  Index bytes = context_.pool().leased().peak + comm_.pool().leased().peak;
  for (const Buffer<double>& x : data_) bytes += static_cast<Index>(x.span().size_bytes());
  return bytes;
}

}  // namespace cairn::bench
