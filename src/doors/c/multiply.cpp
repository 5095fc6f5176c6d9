#include "cairn/multiply.hpp"

#include "api/checks.hpp"
#include "api/context_state.hpp"
#include "api/plan_state.hpp"
#include "cairn/vector.hpp"
#include "doors/c/values.hpp"

using namespace cairn::c_door;
using cairn::Matrix;
using cairn::Scalar;

namespace {

cairn::MultiplyOptions multiply_options(const cairn_multiply_options* options) {
  const cairn_multiply_options given = known_options(options, "options");
  cairn::MultiplyOptions o;
  o.planning = plan_options(given.planning);
  if (given.plan != nullptr) o.plan = *behind(given.plan, "options.plan");
  o.verify = given.verify;
  o.threads = given.threads;
  return o;
}

cairn_moved moved_of(const cairn::Moved& m) {
  return {m.words_sent, m.words_received, m.messages_sent, m.messages_received};
}

cairn_multiply_report multiply_report(const cairn::MultiplyReport& r) {
  cairn_multiply_report report{};
  report.gathers_and_combines = moved_of(r.gathers_and_combines);
  report.redistribution = moved_of(r.redistribution);
  if (r.verification) {
    report.verified = 1;
    report.residual = r.verification->residual;
    report.tolerance = r.verification->tolerance;
  }
  return report;
}

// Three matrices of one type, alive; C may be written.
struct ThreeMatrices {
  std::shared_ptr<OfAnyType<Matrix>> a, b, c;

  ThreeMatrices(cairn_matrix_t ha, cairn_matrix_t hb, cairn_matrix_t hc)
      : a(behind(ha, "a")), b(behind(hb, "b")), c(behind(hc, "c")) {}

  // f(A, B, C)
  template <class F>
  void visit(F&& f) const {
    std::visit(
        [&]<Scalar T>(Matrix<T>& x) {
          f(x, same_type<T, Matrix>(*b, "b", "a"), same_type<T, Matrix>(*c, "c", "a"));
        },
        *a);
  }
};

// What cairn::multiply will run, local.
template <Scalar T>
cairn::Plan plan_of_call(const cairn::Product& product, const Matrix<T>& a, const Matrix<T>& b,
                         const Matrix<T>& c, const cairn::MultiplyOptions& options) {
  if (options.plan) return *options.plan;
  const int ranks = a.context().size();
  if (cairn::detail::name_a_schedule(options.planning))
    return cairn::plan_multiply(product, ranks, options.planning);
  if (a.layout().is_native() && b.layout().is_native() && c.layout().is_native())
    return a.context().state().plan(a.layout().state().native->plan);
  return cairn::plan_multiply(product, a.layout(), b.layout(), c.layout(), ranks, options.planning);
}

}  // namespace

extern "C" {

cairn_status cairn_make_product(cairn_context_t context, cairn_scalar type, const cairn_product* product,
                                const cairn_plan_options* options, cairn_matrix_t* a, cairn_matrix_t* b,
                                cairn_matrix_t* c) {
  return collective("make_product", {context}, [&] {
    required(a, "a"), required(b, "b"), required(c, "c");
    const auto where = behind(context, "context");
    const cairn::Product p = product_value(product, type);
    const cairn::PlanOptions o = plan_options(options);
    with_type(type, [&]<class T>(T) {
      auto made = cairn::make_product<T>(*where, p, o);
      give(a, std::move(made.a));
      give(b, std::move(made.b));
      give(c, std::move(made.c));
    });
  });
}

cairn_status cairn_multiply(const void* alpha, cairn_op op_a, cairn_matrix_t a, cairn_op op_b,
                            cairn_matrix_t b, const void* beta, cairn_matrix_t c,
                            const cairn_multiply_options* options, cairn_multiply_report* report,
                            cairn_plan_t* plan) {
  return collective("multiply", {a, b, c}, [&] {
    const ThreeMatrices matrices(a, b, c);
    const cairn::MultiplyOptions o = multiply_options(options);
    const cairn::Op oa = op_value(op_a, "op_a"), ob = op_value(op_b, "op_b");
    check_report(report, "report");
    matrices.visit([&]<Scalar T>(Matrix<T>& x, Matrix<T>& y, Matrix<T>& z) {
      const cairn::MultiplyReport done =
          cairn::multiply<T>(number_at(alpha, T(1)), oa, x, ob, y, number_at(beta, T(0)), z, o);
      write_report(report, multiply_report(done));
      if (plan != nullptr) give(plan, done.plan);
    });
  });
}

cairn_status cairn_multiply_memory(cairn_op op_a, cairn_matrix_t a, cairn_op op_b, cairn_matrix_t b,
                                   cairn_matrix_t c, const cairn_multiply_options* options, int64_t* bytes) {
  return guarded([&] {
    required(bytes, "bytes");
    const ThreeMatrices matrices(a, b, c);
    const cairn::MultiplyOptions o = multiply_options(options);
    const cairn::Op oa = op_value(op_a, "op_a"), ob = op_value(op_b, "op_b");
    matrices.visit([&]<Scalar T>(const Matrix<T>& x, const Matrix<T>& y, const Matrix<T>& z) {
      const cairn::Product product = cairn::detail::product_of(oa, x, ob, y);
      cairn::detail::check_shapes(product, x, y, z);
      *bytes = plan_of_call(product, x, y, z, o).memory_bytes();
    });
  });
}

cairn_status cairn_verify(const void* alpha, cairn_op op_a, cairn_matrix_t a, cairn_op op_b, cairn_matrix_t b,
                          cairn_matrix_t c, int rounds, cairn_verification* verification) {
  return collective("verify", {a, b, c}, [&] {
    check_report(required(verification, "verification"), "verification");
    const ThreeMatrices matrices(a, b, c);
    const cairn::Op oa = op_value(op_a, "op_a"), ob = op_value(op_b, "op_b");
    matrices.visit([&]<Scalar T>(const Matrix<T>& x, const Matrix<T>& y, const Matrix<T>& z) {
      const cairn::Verification v = cairn::verify<T>(number_at(alpha, T(1)), oa, x, ob, y, z, rounds);
      write_report(verification, cairn_verification{.struct_size = 0,
                                                    .passed = v.passed ? 1 : 0,
                                                    .row = v.row,
                                                    .residual = v.residual,
                                                    .tolerance = v.tolerance,
                                                    .unchecked_rows = v.unchecked_rows});
    });
  });
}

cairn_status cairn_matvec(const void* alpha, cairn_op op, cairn_matrix_t a, cairn_matrix_t x,
                          const void* beta, cairn_matrix_t y) {
  return collective("matvec", {a, x, y}, [&] {
    const cairn::Op how = op_value(op, "op");
    ThreeMatrices(a, x, y).visit([&]<Scalar T>(const Matrix<T>& m, const Matrix<T>& v, Matrix<T>& result) {
      cairn::matvec<T>(number_at(alpha, T(1)), how, m, v, number_at(beta, T(0)), result);
    });
  });
}

cairn_status cairn_rank1(const void* alpha, cairn_matrix_t y, cairn_op op, cairn_matrix_t x,
                         cairn_matrix_t a) {
  return collective("rank1", {a, x, y}, [&] {
    const cairn::Op how = op_value(op, "op");
    ThreeMatrices(y, x, a).visit([&]<Scalar T>(const Matrix<T>& v, const Matrix<T>& u, Matrix<T>& m) {
      cairn::rank1<T>(number_at(alpha, T(1)), v, how, u, m);
    });
  });
}
}
