#include "cairn/multiply.hpp"

#include <bit>

#include "api/product_run.hpp"
#include "api/scaled.hpp"
#include "check/freivalds.hpp"

namespace cairn {
namespace {

// One call: its arguments, and what is made of them before anything moves.
template <Scalar T>
class Call {
 public:
  Call(T alpha, Op op_a, const Matrix<T>& a, Op op_b, const Matrix<T>& b, T beta, const Matrix<T>& c,
       const MultiplyOptions& options)
      : o_{.alpha = alpha,
           .beta = beta,
           .a = a,
           .b = b,
           .c = c,
           .product = detail::product_of(op_a, a, op_b, b),
           .options = options},
        context_(a.context().state()) {}

  MultiplyReport run() {
    agree("multiply", [this] { prepare(); });
    MultiplyReport report{.plan = run_->plan()};
    const detail::ThreadScope threads(o_.options.threads);
    if (freivalds_ && o_.beta != T(0)) freivalds_->save(detail::blocks_of(o_.c));
    if (report.plan.options().scaled)
      run_scaled(report);
    else
      run_->run(report);
    if (freivalds_) report.verification = checked();
    return report;
  }

  Verification verify_only(double growth) {
    growth_ = growth;
    agree("verify", [this] {
      require(growth_ >= 1, "error_growth is {}, expected 1 or more", growth_);
      prepare_check();
    });
    return verdict();
  }

 private:
  // The same product of scaled copies, in the same layouts, by the same plan.
  void run_scaled(MultiplyReport& report) {
    run_.reset();
    detail::ScaledProduct<T> scaled(o_);
    const detail::Operands<T> inner{.alpha = o_.alpha,
                                    .beta = T(0),
                                    .a = scaled.a(),
                                    .b = scaled.b(),
                                    .c = scaled.c(),
                                    .product = o_.product,
                                    .options = o_.options};
    std::optional<detail::ProductRun<T>> run;
    comm::agree(context_.comm(), "multiply: work memory", [&] { run.emplace(inner, report.plan); });
    run->run(report);
    scaled.finish(o_.c);
  }

  void agree(std::string_view operation, const std::function<void()>& check) {
    const Product& p = o_.product;
    const std::array<Index, 6> layouts{
        o_.a.layout().state().fingerprint(), o_.b.layout().state().fingerprint(),
        o_.c.layout().state().fingerprint(), static_cast<Index>(p.op_a),
        static_cast<Index>(p.op_b),          static_cast<Index>(p.type)};
    comm::agree(context_.comm(), operation, check,
                {{"m", p.m},
                 {"n", p.n},
                 {"k", p.k},
                 {"layouts, ops and type", comm::fingerprint(layouts), [this] { return operands(); }},
                 {"alpha and beta", fingerprint_of_scalars(), [this] { return scalars(); }},
                 {"options", fingerprint_of_options(), [this] { return option_list(); }}});
  }

  // The same as an error shows them.
  std::vector<comm::Argument> operands() const {
    const Product& p = o_.product;
    return {{"layout of A", o_.a.layout().text()}, {"layout of B", o_.b.layout().text()},
            {"layout of C", o_.c.layout().text()}, {"op of A", comm::op_text(p.op_a)},
            {"op of B", comm::op_text(p.op_b)},    {"type", std::string(name(p.type))}};
  }
  std::vector<comm::Argument> scalars() const {
    return {{"alpha", comm::scalar_text(o_.alpha)}, {"beta", comm::scalar_text(o_.beta)}};
  }
  std::vector<comm::Argument> option_list() const {
    const MultiplyOptions& o = o_.options;
    std::vector<comm::Argument> all{{"verify", std::to_string(o.verify)},
                                    {"plan", o.plan ? o.plan->describe() : "not given"},
                                    {"ranks of the plan", o.plan ? std::to_string(o.plan->ranks()) : "-"}};
    for (comm::Argument& a : detail::arguments_of(o.planning)) all.push_back(std::move(a));
    return all;
  }

  Index fingerprint_of_scalars() const {
    const std::array<std::complex<double>, 2> wide{o_.alpha, o_.beta};
    return comm::fingerprint(std::bit_cast<std::array<Index, 4>>(wide));
  }

  // Threads are each rank's own business.
  Index fingerprint_of_options() const {
    const std::optional<Plan>& plan = o_.options.plan;
    const std::array<Index, 4> values{o_.options.verify, detail::fingerprint(o_.options.planning),
                                      plan ? plan->state().fingerprint() : 0, plan ? plan->ranks() : 0};
    return comm::fingerprint(values);
  }

  void prepare_check() {
    detail::check_shapes(o_.product, o_.a, o_.b, o_.c);
    freivalds_.emplace(context_.comm(), o_.product.m, o_.product.n,
                       check::VerifyOptions{.rounds = o_.options.verify, .growth = growth_});
  }

  void prepare() {
    detail::check_shapes(o_.product, o_.a, o_.b, o_.c);
    detail::check_memory_apart("A", o_.a, o_.c);
    detail::check_memory_apart("B", o_.b, o_.c);
    check_options();
    run_.emplace(o_, plan());
    growth_ = run_->plan().error_growth();
    if (o_.options.verify > 0) prepare_check();
  }

  void check_options() const {
    const MultiplyOptions& options = o_.options;
    require(options.threads >= 0, "threads is {}, expected 0 or more", options.threads);
    require(options.threads == 0 || blas::library().threads > 0,
            "threads is {}, and this BLAS cannot change its threads: expected 0", options.threads);
    require(options.verify >= 0, "rounds of verification is {}, expected 0 or more", options.verify);
    detail::check(options.planning);
  }

  // What was given or named, or the plan that the matrices were made for; else one for them as they are.
  Plan plan() {
    const MultiplyOptions& options = o_.options;
    if (options.plan) return given(*options.plan);
    if (detail::name_a_schedule(options.planning)) return context_.plan(o_.product, options.planning);
    if (const auto dealt = dealt_plan()) return context_.plan(dealt, layouts());
    const auto common = common_plan();
    const std::optional<Index>& limit = options.planning.memory_bytes;
    if (common && !(limit && common->plan.best.memory_bytes > *limit)) return context_.plan(common);
    return context_.plan(o_.product, layouts(), options.planning);
  }

  std::array<Layout, 3> layouts() const { return {o_.a.layout(), o_.b.layout(), o_.c.layout()}; }

  // A plan that was given is one for this product on ranks that are there, and for matrices as they are.
  const Plan& given(const Plan& plan) const {
    require(plan.product() == o_.product, "the plan is for {}, the product is {}", plan.describe(),
            gemm::describe(detail::problem_of(o_.product)));
    require(plan.ranks() <= context_.comm().size(), "the plan is for {} ranks, expected at most {}",
            plan.ranks(), context_.comm().size());
    const std::array<Layout, 3> mine = layouts();
    for (std::size_t x = 0; plan.is_placed() && x < 3; ++x)
      require(plan.state().layouts[x] == mine[x], "the plan is for {} as {}, but it is {}", "ABC"[x],
              plan.state().layouts[x].text(), mine[x].text());
    return plan;
  }

  // The plan with fast steps that all three matrices were made for, if there is one.
  std::shared_ptr<const detail::PlanCore> dealt_plan() const {
    const auto& a = o_.a.layout().state().made_for;
    const auto in_place = [&](const Matrix<T>& x, gemm::Matrix as) {
      const auto& made = x.layout().state().made_for;
      return made && made->plan == a->plan && made->matrix == as;
    };
    const std::optional<Index>& limit = o_.options.planning.memory_bytes;
    const bool same = a && a->plan->product == o_.product && in_place(o_.a, gemm::Matrix::a) &&
                      in_place(o_.b, gemm::Matrix::b) && in_place(o_.c, gemm::Matrix::c);
    return same && !(limit && a->plan->plan.best.memory_bytes > *limit) ? a->plan : nullptr;
  }

  // The plan for which all three matrices are in place, if there is one.
  std::shared_ptr<const detail::PlanCore> common_plan() const {
    const auto& a = o_.a.layout().state().native;
    const auto in_place = [&](const Matrix<T>& x, gemm::Matrix as) {
      const auto& native = x.layout().state().native;
      return native && native->matrix == as && native->schedule() == a->schedule();
    };
    const bool same = a && a->schedule().problem == detail::problem_of(o_.product) &&
                      in_place(o_.a, gemm::Matrix::a) && in_place(o_.b, gemm::Matrix::b) &&
                      in_place(o_.c, gemm::Matrix::c);
    return same ? a->plan : nullptr;
  }

  Verification verdict() const {
    return freivalds_->check(o_.alpha, {o_.product.op_a, detail::blocks_of(o_.a)},
                             {o_.product.op_b, detail::blocks_of(o_.b)}, o_.beta, detail::blocks_of(o_.c));
  }

  Verification checked() const {
    const Verification v = verdict();  // the same on every rank
    check::require_right(v, "multiply");
    return v;
  }

  detail::Operands<T> o_;
  detail::ContextState& context_;
  std::optional<detail::ProductRun<T>> run_;
  std::optional<check::Freivalds<T>> freivalds_;
  double growth_ = 1;  // of what rounding explains
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
               {"options", detail::fingerprint(options), [&] { return detail::arguments_of(options); }}});
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
                    const Matrix<T>& c, int rounds, double error_growth) {
  MultiplyOptions options;
  options.verify = rounds;
  return Call<T>(alpha, op_a, a, op_b, b, T(0), c, options).verify_only(error_growth);
}

#define CAIRN_INSTANTIATE(T)                                                                               \
  template ProductMatrices<T> make_product(const Context&, Product, const PlanOptions&);                   \
  template MultiplyReport multiply<T>(std::type_identity_t<T>, Op, const Matrix<T>&, Op, const Matrix<T>&, \
                                      std::type_identity_t<T>, Matrix<T>&, const MultiplyOptions&);        \
  template Verification verify<T>(std::type_identity_t<T>, Op, const Matrix<T>&, Op, const Matrix<T>&,     \
                                  const Matrix<T>&, int, double);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn
