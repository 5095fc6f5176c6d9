// The run of a multiply by fast steps.
#include <algorithm>

#include "base/buffer.hpp"
#include "cli/multiply_data.hpp"
#include "cli/multiply_fast.hpp"
#include "cli/multiply_plan.hpp"
#include "comm/agreement.hpp"
#include "gemm/fast/compile.hpp"
#include "layout/dist_matrix.hpp"
#include "program/run.hpp"

namespace cairn::cli {
namespace {

using comm::CommView;
using gemm::Matrix;
namespace fast = gemm::fast;

template <Scalar T>
class FastWork final : public Work {
 public:
  FastWork(CommView c, const fast::FastSchedule& s, const MultiplyOptions& o, const SharedOptions& shared)
      : comm_(c),
        dealt_(s),
        alpha_(as_scalar<T>(o.request.alpha)),
        beta_(as_scalar<T>(o.request.beta)),
        rounds_(shared.checks()) {
    comm::agree(c, "multiply: memory of the matrices", [&] {
      program_ = fast::compile(s, c.rank(), c.size());
      for (std::size_t i = 0; i < arrays_.size(); ++i) arrays_[i] = Buffer<T>(program_.array_counts[i]);
      if (rounds_ > 0)
        freivalds_.emplace(  // the tolerance follows the bound: it grows with the steps
            c, s.problem.m, s.problem.n,
            gemm::VerifyOptions{.rounds = rounds_, .growth = fast::error_growth(s)});
    });
    for (const Matrix x : gemm::all_matrices) fill(x);
  }

  void prepare(bool last) override {
    if (beta_ == T(0)) return;
    fill(Matrix::c);
    if (last && freivalds_) comm::agree(comm_, "multiply: C", [&] { freivalds_->save(blocks(Matrix::c)); });
  }
  void run(program::Trace* trace) override {
    const std::array<T*, 4> arrays{arrays_[0].data(), arrays_[1].data(), arrays_[2].data(),
                                   arrays_[3].data()};
    const std::array<T, 2> parameters{alpha_, beta_};
    program::run<T>(program_, comm_, {arrays, parameters}, {.trace = trace});
  }
  // op(A) and op(B) are what is dealt.
  std::optional<WorkVerdict> check() override {
    return verdict_of_product(freivalds_->check(alpha_, {Op::none, blocks(Matrix::a)},
                                                {Op::none, blocks(Matrix::b)}, beta_, blocks(Matrix::c)),
                              rounds_);
  }

 private:
  layout::MatrixView<T> view(Matrix x) const {
    const Buffer<T>& data = arrays_[index(x) + 1];
    return {dealt_.layout(x), data.data(), data.size(), 0};
  }
  gemm::LocalBlocks<T> blocks(Matrix x) const {
    return gemm::blocks_of<T>(layout::MatrixView<const T>(view(x)), comm_.rank());
  }
  void fill(Matrix x) {
    const Buffer<T>& data = arrays_[index(x) + 1];
    std::fill_n(data.data(), data.size(), T(0));  // the padding
    if (data.size() > 0)
      layout::for_each_element(view(x), comm_.rank(),
                               [&](Index i, Index j, T& v) { v = random_element<T>(x, i, j); });
  }

  CommView comm_;
  fast::Dealt dealt_;
  T alpha_, beta_;
  int rounds_;
  program::Program program_;
  std::array<Buffer<T>, 4> arrays_;
  std::optional<gemm::Freivalds<T>> freivalds_;
};

}  // namespace

std::unique_ptr<Work> start_fast(const MultiplyOptions& o, const SharedOptions& shared,
                                 const Planned& planned, CommView c) {
  const auto& s = std::any_cast<const fast::FastSchedule&>(planned.own);
  return dispatch(s.problem.type, [&]<class T>() -> std::unique_ptr<Work> {
    return std::make_unique<FastWork<T>>(c, s, o, shared);
  });
}

}  // namespace cairn::cli
