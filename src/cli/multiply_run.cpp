// The run of a multiply: matrices in native layouts or where the user wants them, from files or random.
#include "check/freivalds.hpp"
#include "cli/local_product.hpp"
#include "cli/measure.hpp"
#include "cli/multiply_plan.hpp"
#include "comm/agreement.hpp"
#include "comm/collectives.hpp"
#include "gemm/fast/in_schedule.hpp"
#include "gemm/native_view.hpp"
#include "gemm/placement.hpp"
#include "gemm/product_runner.hpp"
#include "layout/dist_matrix.hpp"

namespace cairn::cli {
namespace {

using comm::CommView;
using gemm::Matrix;

layout::Layout layout_in(const gemm::Schedule& s, Matrix x) {
  return s.placement ? layout_of(s, x) : gemm::general_layout(s, x);
}

template <Scalar T>
class ProductWork final : public Work {
 public:
  ProductWork(CommView c, const gemm::Schedule& s, double growth, const MultiplyOptions& o,
              const SharedOptions& shared)
      : comm_(c),
        schedule_(s),
        files_(o.files),
        alpha_(as_scalar<T>(o.request.alpha)),
        beta_(as_scalar<T>(o.request.beta)),
        rounds_(shared.checks()),
        context_(c) {
    comm::agree(c, "multiply", [&] {
      if (c.rank() == 0) check_room(files_, s.problem);
    });
    comm::agree(c, "multiply: memory of the matrices", [&] {
      for (const Matrix x : gemm::all_matrices) matrices_[index(x)].emplace(layout_in(s, x), c.rank());
      if (!files_.c.empty()) first_c_ = Buffer<T>(std::ssize(of(Matrix::c).local()));
      local_.emplace(schedule_, c.rank());
      if (rounds_ > 0)
        freivalds_.emplace(c, s.problem.m, s.problem.n,
                           check::VerifyOptions{.rounds = rounds_, .growth = growth});
    });
    const double seconds = timed([&] { fill_all(); });
    if (files_.any_input()) read_seconds_ = seconds;
  }

  void prepare(bool last) override {
    if (beta_ == T(0)) return;
    restore_c();
    if (last && freivalds_) comm::agree(comm_, "multiply: C", [&] { freivalds_->save(blocks(Matrix::c)); });
  }
  void run(program::Trace* trace) override {
    context_.record(trace);
    context_.multiply<T>(schedule_, alpha_, of(Matrix::a).local(), of(Matrix::b).local(), beta_,
                         of(Matrix::c).local());
  }
  bool run_local() override {
    if (schedule_.steps) return false;
    local_->run();
    return true;
  }
  std::optional<WorkVerdict> check() override {
    const gemm::Problem& p = schedule_.problem;
    return verdict_of(freivalds_->check(alpha_, {p.op_a, blocks(Matrix::a)}, {p.op_b, blocks(Matrix::b)},
                                        beta_, blocks(Matrix::c)),
                      rounds_);
  }
  void finish() override {
    if (files_.out.empty()) return;
    write_seconds_ = timed([&] {
      io::write<T>(comm_, files_.out, of(Matrix::c).view(),
                   {.order = files_.order, .dataset = files_.out_dataset});
    });
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
  layout::DistMatrix<T>& of(Matrix x) { return *matrices_[index(x)]; }
  layout::LocalBlocks<T> blocks(Matrix x) { return layout::blocks_of<T>(of(x).view(), comm_.rank()); }
  void fill_random(Matrix x) {
    fill(of(x).view(), comm_.rank(), [&](Index i, Index j) { return random_element<T>(x, i, j); });
  }
  // Collective. The words of a file go to the ranks that hold them, and nowhere else.
  void fill_all() {
    for (const Matrix x : gemm::all_matrices)
      if (files_.of(x).empty())
        fill_random(x);
      else
        io::read<T>(comm_, files_.of(x), of(x).view(), read_options(files_, x, schedule_.problem));
    std::ranges::copy(of(Matrix::c).local().first(first_c_.span().size()), first_c_.data());
  }
  void restore_c() {
    if (files_.c.empty())
      fill_random(Matrix::c);
    else
      std::ranges::copy(first_c_.span(), of(Matrix::c).local().begin());
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
  gemm::ProductRunner context_;
  std::array<std::optional<layout::DistMatrix<T>>, 3> matrices_;
  Buffer<T> first_c_;  // of a file: there before each product
  std::optional<LocalProduct<T>> local_;
  std::optional<check::Freivalds<T>> freivalds_;
  double read_seconds_ = 0, write_seconds_ = 0;
  bool written_ = false;
};

}  // namespace

std::unique_ptr<Work> start_product(const MultiplyOptions& o, const SharedOptions& shared,
                                    const Planned& planned, CommView c) {
  const plan::Candidate& best = std::any_cast<const plan::Plan&>(planned.own).best;
  const gemm::Schedule s = best.schedule.steps && !best.schedule.placement
                               ? gemm::fast::where_dealt(best.schedule)
                               : best.schedule;
  return dispatch(s.problem.type, [&]<class T>() -> std::unique_ptr<Work> {
    return std::make_unique<ProductWork<T>>(c, s, best.error_growth, o, shared);
  });
}

}  // namespace cairn::cli
