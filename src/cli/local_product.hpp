// The product of a rank's brick by the local BLAS alone: what a multiply would take if words moved in no
// time.
#pragma once

#include "base/buffer.hpp"
#include "cli/multiply_data.hpp"
#include "gemm/bricks.hpp"

namespace cairn::cli {

template <Scalar T>
class LocalProduct {
 public:
  LocalProduct(const gemm::Schedule& s, int rank) : op_a_(s.problem.op_a), op_b_(s.problem.op_b) {
    if (rank >= gemm::bricks_of(s) || !s.problem.multiplies()) return;
    const gemm::Box box = gemm::box_of(s, rank);
    m_ = box[gemm::Dim::m].count, n_ = box[gemm::Dim::n].count, k_ = box[gemm::Dim::k].count;
    a_ = filled(m_ * k_, gemm::Matrix::a);
    b_ = filled(k_ * n_, gemm::Matrix::b);
    c_ = filled(m_ * n_, gemm::Matrix::c);
  }

  void run() const {
    if (m_ == 0 || n_ == 0 || k_ == 0) return;
    blas::gemm(op_a_, op_b_, m_, n_, k_, T(1), a_.data(), op_a_ == Op::none ? m_ : k_, b_.data(),
               op_b_ == Op::none ? k_ : n_, T(0), c_.data(), m_);
  }

 private:
  static Buffer<T> filled(Index count, gemm::Matrix matrix) {
    Buffer<T> buffer(count);
    for (Index i = 0; i < count; ++i) buffer[i] = random_element<T>(matrix, i, 0);
    return buffer;
  }

  Op op_a_, op_b_;
  Index m_ = 0, n_ = 0, k_ = 0;
  Buffer<T> a_, b_, c_;
};

}  // namespace cairn::cli
