// Runs a plan: on matrices where they are, or on native layouts, to which what is not there yet is copied and
// from which C is added back.
#pragma once

#include "api/operands.hpp"
#include "api/plan_state.hpp"
#include "api/scopes.hpp"
#include "layout/exchange/redistribute.hpp"

namespace cairn::detail {

template <Scalar T>
class ProductRun {
 public:
  // Leases the copies and finds the exchanges; moves nothing. Local: throws on this rank alone.
  ProductRun(const Operands<T>& operands, Plan plan) : o_(operands), plan_(std::move(plan)) {
    make_room();
    part_of(o_.a, plan_.layout_a(), a_);
    part_of(o_.b, plan_.layout_b(), b_);
    part_of(o_.c, plan_.layout_c(), c_);
    if (o_.alpha != T(0)) prepare_moves();
  }

  const Plan& plan() const { return plan_; }

  // Collective.
  void run(MultiplyReport& report) {
    move(in_, moves_in_, report.redistribution);
    multiply(report.gathers_and_combines);
    move(out_, moves_out_, report.redistribution);
    if (c_.is_copy && o_.alpha == T(0)) scale_copied();
  }

 private:
  using Moves = std::vector<layout::MoveData<T>>;

  // The part of a matrix the engine works on: the caller's, or a native copy.
  struct Part {
    Pool::Lease copy;
    std::span<T> data;
    Index leading_dimension = 0;
    bool is_copy = false;
  };

  // With a limit, what is kept of other calls goes first where both together would break it.
  void make_room() {
    ContextState& context = o_.context();
    const std::optional<Index>& limit = plan_.options().memory_bytes;
    if (plan_.is_placed() && limit && context.kept_bytes() > *limit - plan_.memory_bytes()) context.trim();
  }

  void part_of(const Matrix<T>& x, const Layout& wanted, Part& part) {
    const auto& mine = x.layout().state().native;
    part.is_copy = !plan_.is_placed() && !(mine && same_places(*mine, *wanted.state().native));
    part.data = x.local();
    if (plan_.is_placed()) part.leading_dimension = x.leading_dimension();
    if (!part.is_copy) return;
    ContextState& context = o_.context();
    const Index count = wanted.local_elements(context.comm().rank());
    part.copy = context.pool().lease(checked_mul(count, sizeof(T), "bytes of a native copy"));
    part.data = part.copy.template as<T>().first(static_cast<std::size_t>(count));
  }

  layout::MatrixView<T> native_view(const Layout& layout, const Part& part) const {
    return {layout.state().general(), part.data.data(), static_cast<Index>(part.data.size()), 0};
  }

  // A and B to where the plan wants them, in one exchange; alpha op(A) op(B) back to where C is.
  void prepare_moves() {
    const auto add = [&](const Matrix<T>& x, const Layout& wanted, const Part& part) {
      if (part.is_copy) moves_in_.push_back({T(1), Op::none, view_of(x), T(0), native_view(wanted, part)});
    };
    add(o_.a, plan_.layout_a(), a_);
    add(o_.b, plan_.layout_b(), b_);
    if (c_.is_copy)
      moves_out_.push_back({T(1), Op::none, native_view(plan_.layout_c(), c_), o_.beta, view_of(o_.c)});
    in_ = exchange_of(moves_in_);
    out_ = exchange_of(moves_out_);
  }

  std::shared_ptr<const layout::ExchangePlan> exchange_of(const Moves& moves) {
    std::vector<layout::Move> shapes;
    for (const layout::MoveData<T>& m : moves) shapes.push_back({m.a.layout, m.b.layout, m.op});
    return shapes.empty() ? nullptr : o_.context().exchange(shapes);
  }

  // What is computed in a copy of C is alpha op(A) op(B) alone: beta C is added where C is.
  void multiply(Moved& moved) {
    if (c_.is_copy && o_.alpha == T(0)) return;
    ContextState& context = o_.context();
    const Meter meter(context.comm().traffic(), moved);
    const auto read = [](const Part& x) {
      return gemm::LocalPart<const T>(x.data.data(), std::ssize(x.data), x.leading_dimension);
    };
    context.engine().template multiply<T>(
        plan_.state().schedule(), o_.alpha, read(a_), read(b_), c_.is_copy ? T(0) : o_.beta,
        {c_.data.data(), std::ssize(c_.data), c_.leading_dimension}, std::max(1, o_.options.threads));
  }

  void scale_copied() {
    layout::redistribute<T>(o_.context().comm(), T(0), Op::none, native_view(plan_.layout_c(), c_), o_.beta,
                            view_of(o_.c));
  }

  void move(const std::shared_ptr<const layout::ExchangePlan>& exchange, const Moves& moves, Moved& moved) {
    if (exchange == nullptr) return;
    const comm::CommView comm = o_.context().comm();
    const Meter meter(comm.traffic(), moved);
    layout::RedistributeOptions options;
    if (o_.options.threads > 0) options.threads = o_.options.threads;
    layout::run<T>(*exchange, comm, moves, options);
  }

  const Operands<T>& o_;
  Plan plan_;
  Part a_, b_, c_;
  Moves moves_in_, moves_out_;
  std::shared_ptr<const layout::ExchangePlan> in_, out_;  // null: nothing to move
};

}  // namespace cairn::detail
