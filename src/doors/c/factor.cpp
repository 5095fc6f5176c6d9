#include "cairn/factor.hpp"

#include <algorithm>

#include "doors/c/values.hpp"

using namespace cairn::c_door;
using cairn::CholeskyFactor;
using cairn::LuFactors;
using cairn::Matrix;
using cairn::Scalar;

namespace {

// f(factors) of a live handle.
template <class F>
cairn_status of_lu(cairn_lu_t lu, F&& f) {
  return guarded([&] { std::visit(std::forward<F>(f), behind(lu, "lu")->factors); });
}
template <class F>
cairn_status of_cholesky(cairn_cholesky_t cholesky, F&& f) {
  return guarded([&] { std::visit(std::forward<F>(f), behind(cholesky, "cholesky")->factor); });
}

// Collective. f(factors, matrix), both of one type.
template <class F>
cairn_status of_lu_with(const char* operation, cairn_lu_t lu, cairn_matrix_t matrix, const char* name,
                        F&& f) {
  return collective(operation, {lu, matrix}, [&] {
    const auto object = behind(lu, "lu");
    const auto m = behind(matrix, name);
    std::visit([&]<Scalar T>(const LuFactors<T>& l) { f(l, same_type<T, Matrix>(*m, name, "A")); },
               object->factors);
  });
}
template <class F>
cairn_status of_cholesky_with(const char* operation, cairn_cholesky_t cholesky, cairn_matrix_t matrix,
                              const char* name, F&& f) {
  return collective(operation, {cholesky, matrix}, [&] {
    const auto object = behind(cholesky, "cholesky");
    const auto m = behind(matrix, name);
    std::visit([&]<Scalar T>(const CholeskyFactor<T>& l) { f(l, same_type<T, Matrix>(*m, name, "A")); },
               object->factor);
  });
}

// Collective. f(A, B), both of one type.
template <class F>
cairn_status of_two(const char* operation, cairn_matrix_t a, const char* name_a, cairn_matrix_t b,
                    const char* name_b, F&& f) {
  return collective(operation, {a, b}, [&] {
    const auto x = behind(a, name_a);
    const auto y = behind(b, name_b);
    std::visit([&]<Scalar T>(const Matrix<T>& m) { f(m, same_type<T, Matrix>(*y, name_b, name_a)); }, *x);
  });
}

template <Scalar T>
cairn::RefineReport refine(const Matrix<T>& a, Matrix<T>& b, const cairn::RefineOptions& o) {
  if constexpr (sizeof(typename cairn::ScalarTraits<T>::Real) == sizeof(double))
    return cairn::solve_refined<T>(a, b, o);
  else
    throw LocalError("a is of single precision, expected CAIRN_F64 or CAIRN_C64");
}

}  // namespace

extern "C" {

cairn_status cairn_plan_lu(int64_t rows, int64_t columns, cairn_scalar type, int ranks,
                           const cairn_factor_options* options, cairn_factor_report* report) {
  return guarded([&] {
    check_report(required(report, "report"), "report");
    write_report(report, report_value(cairn::plan_lu(rows, columns, scalar_type(type), ranks,
                                                     factor_options(options))));
  });
}

cairn_status cairn_plan_cholesky(int64_t n, cairn_scalar type, int ranks, const cairn_factor_options* options,
                                 cairn_factor_report* report) {
  return guarded([&] {
    check_report(required(report, "report"), "report");
    write_report(report,
                 report_value(cairn::plan_cholesky(n, scalar_type(type), ranks, factor_options(options))));
  });
}

cairn_status cairn_lu_factor(cairn_matrix_t a, const cairn_factor_options* options, cairn_lu_t* lu) {
  return collective("lu", {a}, [&] {
    required(lu, "lu");
    const auto matrix = behind(a, "a");
    const cairn::FactorOptions o = factor_options(options);
    std::visit(
        [&]<Scalar T>(const Matrix<T>& m) {
          give(lu, LuObject{m.context(), cairn::lu<T>(m, o)});
        },
        *matrix);
  });
}

cairn_status cairn_lu_shape(cairn_lu_t lu, int64_t* rows, int64_t* columns) {
  return of_lu(lu, [&](const auto& f) {
    if (rows != nullptr) *rows = f.rows();
    if (columns != nullptr) *columns = f.columns();
  });
}

cairn_status cairn_lu_info(cairn_lu_t lu, int64_t* info) {
  return of_lu(lu, [&](const auto& f) { *required(info, "info") = f.info(); });
}

cairn_status cairn_lu_permutation(cairn_lu_t lu, int64_t* permutation) {
  return of_lu(lu, [&](const auto& f) {
    std::ranges::copy(f.permutation(), f.rows() > 0 ? required(permutation, "permutation") : permutation);
  });
}

cairn_status cairn_lu_swaps(cairn_lu_t lu, int64_t* swaps) {
  return of_lu(lu, [&](const auto& f) {
    const std::vector<cairn::Index> all = f.swaps();
    std::ranges::copy(all, all.empty() ? swaps : required(swaps, "swaps"));
  });
}

cairn_status cairn_lu_growth(cairn_lu_t lu, double* growth) {
  return of_lu(lu, [&](const auto& f) { *required(growth, "growth") = f.growth(); });
}

cairn_status cairn_lu_solve(cairn_lu_t lu, cairn_op op, cairn_matrix_t b) {
  return of_lu_with("solve", lu, b, "b", [&](const auto& f, auto& m) { f.solve(m, op_value(op, "op")); });
}

cairn_status cairn_lu_copy_lower(cairn_lu_t lu, cairn_matrix_t l) {
  return of_lu_with("redistribute", lu, l, "l", [](const auto& f, auto& m) { f.copy_lower(m); });
}

cairn_status cairn_lu_copy_upper(cairn_lu_t lu, cairn_matrix_t u) {
  return of_lu_with("redistribute", lu, u, "u", [](const auto& f, auto& m) { f.copy_upper(m); });
}

cairn_status cairn_lu_copy_factors(cairn_lu_t lu, cairn_matrix_t f) {
  return of_lu_with("redistribute", lu, f, "f", [](const auto& x, auto& m) { x.copy_factors(m); });
}

cairn_status cairn_lu_log_determinant(cairn_lu_t lu, void* sign, double* log) {
  return of_lu(lu, [&]<Scalar T>(const LuFactors<T>& f) {
    const auto determinant = f.log_determinant();
    *static_cast<T*>(required(sign, "sign")) = determinant.sign;
    *required(log, "log") = determinant.log;
  });
}

cairn_status cairn_lu_reciprocal_condition(cairn_lu_t lu, double* condition) {
  return of_lu(lu, [&](const auto& f) {
    const double value = f.reciprocal_condition();
    *required(condition, "condition") = value;
  });
}

cairn_status cairn_lu_report(cairn_lu_t lu, cairn_factor_report* report) {
  return of_lu(lu, [&](const auto& f) {
    check_report(required(report, "report"), "report");
    write_report(report, report_value(f.report()));
  });
}

cairn_status cairn_lu_free(cairn_lu_t* lu) { return free_handle(lu); }

cairn_status cairn_cholesky_factor(cairn_matrix_t a, cairn_triangle triangle,
                                   const cairn_factor_options* options, cairn_cholesky_t* cholesky) {
  return collective("cholesky", {a}, [&] {
    required(cholesky, "cholesky");
    const auto matrix = behind(a, "a");
    const auto part = enum_value<cairn::Triangle>(triangle, 2, "triangle");
    const cairn::FactorOptions o = factor_options(options);
    std::visit(
        [&]<Scalar T>(const Matrix<T>& m) {
          give(cholesky, CholeskyObject{m.context(), cairn::cholesky<T>(m, part, o)});
        },
        *matrix);
  });
}

cairn_status cairn_cholesky_order(cairn_cholesky_t cholesky, int64_t* n) {
  return of_cholesky(cholesky, [&](const auto& f) { *required(n, "n") = f.order(); });
}

cairn_status cairn_cholesky_info(cairn_cholesky_t cholesky, int64_t* info) {
  return of_cholesky(cholesky, [&](const auto& f) { *required(info, "info") = f.info(); });
}

cairn_status cairn_cholesky_solve(cairn_cholesky_t cholesky, cairn_matrix_t b) {
  return of_cholesky_with("solve", cholesky, b, "b", [](const auto& f, auto& m) { f.solve(m); });
}

cairn_status cairn_cholesky_copy_factor(cairn_cholesky_t cholesky, cairn_matrix_t f) {
  return of_cholesky_with("redistribute", cholesky, f, "f", [](const auto& x, auto& m) { x.copy_factor(m); });
}

cairn_status cairn_cholesky_copy_triangle(cairn_cholesky_t cholesky, cairn_matrix_t f) {
  return of_cholesky_with("redistribute", cholesky, f, "f",
                          [](const auto& x, auto& m) { x.copy_triangle(m); });
}

cairn_status cairn_cholesky_log_determinant(cairn_cholesky_t cholesky, double* log) {
  return of_cholesky(cholesky, [&](const auto& f) {
    const double value = f.log_determinant();
    *required(log, "log") = value;
  });
}

cairn_status cairn_cholesky_reciprocal_condition(cairn_cholesky_t cholesky, double* condition) {
  return of_cholesky(cholesky, [&](const auto& f) {
    const double value = f.reciprocal_condition();
    *required(condition, "condition") = value;
  });
}

cairn_status cairn_cholesky_report(cairn_cholesky_t cholesky, cairn_factor_report* report) {
  return of_cholesky(cholesky, [&](const auto& f) {
    check_report(required(report, "report"), "report");
    write_report(report, report_value(f.report()));
  });
}

cairn_status cairn_cholesky_free(cairn_cholesky_t* cholesky) { return free_handle(cholesky); }

cairn_status cairn_solve(cairn_matrix_t a, cairn_matrix_t b, const cairn_factor_options* options) {
  return of_two("solve", a, "a", b, "b", [&]<Scalar T>(const Matrix<T>& x, Matrix<T>& y) {
    cairn::solve<T>(x, y, factor_options(options));
  });
}

cairn_status cairn_solve_triangular(cairn_side side, cairn_triangle triangle, cairn_op op,
                                    cairn_diagonal diagonal, const void* alpha, cairn_matrix_t t,
                                    cairn_matrix_t b) {
  return of_two("solve_triangular", t, "t", b, "b", [&]<Scalar T>(const Matrix<T>& x, Matrix<T>& y) {
    cairn::solve_triangular<T>(enum_value<cairn::Side>(side, 2, "side"),
                               enum_value<cairn::Triangle>(triangle, 2, "triangle"), op_value(op, "op"),
                               enum_value<cairn::Diagonal>(diagonal, 2, "diagonal"), number_at(alpha, T(1)),
                               x, y);
  });
}

cairn_status cairn_solve_lu_factors(cairn_matrix_t factors, const int64_t* permutation, cairn_op op,
                                    cairn_matrix_t b) {
  return of_two("solve_factored", factors, "factors", b, "b",
                [&]<Scalar T>(const Matrix<T>& f, Matrix<T>& x) {
                  const int64_t* const first = required(permutation, "permutation");
                  cairn::solve_factored<T>(f, {first, first + f.rows()}, x, op_value(op, "op"));
                });
}

cairn_status cairn_solve_cholesky_factor(cairn_triangle triangle, cairn_matrix_t factor, cairn_matrix_t b) {
  return of_two("solve_factored", factor, "factor", b, "b", [&]<Scalar T>(const Matrix<T>& f, Matrix<T>& x) {
    cairn::solve_factored<T>(enum_value<cairn::Triangle>(triangle, 2, "triangle"), f, x);
  });
}

cairn_status cairn_inverse(cairn_matrix_t a, cairn_matrix_t result, const cairn_factor_options* options) {
  return of_two("inverse", a, "a", result, "result", [&]<Scalar T>(const Matrix<T>& x, Matrix<T>& y) {
    cairn::inverse<T>(x, y, factor_options(options));
  });
}

cairn_status cairn_solve_refined(cairn_matrix_t a, cairn_matrix_t b, const cairn_refine_options* options,
                                 cairn_refine_report* report) {
  return of_two("solve_refined", a, "a", b, "b", [&]<Scalar T>(const Matrix<T>& x, Matrix<T>& y) {
    check_report(report, "report");
    const cairn_refine_options given = known_options(options, "options");
    cairn::RefineOptions o;
    o.factoring = factor_options(given.factoring);
    o.low_precision = given.full_precision == 0;
    set_unless_zero(given.most_steps, o.most_steps);
    const cairn::RefineReport done = refine(x, y, o);
    write_report(report, cairn_refine_report{.struct_size = 0,
                                             .steps = done.steps,
                                             .low_precision = done.low_precision ? 1 : 0,
                                             .fell_back = done.fell_back ? 1 : 0,
                                             .backward_error = done.backward_error});
  });
}
}
