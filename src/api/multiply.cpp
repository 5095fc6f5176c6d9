#include "cairn/multiply.hpp"

#include "api/context_state.hpp"
#include "api/matrix_view.hpp"
#include "api/plan_state.hpp"
#include "comm/agreement.hpp"
#include "gemm/verify.hpp"
#include "layout/redistribute.hpp"

namespace cairn {
namespace {

// Threads of the BLAS for as long as it lives.
class ThreadScope {
 public:
  explicit ThreadScope(int threads) {
    if (threads == 0) return;
    before_ = blas::library().threads;
    blas::set_threads(threads);
  }
  ~ThreadScope() {
    if (before_ > 0) blas::set_threads(before_);
  }
  ThreadScope(const ThreadScope&) = delete;
  ThreadScope& operator=(const ThreadScope&) = delete;

 private:
  int before_ = 0;
};

// What this rank moves while it lives, agreements left out.
class Meter {
 public:
  Meter(comm::Traffic& traffic, Moved& moved)
      : traffic_(traffic), before_(traffic.snapshot()), moved_(moved) {}
  ~Meter() {
    for (const auto& [phase, counters] : (traffic_.snapshot() - before_).phases) {
      if (phase.ends_with(comm::agreement_phase)) continue;
      moved_.words_sent += counters.sent.words;
      moved_.words_received += counters.received.words;
      moved_.messages_sent += counters.sent.messages;
      moved_.messages_received += counters.received.messages;
    }
  }
  Meter(const Meter&) = delete;
  Meter& operator=(const Meter&) = delete;

 private:
  comm::Traffic& traffic_;
  comm::TrafficSnapshot before_;
  Moved& moved_;
};

std::string shape(std::string_view name, Op op, Index rows, Index columns) {
  return op == Op::none ? fmt::format("{} is {} x {}", name, rows, columns)
                        : fmt::format("op({}) is {} x {}", name, columns, rows);
}

Verification public_verdict(const gemm::Verdict& v) {
  return {v.passed, v.row, v.residual, v.tolerance, v.unchecked_rows};
}

// One call: its arguments, and what is made of them before anything moves.
template <Scalar T>
class Call {
 public:
  Call(T alpha, Op op_a, const Matrix<T>& a, Op op_b, const Matrix<T>& b, T beta, const Matrix<T>& c,
       const MultiplyOptions& options)
      : alpha_(alpha), beta_(beta), a_(a), b_(b), c_(c), options_(options), context_(a.context().state()) {
    product_ = {.m = op_a == Op::none ? a.rows() : a.columns(),
                .n = op_b == Op::none ? b.columns() : b.rows(),
                .k = op_a == Op::none ? a.columns() : a.rows(),
                .op_a = op_a,
                .op_b = op_b,
                .type = ScalarTraits<T>::type};
  }

  MultiplyReport run() {
    agree("multiply", [this] { prepare(); });
    MultiplyReport report{.plan = *plan_, .gathers_and_combines = {}, .redistribution = {}};
    const ThreadScope threads(options_.threads);
    if (freivalds_ && beta_ != T(0)) freivalds_->save(detail::blocks_of(c_));
    move_in(report.redistribution);
    multiply(report.gathers_and_combines);
    move_out(report.redistribution);
    if (freivalds_) report.verification = checked();
    return report;
  }

  Verification verify_only() {
    agree("verify", [this] { prepare_check(); });
    return verdict();
  }

 private:
  // The part of a matrix the engine works on: the caller's, or a native copy.
  struct Part {
    Pool::Lease copy;
    std::span<T> data;
    bool is_copy = false;
  };

  void agree(std::string_view operation, const std::function<void()>& check) {
    const std::array<Index, 5> layouts{a_.layout().state().fingerprint(), b_.layout().state().fingerprint(),
                                       c_.layout().state().fingerprint(), static_cast<Index>(product_.op_a),
                                       static_cast<Index>(product_.op_b)};
    comm::agree(context_.comm(), operation, check,
                {{"m", product_.m},
                 {"n", product_.n},
                 {"k", product_.k},
                 {"fingerprint of the layouts and ops", comm::fingerprint(layouts)},
                 {"rounds of verification", options_.verify}});
  }

  void prepare_check() {
    check_shapes();
    freivalds_.emplace(context_.comm(), product_.m, product_.n,
                       gemm::VerifyOptions{.rounds = options_.verify});
  }

  void prepare() {
    check_shapes();
    check_memory_apart(a_, "A");
    check_memory_apart(b_, "B");
    require(options_.threads >= 0, "threads is {}, expected 0 or more", options_.threads);
    require(options_.verify >= 0, "rounds of verification is {}, expected 0 or more", options_.verify);
    if (options_.verify > 0) prepare_check();
    plan_ = find_plan();
    part_of(a_, plan_->layout_a(), part_a_);
    part_of(b_, plan_->layout_b(), part_b_);
    part_of(c_, plan_->layout_c(), part_c_);
  }

  void check_shapes() const {
    require(a_.context() == b_.context() && a_.context() == c_.context(),
            "A, B and C have different contexts, expected one");
    const Index inner = product_.op_b == Op::none ? b_.rows() : b_.columns();
    require(inner == product_.k, "{} and {}: expected as many rows of the second as columns of the first",
            shape("A", product_.op_a, a_.rows(), a_.columns()),
            shape("B", product_.op_b, b_.rows(), b_.columns()));
    require(c_.rows() == product_.m && c_.columns() == product_.n, "C is {} x {}, expected {} x {}",
            c_.rows(), c_.columns(), product_.m, product_.n);
  }

  void check_memory_apart(const Matrix<T>& x, std::string_view name) const {
    const std::less<const T*> before;
    const std::span<T> mine = x.local(), result = c_.local();
    const bool overlap = !mine.empty() && !result.empty() &&
                         before(mine.data(), result.data() + result.size()) &&
                         before(result.data(), mine.data() + mine.size());
    require(!overlap, "C overlaps {}, expected memory of its own", name);
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
    const std::optional<gemm::Schedule> common = common_schedule();
    if (common && options_.planning == PlanOptions{}) return context_.plan(*common);
    return context_.plan(product_, options_.planning);
  }

  // The schedule for which all three matrices are in place.
  std::optional<gemm::Schedule> common_schedule() const {
    const auto &a = a_.layout().state().native, &b = b_.layout().state().native,
               &c = c_.layout().state().native;
    if (!a || !b || !c || a->matrix != gemm::Matrix::a || b->matrix != gemm::Matrix::b ||
        c->matrix != gemm::Matrix::c)
      return std::nullopt;
    const bool same = a->schedule == b->schedule && a->schedule == c->schedule &&
                      a->schedule.problem == detail::problem_of(product_);
    return same ? std::optional(a->schedule) : std::nullopt;
  }

  void part_of(const Matrix<T>& x, const Layout& wanted, Part& part) {
    const Index count = wanted.local_elements(context_.comm().rank());
    const auto& mine = x.layout().state().native;
    part.is_copy = !(mine && mine == wanted.state().native);
    if (!part.is_copy) {
      part.data = x.local().first(static_cast<std::size_t>(count));
      return;
    }
    part.copy = context_.pool().lease(checked_mul(count, sizeof(T), "bytes of a native copy"));
    part.data = part.copy.template as<T>().first(static_cast<std::size_t>(count));
  }

  layout::MatrixView<T> native_view(const Layout& layout, const Part& part) const {
    return {layout.state().general(), part.data.data(), static_cast<Index>(part.data.size()), 0};
  }

  // A and B to where the plan wants them, in one exchange.
  void move_in(Moved& moved) {
    std::vector<layout::MoveData<T>> moves;
    const auto add = [&](const Matrix<T>& x, const Layout& wanted, const Part& part) {
      if (part.is_copy)
        moves.push_back({T(1), Op::none, detail::view_of(x), T(0), native_view(wanted, part)});
    };
    if (alpha_ != T(0)) {  // else A and B are not read
      add(a_, plan_->layout_a(), part_a_);
      add(b_, plan_->layout_b(), part_b_);
    }
    if (!moves.empty()) redistribute(moves, moved);
  }

  // The user's C may be added to where it is: only alpha op(A) op(B) is computed in the copy.
  void multiply(Moved& moved) {
    const Meter meter(context_.comm().traffic(), moved);
    context_.engine().template multiply<T>(plan_->state().schedule(), alpha_,
                                           std::span<const T>(part_a_.data), std::span<const T>(part_b_.data),
                                           part_c_.is_copy ? T(0) : beta_, part_c_.data);
  }

  void move_out(Moved& moved) {
    if (!part_c_.is_copy) return;
    redistribute({{T(1), Op::none, native_view(plan_->layout_c(), part_c_), beta_, detail::view_of(c_)}},
                 moved);
  }

  void redistribute(const std::vector<layout::MoveData<T>>& moves, Moved& moved) {
    const Meter meter(context_.comm().traffic(), moved);
    layout::RedistributeOptions options;
    if (options_.threads > 0) options.threads = options_.threads;
    layout::redistribute<T>(context_.comm(), std::span<const layout::MoveData<T>>(moves), options);
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
  std::optional<gemm::Freivalds<T>> freivalds_;
};

}  // namespace

template <Scalar T>
ProductMatrices<T> make_product(const Context& context, Product product, const PlanOptions& options) {
  product.type = ScalarTraits<T>::type;
  std::optional<Plan> plan;
  detail::ContextState& state = context.state();
  comm::agree(state.comm(), "make_product", [&] { plan = state.plan(product, options); },
              {{"m", product.m}, {"n", product.n}, {"k", product.k}});
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
