// The run of a multiply in native layouts.
#include "cli/gemm_trace.hpp"
#include "cli/local_product.hpp"
#include "cli/measure.hpp"
#include "cli/multiply_native.hpp"
#include "cli/multiply_parts.hpp"
#include "comm/agreement.hpp"
#include "comm/collectives.hpp"
#include "gemm/context.hpp"
#include "gemm/verify.hpp"

namespace cairn::cli {
namespace {

using comm::CommView;
using gemm::Matrix;

template <Scalar T>
class NativeWork final : public Work {
 public:
  NativeWork(CommView c, const gemm::Schedule& s, const MultiplyOptions& o, const SharedOptions& shared)
      : comm_(c),
        schedule_(s),
        files_(o.files),
        alpha_(as_scalar<T>(o.request.alpha)),
        beta_(as_scalar<T>(o.request.beta)),
        rounds_(shared.checks()),
        context_(c) {
    comm::agree(c, "multiply: memory of the matrices", [&] {
      parts_.emplace(schedule_, c.rank(), files_);
      local_.emplace(schedule_, c.rank());
      if (rounds_ > 0)
        freivalds_.emplace(c, s.problem.m, s.problem.n, gemm::VerifyOptions{.rounds = rounds_});
    });
    const double seconds = timed([&] { parts_->fill(c); });
    if (files_.any_input()) read_seconds_ = seconds;
  }

  void prepare(bool last) override {
    if (beta_ == T(0)) return;
    parts_->restore_c();
    if (last && freivalds_) comm::agree(comm_, "multiply: C", [&] { freivalds_->save(blocks(Matrix::c)); });
  }
  void run(program::Trace* /*trace*/) override {
    context_.multiply<T>(schedule_, alpha_, parts_->of(Matrix::a), parts_->of(Matrix::b), beta_,
                         parts_->of(Matrix::c));
  }
  std::vector<program::TraceEvent> run_traced() override {
    gemm::Trace trace;
    context_.record(&trace);
    trace.start();
    run(nullptr);
    context_.record(nullptr);
    return general_trace(trace.events());
  }
  bool run_local() override {
    local_->run();
    return true;
  }
  std::optional<WorkVerdict> check() override {
    const gemm::Problem& p = schedule_.problem;
    return verdict_of_product(freivalds_->check(alpha_, {p.op_a, blocks(Matrix::a)},
                                                {p.op_b, blocks(Matrix::b)}, beta_, blocks(Matrix::c)),
                              rounds_);
  }
  void finish() override {
    if (files_.out.empty()) return;
    write_seconds_ = timed([&] { parts_->write_c(comm_); });
    written_ = true;
  }
  std::vector<PhaseTime> more_seconds() const override {
    if (!files_.any_input() && files_.out.empty()) return {};
    return {{"read", read_seconds_}, {"write", write_seconds_}};
  }
  nlohmann::json more_fields() const override {
    nlohmann::json files = nlohmann::json::object();
    for (const Matrix x : gemm::all_matrices)
      if (!files_.of(x).empty()) files[std::string(1, "abc"[index(x)])] = files_.of(x);
    if (!files_.out.empty()) files["out"] = written_ ? nlohmann::json(files_.out) : nlohmann::json(nullptr);
    return files.empty() ? nlohmann::json::object() : nlohmann::json{{"files", files}};
  }
  std::string more_text() const override {
    std::string text;
    if (files_.any_input()) text += fmt::format("files read in {:.6f} s\n", read_seconds_);
    if (written_) text += fmt::format("C written to {} in {:.6f} s\n", files_.out, write_seconds_);
    return text;
  }

 private:
  gemm::LocalBlocks<T> blocks(Matrix x) const {
    return gemm::blocks_of<T>(gemm::NativeLayout(schedule_, x), comm_.rank(), parts_->of(x));
  }
  template <class F>
  double timed(F&& f) const {
    comm::barrier(comm_.unchecked());
    const double start = seconds_now();
    f();
    return comm::allreduce(comm_.unchecked(), seconds_now() - start, comm::ReduceOp::max);
  }

  CommView comm_;
  gemm::Schedule schedule_;
  MultiplyFiles files_;
  T alpha_, beta_;
  int rounds_;
  gemm::Context context_;
  std::optional<MultiplyParts<T>> parts_;
  std::optional<LocalProduct<T>> local_;
  std::optional<gemm::Freivalds<T>> freivalds_;
  double read_seconds_ = 0, write_seconds_ = 0;
  bool written_ = false;
};

}  // namespace

std::unique_ptr<Work> start_native(const MultiplyOptions& o, const SharedOptions& shared,
                                   const Planned& planned, CommView c) {
  const gemm::Schedule& s = std::any_cast<const plan::Plan&>(planned.own).best.schedule;
  return dispatch(s.problem.type, [&]<class T>() -> std::unique_ptr<Work> {
    return std::make_unique<NativeWork<T>>(c, s, o, shared);
  });
}

}  // namespace cairn::cli
