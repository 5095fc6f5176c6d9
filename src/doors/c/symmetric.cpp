#include "cairn/symmetric.hpp"

#include "doors/c/values.hpp"

using namespace cairn::c_door;
using cairn::Matrix;
using cairn::Scalar;

namespace {

cairn::SymmetricOptions symmetric_options(const cairn_symmetric_options* options) {
  const cairn_symmetric_options given = known_options(options, "options");
  cairn::SymmetricOptions o;
  o.algorithm = text_at(given.algorithm, o.algorithm);
  o.objective = enum_value<cairn::Objective>(given.objective, 3, "objective");
  set_unless_zero(given.parts, o.parts);
  o.threads = given.threads;
  set_unless_zero(given.memory_bytes, o.memory_bytes);
  set_machine(given.machine, o.machine);
  return o;
}

cairn_symmetric_report symmetric_report(const cairn::SymmetricReport& r) {
  cairn_symmetric_report report{};
  copy_name(r.pattern, report.pattern);
  report.parts = r.parts;
  report.in_place = r.in_place ? 1 : 0;
  report.counted = r.counted ? 1 : 0;
  report.mean_words = r.mean_words;
  report.busiest_words = r.busiest_words;
  report.bound_words = r.bound_words;
  report.work = r.work;
  report.memory_bytes = r.memory_bytes;
  report.seconds = r.seconds;
  report.moved = {r.moved.words_sent, r.moved.words_received, r.moved.messages_sent,
                  r.moved.messages_received};
  return report;
}

// One call: f(A, C, options), or with B between them, all of one type.
struct TriangleCall {
  const cairn_symmetric_options* options;
  cairn_symmetric_report* report;

  template <class F>
  cairn_status with_two(cairn_matrix_t a, cairn_matrix_t c, const char* name_c, F&& f) const {
    return collective("product with a triangle", {a, c}, [&] {
      check_report(report, "report");
      const auto x = behind(a, "a"), z = behind(c, name_c);
      const cairn::SymmetricOptions o = symmetric_options(options);
      std::visit(
          [&]<Scalar T>(const Matrix<T>& m) {
            write_report(report, symmetric_report(f(m, same_type<T, Matrix>(*z, name_c, "a"), o)));
          },
          *x);
    });
  }
  template <class F>
  cairn_status with_three(cairn_matrix_t a, cairn_matrix_t b, cairn_matrix_t c, F&& f) const {
    return with_two(a, c, "c",
                    [&]<Scalar T>(const Matrix<T>& m, Matrix<T>& z, const cairn::SymmetricOptions& o) {
                      const auto y = behind(b, "b");
                      return f(m, same_type<T, Matrix>(*y, "b", "a"), z, o);
                    });
  }
};

cairn::Triangle triangle_value(cairn_triangle t) { return enum_value<cairn::Triangle>(t, 2, "triangle"); }
cairn::Side side_value(cairn_side s) { return enum_value<cairn::Side>(s, 2, "side"); }
template <Scalar T>
using RealOf = typename cairn::ScalarTraits<T>::Real;

}  // namespace

extern "C" {

cairn_status cairn_rank_k_update(cairn_triangle triangle, cairn_op op, const void* alpha, cairn_matrix_t a,
                                 const void* beta, cairn_matrix_t c, const cairn_symmetric_options* options,
                                 cairn_symmetric_report* report) {
  return TriangleCall{options, report}.with_two(
      a, c, "c", [&]<Scalar T>(const Matrix<T>& x, Matrix<T>& z, const cairn::SymmetricOptions& o) {
        return cairn::rank_k_update<T>(triangle_value(triangle), op_value(op, "op"), number_at(alpha, T(1)),
                                       x, number_at(beta, T(0)), z, o);
      });
}

cairn_status cairn_hermitian_rank_k_update(cairn_triangle triangle, cairn_op op, double alpha,
                                           cairn_matrix_t a, double beta, cairn_matrix_t c,
                                           const cairn_symmetric_options* options,
                                           cairn_symmetric_report* report) {
  return TriangleCall{options, report}.with_two(
      a, c, "c", [&]<Scalar T>(const Matrix<T>& x, Matrix<T>& z, const cairn::SymmetricOptions& o) {
        return cairn::hermitian_rank_k_update<T>(triangle_value(triangle), op_value(op, "op"),
                                                 static_cast<RealOf<T>>(alpha), x,
                                                 static_cast<RealOf<T>>(beta), z, o);
      });
}

cairn_status cairn_rank_2k_update(cairn_triangle triangle, cairn_op op, const void* alpha, cairn_matrix_t a,
                                  cairn_matrix_t b, const void* beta, cairn_matrix_t c,
                                  const cairn_symmetric_options* options, cairn_symmetric_report* report) {
  return TriangleCall{options, report}.with_three(
      a, b, c,
      [&]<Scalar T>(const Matrix<T>& x, const Matrix<T>& y, Matrix<T>& z, const cairn::SymmetricOptions& o) {
        return cairn::rank_2k_update<T>(triangle_value(triangle), op_value(op, "op"), number_at(alpha, T(1)),
                                        x, y, number_at(beta, T(0)), z, o);
      });
}

cairn_status cairn_hermitian_rank_2k_update(cairn_triangle triangle, cairn_op op, const void* alpha,
                                            cairn_matrix_t a, cairn_matrix_t b, double beta, cairn_matrix_t c,
                                            const cairn_symmetric_options* options,
                                            cairn_symmetric_report* report) {
  return TriangleCall{options, report}.with_three(
      a, b, c,
      [&]<Scalar T>(const Matrix<T>& x, const Matrix<T>& y, Matrix<T>& z, const cairn::SymmetricOptions& o) {
        return cairn::hermitian_rank_2k_update<T>(triangle_value(triangle), op_value(op, "op"),
                                                  number_at(alpha, T(1)), x, y, static_cast<RealOf<T>>(beta),
                                                  z, o);
      });
}

cairn_status cairn_multiply_symmetric(cairn_side side, cairn_triangle triangle, const void* alpha,
                                      cairn_matrix_t a, cairn_matrix_t b, const void* beta, cairn_matrix_t c,
                                      const cairn_symmetric_options* options,
                                      cairn_symmetric_report* report) {
  return TriangleCall{options, report}.with_three(
      a, b, c,
      [&]<Scalar T>(const Matrix<T>& x, const Matrix<T>& y, Matrix<T>& z, const cairn::SymmetricOptions& o) {
        return cairn::multiply_symmetric<T>(side_value(side), triangle_value(triangle),
                                            number_at(alpha, T(1)), x, y, number_at(beta, T(0)), z, o);
      });
}

cairn_status cairn_multiply_hermitian(cairn_side side, cairn_triangle triangle, const void* alpha,
                                      cairn_matrix_t a, cairn_matrix_t b, const void* beta, cairn_matrix_t c,
                                      const cairn_symmetric_options* options,
                                      cairn_symmetric_report* report) {
  return TriangleCall{options, report}.with_three(
      a, b, c,
      [&]<Scalar T>(const Matrix<T>& x, const Matrix<T>& y, Matrix<T>& z, const cairn::SymmetricOptions& o) {
        return cairn::multiply_hermitian<T>(side_value(side), triangle_value(triangle),
                                            number_at(alpha, T(1)), x, y, number_at(beta, T(0)), z, o);
      });
}

cairn_status cairn_multiply_triangular(cairn_side side, cairn_triangle triangle, cairn_op op,
                                       cairn_diagonal diagonal, const void* alpha, cairn_matrix_t a,
                                       cairn_matrix_t b, const cairn_symmetric_options* options,
                                       cairn_symmetric_report* report) {
  return TriangleCall{options, report}.with_two(
      a, b, "b", [&]<Scalar T>(const Matrix<T>& x, Matrix<T>& y, const cairn::SymmetricOptions& o) {
        return cairn::multiply_triangular<T>(side_value(side), triangle_value(triangle), op_value(op, "op"),
                                             enum_value<cairn::Diagonal>(diagonal, 2, "diagonal"),
                                             number_at(alpha, T(1)), x, y, o);
      });
}
}
