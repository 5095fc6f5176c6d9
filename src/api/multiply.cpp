#include "cairn/multiply.hpp"

#include <bit>

#include "api/checks.hpp"
#include "api/context_state.hpp"
#include "api/matrix_view.hpp"
#include "api/plan_state.hpp"
#include "api/scopes.hpp"
#include "gemm/verify.hpp"
#include "layout/redistribute.hpp"

namespace cairn {
namespace {

Verification public_verdict(const gemm::Verdict& v) {
  return {v.passed, v.row, v.residual, v.tolerance, v.unchecked_rows};
}

// One call: its arguments, and what is made of them before anything moves.
template <Scalar T>
class Call {
 public:
  Call(T alpha, Op op_a, const Matrix<T>& a, Op op_b, const Matrix<T>& b, T beta, const Matrix<T>& c,
       const MultiplyOptions& options)
      : alpha_(alpha),
        beta_(beta),
        a_(a),
        b_(b),
        c_(c),
        options_(options),
        context_(a.context().state()),
        product_(detail::product_of(op_a, a, op_b, b)) {}

  MultiplyReport run() {
    agree("multiply", [this] { prepare(); });
    MultiplyReport report{.plan = *plan_, .gathers_and_combines = {}, .redistribution = {}};
    const detail::ThreadScope threads(options_.threads);
    if (freivalds_ && beta_ != T(0)) freivalds_->save(detail::blocks_of(c_));
    move(in_, moves_in_, report.redistribution);
    multiply(report.gathers_and_combines);
    move(out_, moves_out_, report.redistribution);
    if (part_c_.is_copy && alpha_ == T(0)) scale_copied();
    if (freivalds_) report.verification = checked();
    return report;
  }

  Verification verify_only() {
    agree("verify", [this] { prepare_check(); });
    return verdict();
  }

 private:
  using Moves = std::vector<layout::MoveData<T>>;

  // The part of a matrix the engine works on: the caller's, or a native copy.
  struct Part {
    Pool::Lease copy;
    std::span<T> data;
    bool is_copy = false;
  };

  void agree(std::string_view operation, const std::function<void()>& check) {
    const std::array<Index, 6> layouts{a_.layout().state().fingerprint(), b_.layout().state().fingerprint(),
                                       c_.layout().state().fingerprint(), static_cast<Index>(product_.op_a),
                                       static_cast<Index>(product_.op_b), static_cast<Index>(product_.type)};
    comm::agree(context_.comm(), operation, check,
                {{"m", product_.m},
                 {"n", product_.n},
                 {"k", product_.k},
                 {"fingerprint of the layouts, ops and type", comm::fingerprint(layouts)},
                 {"fingerprint of alpha and beta", fingerprint_of_scalars()},
                 {"fingerprint of the options", fingerprint_of_options()}});
  }

  Index fingerprint_of_scalars() const {
    const std::array<std::complex<double>, 2> wide{alpha_, beta_};
    return comm::fingerprint(std::bit_cast<std::array<Index, 4>>(wide));
  }

  // Threads are each rank's own business.
  Index fingerprint_of_options() const {
    const std::optional<Plan>& plan = options_.plan;
    const std::array<Index, 4> values{options_.verify, detail::fingerprint(options_.planning),
                                      plan ? plan->state().fingerprint() : 0, plan ? plan->ranks() : 0};
    return comm::fingerprint(values);
  }

  void prepare_check() {
    detail::check_shapes(product_, a_, b_, c_);
    freivalds_.emplace(context_.comm(), product_.m, product_.n,
                       gemm::VerifyOptions{.rounds = options_.verify});
  }

  void prepare() {
    detail::check_shapes(product_, a_, b_, c_);
    detail::check_memory_apart("A", a_, c_);
    detail::check_memory_apart("B", b_, c_);
    check_options();
    if (options_.verify > 0) prepare_check();
    plan_ = find_plan();
    part_of(a_, plan_->layout_a(), part_a_);
    part_of(b_, plan_->layout_b(), part_b_);
    part_of(c_, plan_->layout_c(), part_c_);
    if (alpha_ != T(0)) prepare_moves();
  }

  void check_options() const {
    const int threads = options_.threads;
    require(threads >= 0, "threads is {}, expected 0 or more", threads);
    require(threads == 0 || blas::library().threads > 0,
            "threads is {}, and the BLAS cannot be told: expected 0", threads);
    require(options_.verify >= 0, "rounds of verification is {}, expected 0 or more", options_.verify);
  }

  Plan find_plan() {
    if (options_.plan) {
      const Plan& given = *options_.plan;
      require(given.product() == product_, "the plan is for {}, the product is {}", given.describe(),
              gemm::describe(gemm::Schedule{.problem = detail::problem_of(product_)}));
      require(given.ranks() <= context_.comm().size(), "the plan is for {} ranks, expected at most {}",
              given.ranks(), context_.comm().size());
      return given;
    }
    if (options_.planning == PlanOptions{})
      if (const auto common = common_plan()) return context_.plan(common);
    return context_.plan(product_, options_.planning);
  }

  // The plan for which all three matrices are in place, if there is one.
  std::shared_ptr<const detail::PlanCore> common_plan() const {
    const auto& a = a_.layout().state().native;
    const auto in_place = [&](const Matrix<T>& x, gemm::Matrix as) {
      const auto& native = x.layout().state().native;
      return native && native->matrix == as && native->schedule() == a->schedule();
    };
    const bool same = a && a->schedule().problem == detail::problem_of(product_) &&
                      in_place(a_, gemm::Matrix::a) && in_place(b_, gemm::Matrix::b) &&
                      in_place(c_, gemm::Matrix::c);
    return same ? a->plan : nullptr;
  }

  void part_of(const Matrix<T>& x, const Layout& wanted, Part& part) {
    const auto& mine = x.layout().state().native;
    part.is_copy = !(mine && same_places(*mine, *wanted.state().native));
    part.data = x.local();
    if (!part.is_copy) return;
    const Index count = wanted.local_elements(context_.comm().rank());
    part.copy = context_.pool().lease(checked_mul(count, sizeof(T), "bytes of a native copy"));
    part.data = part.copy.template as<T>().first(static_cast<std::size_t>(count));
  }

  layout::MatrixView<T> native_view(const Layout& layout, const Part& part) const {
    return {layout.state().general(), part.data.data(), static_cast<Index>(part.data.size()), 0};
  }

  // A and B to where the plan wants them, in one exchange; alpha op(A) op(B) back to where C is.
  void prepare_moves() {
    const auto add = [&](const Matrix<T>& x, const Layout& wanted, const Part& part) {
      if (part.is_copy)
        moves_in_.push_back({T(1), Op::none, detail::view_of(x), T(0), native_view(wanted, part)});
    };
    add(a_, plan_->layout_a(), part_a_);
    add(b_, plan_->layout_b(), part_b_);
    if (part_c_.is_copy)
      moves_out_.push_back(
          {T(1), Op::none, native_view(plan_->layout_c(), part_c_), beta_, detail::view_of(c_)});
    in_ = exchange_of(moves_in_);
    out_ = exchange_of(moves_out_);
  }

  std::shared_ptr<const layout::ExchangePlan> exchange_of(const Moves& moves) {
    std::vector<layout::Move> shapes;
    for (const layout::MoveData<T>& m : moves) shapes.push_back({m.a.layout, m.b.layout, m.op});
    return shapes.empty() ? nullptr : context_.exchange(shapes);
  }

  // What is computed in a copy of C is alpha op(A) op(B) alone: beta C is added where C is.
  void multiply(Moved& moved) {
    if (part_c_.is_copy && alpha_ == T(0)) return;
    const detail::Meter meter(context_.comm().traffic(), moved);
    context_.engine().template multiply<T>(plan_->state().schedule(), alpha_,
                                           std::span<const T>(part_a_.data), std::span<const T>(part_b_.data),
                                           part_c_.is_copy ? T(0) : beta_, part_c_.data);
  }

  void scale_copied() {
    layout::redistribute<T>(context_.comm(), T(0), Op::none, native_view(plan_->layout_c(), part_c_), beta_,
                            detail::view_of(c_));
  }

  void move(const std::shared_ptr<const layout::ExchangePlan>& exchange, const Moves& moves, Moved& moved) {
    if (exchange == nullptr) return;
    const detail::Meter meter(context_.comm().traffic(), moved);
    layout::RedistributeOptions options;
    if (options_.threads > 0) options.threads = options_.threads;
    layout::run<T>(*exchange, context_.comm(), moves, options);
  }

  Verification verdict() const {
    return public_verdict(freivalds_->check(alpha_, {product_.op_a, detail::blocks_of(a_)},
                                            {product_.op_b, detail::blocks_of(b_)}, beta_,
                                            detail::blocks_of(c_)));
  }

  Verification checked() const {
    const Verification v = verdict();  // the same on every rank
    require<ResultError>(v.passed, "multiply: row {} of C differs by {:.3g}, rounding explains {:.3g}", v.row,
                         v.residual, v.tolerance);
    return v;
  }

  T alpha_, beta_;
  const Matrix<T>&a_, &b_, &c_;
  const MultiplyOptions& options_;
  detail::ContextState& context_;
  Product product_;
  std::optional<Plan> plan_;
  Part part_a_, part_b_, part_c_;
  Moves moves_in_, moves_out_;
  std::shared_ptr<const layout::ExchangePlan> in_, out_;  // null: nothing to move
  std::optional<gemm::Freivalds<T>> freivalds_;
};

}  // namespace

template <Scalar T>
ProductMatrices<T> make_product(const Context& context, Product product, const PlanOptions& options) {
  product.type = ScalarTraits<T>::type;
  std::optional<Plan> plan;
  detail::ContextState& state = context.state();
  comm::agree(state.comm(), "make_product", [&] { plan = state.plan(product, options); },
              {{"m", product.m},
               {"n", product.n},
               {"k", product.k},
               {"op of A", static_cast<Index>(product.op_a)},
               {"op of B", static_cast<Index>(product.op_b)},
               {"fingerprint of the options", detail::fingerprint(options)}});
  return {{context, plan->layout_a()}, {context, plan->layout_b()}, {context, plan->layout_c()}};
}

template <Scalar T>
MultiplyReport multiply(std::type_identity_t<T> alpha, Op op_a, const Matrix<T>& a, Op op_b,
                        const Matrix<T>& b, std::type_identity_t<T> beta, Matrix<T>& c,
                        const MultiplyOptions& options) {
  return Call<T>(alpha, op_a, a, op_b, b, beta, c, options).run();
}

template <Scalar T>
Verification verify(std::type_identity_t<T> alpha, Op op_a, const Matrix<T>& a, Op op_b, const Matrix<T>& b,
                    const Matrix<T>& c, int rounds) {
  MultiplyOptions options;
  options.verify = rounds;
  return Call<T>(alpha, op_a, a, op_b, b, T(0), c, options).verify_only();
}

#define CAIRN_INSTANTIATE(T)                                                                               \
  template ProductMatrices<T> make_product(const Context&, Product, const PlanOptions&);                   \
  template MultiplyReport multiply<T>(std::type_identity_t<T>, Op, const Matrix<T>&, Op, const Matrix<T>&, \
                                      std::type_identity_t<T>, Matrix<T>&, const MultiplyOptions&);        \
  template Verification verify<T>(std::type_identity_t<T>, Op, const Matrix<T>&, Op, const Matrix<T>&,     \
                                  const Matrix<T>&, int);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn
