#include "doors/scalapack/family.hpp"
#include "doors/scalapack/original.hpp"
#include "doors/scalapack/system.hpp"

namespace cairn::scalapack {
namespace {

template <Scalar T>
void solve_left(Triangle triangle, Op op, Diagonal diagonal, const Matrix<T>& t, Matrix<T>& b) {
  solve_triangular<T>(Side::left, triangle, op, diagonal, T(1), t, b);
}

// X := A^-1 X for A = L L^H or U^H U.
template <Scalar T>
void solve_with_cholesky(Triangle triangle, const Matrix<T>& factor, Matrix<T>& x) {
  const Op adjoint = ScalarTraits<T>::is_complex ? Op::adjoint : Op::transpose;
  const bool lower = triangle == Triangle::lower;
  solve_left(triangle, lower ? Op::none : adjoint, Diagonal::stored, factor, x);
  solve_left(triangle, lower ? adjoint : Op::none, Diagonal::stored, factor, x);
}

template <Scalar T>
void solve_with_lu(Op op, const Matrix<T>& factors, Matrix<T>& x) {
  const auto lower = [&] { solve_left(Triangle::lower, op, Diagonal::unit, factors, x); };
  const auto upper = [&] { solve_left(Triangle::upper, op, Diagonal::stored, factors, x); };
  if (op == Op::none) {
    lower();
    upper();
  } else {
    upper();
    lower();
  }
}

// ScaLAPACK's own exchange of the rows of B by ipiv.
template <Scalar T>
void exchange_rows(bool forward, Index n, Index columns, T* b, const Argument& at_b, const System& s,
                   const int* ia, const int* ipiv) {
  static void* const routine = find_original(routine_of<T>("getrs").name().substr(0, 2) + "lapiv");
  const Descriptor& d = s.a->whole;
  const ProcessGrid& p = s.processes;
  const int rows = static_cast<int>(n), cols = static_cast<int>(columns), one = 1;
  const auto mb = static_cast<int>(d.mb);
  const int local = static_cast<int>(local_count(d.rows, d.mb, d.mb, p.row, d.row_source, p.rows));
  const int of_pivots[] = {
      1, d.context, static_cast<int>(d.rows) + mb * p.rows, 1, mb, 1, d.row_source, p.column, mb + local};
  int unused = 0;
  call_original(routine, forward ? "Forward" : "Backward", "Row", "Col", &rows, &cols, b, at_b.i, at_b.j,
                at_b.descriptor, ipiv, ia, &one, of_pivots, &unused, 7L, 3L, 3L);
}

// A^-1 of the factors that A holds: of the identity, or of its rows in the order of the pivots.
template <Scalar T, class Solve>
Matrix<T> inverse_of(const Matrix<T>& factors, const std::vector<Index>& permutation, Solve&& solve) {
  Matrix<T> x(factors.context(), factors.layout());
  x.fill([&](Index i, Index j) { return permutation[static_cast<std::size_t>(i)] == j ? T(1) : T(0); });
  solve(x);
  return x;
}

// Two triangular solves after each other.
Estimate twice(const Model& model, Estimate e) {
  e.words *= 2;
  e.messages *= 2;
  e.flops *= 2;
  e.copied *= 2;
  return model.priced(e);
}

// ScaLAPACK inverts in 4/3 n^3 (LU) or 2/3 n^3 (Cholesky) operations; two solves take 2 n^3.
Estimate their_inverse(const Model& model, Index n, double share) {
  Estimate e = twice(model, model.triangular({n, n, n}));
  e.flops *= share;
  return model.priced(e);
}

// Ours as so many triangular solves.
Prediction predict_solves(const Model& model, int solves, const Shape& shape) {
  const Estimate one = model.our_triangular(shape);
  return {(solves == 2 ? twice(model, one) : one).seconds + model.overhead()};
}

}  // namespace

template <Scalar T>
void trsm(const char* side, const char* uplo, const char* op, const char* diag, const int* m, const int* n,
          const T* alpha, const T* a, const int* ia, const int* ja, const int* da, T* b, const int* ib,
          const int* jb, const int* db) {
  static const Routine routine = routine_of<T>("trsm");
  const auto pass = [&] {
    call_original(routine.original(), side, uplo, op, diag, m, n, alpha, a, ia, ja, da, b, ib, jb, db);
  };
  const Index order = side_of(side) == Side::right ? *n : *m;
  const Shape shape{*m, *n, order};
  const auto theirs = [=](const Model& model) { return model.triangular(shape); };
  const auto job = [&](const ProcessGrid& processes) -> std::optional<Job> {
    const auto on = side_of(side);
    const auto triangle = triangle_of(uplo);
    const auto by = op_of<T>(op);
    const auto diagonal = diagonal_of(diag);
    if (!on || !triangle || !by || !diagonal || db[1] != da[1]) return {};
    const auto sa = sound(da, ia, ja, order, order, processes);
    const auto sb = sound(db, ib, jb, *m, *n, processes);
    if (!sa || !sb) return {};
    const double words =
        Model(processes.rows, processes.columns, 64, weight_of<T>(), {}).our_triangular(shape).words;
    return Job{processes,
               {*m, *n, order, static_cast<Index>(*on), static_cast<Index>(*triangle),
                static_cast<Index>(*by), block_of(da), block_of(db)},
               [=](Grid&, const Model& model) { return predict_solves(model, 1, shape); },
               [=](Grid& grid, const Decision&) {
                 Matrix<T> x = matrix(grid, *sb, b);
                 solve_triangular<T>(*on, *triangle, *by, *diagonal, *alpha, matrix(grid, *sa, a), x);
                 return words;
               }};
  };
  answer(routine, {da[1], block_of(da), shape, weight_of<T>()}, theirs, pass, job);
}

template <Scalar T>
void getrs(const char* op, const int* n, const int* nrhs, const T* a, const int* ia, const int* ja,
           const int* da, const int* ipiv, T* b, const int* ib, const int* jb, const int* db, int* info) {
  static const Routine routine = routine_of<T>("getrs");
  const auto pass = [&] {
    call_original(routine.original(), op, n, nrhs, a, ia, ja, da, ipiv, b, ib, jb, db, info, 1L);
  };
  const Shape shape{*n, *nrhs, *n};
  const Request request = request_of<T>(da, shape);
  const auto theirs = [=](const Model& model) { return twice(model, model.triangular(shape)); };
  const auto ours = [=](Grid&, const Model& model) { return predict_solves(model, 2, shape); };
  answer(routine, request, theirs, pass, [&](const ProcessGrid& processes) {
    const auto by = op_of<T>(op);
    System s = system_of(processes, {ia, ja, da}, *n, {ib, jb, db}, *nrhs);
    s.is_sound = s.is_sound && by;
    return system_job(s, request, ours, [=](Grid& grid, const Decision&) {
      const Matrix<T> factors = matrix(grid, *s.a, a);
      Matrix<T> x = matrix(grid, *s.b, b);
      from_here_on([&] {
        if (*by == Op::none) exchange_rows(true, *n, *nrhs, b, {ib, jb, db}, s, ia, ipiv);
        solve_with_lu(*by, factors, x);
        if (*by != Op::none) exchange_rows(false, *n, *nrhs, b, {ib, jb, db}, s, ia, ipiv);
      });
      *info = 0;
      return 0.0;
    });
  });
}

template <Scalar T>
void potrs(const char* uplo, const int* n, const int* nrhs, const T* a, const int* ia, const int* ja,
           const int* da, T* b, const int* ib, const int* jb, const int* db, int* info) {
  static const Routine routine = routine_of<T>("potrs");
  const auto pass = [&] {
    call_original(routine.original(), uplo, n, nrhs, a, ia, ja, da, b, ib, jb, db, info, 1L);
  };
  const Shape shape{*n, *nrhs, *n};
  const Request request = request_of<T>(da, shape);
  const auto theirs = [=](const Model& model) { return twice(model, model.triangular(shape)); };
  const auto ours = [=](Grid&, const Model& model) { return predict_solves(model, 2, shape); };
  answer(routine, request, theirs, pass, [&](const ProcessGrid& processes) {
    const auto triangle = triangle_of(uplo);
    System s = system_of(processes, {ia, ja, da}, *n, {ib, jb, db}, *nrhs);
    s.is_sound = s.is_sound && triangle;
    return system_job(s, request, ours, [=](Grid& grid, const Decision&) {
      Matrix<T> x = matrix(grid, *s.b, b);
      const Matrix<T> factor = matrix(grid, *s.a, a);
      from_here_on([&] { solve_with_cholesky(*triangle, factor, x); });
      *info = 0;
      return 0.0;
    });
  });
}

template <Scalar T>
void getri(const int* n, T* a, const int* ia, const int* ja, const int* da, const int* ipiv, T* work,
           const int* lwork, int* iwork, const int* liwork, int* info) {
  static const Routine routine = routine_of<T>("getri");
  const auto pass = [&] {
    call_original(routine.original(), n, a, ia, ja, da, ipiv, work, lwork, iwork, liwork, info);
  };
  // What ScaLAPACK asks for as work memory, it asks of our callers as well.
  const auto enough_work = [=] {
    T needed{};
    int needed_too = 0, ask = -1, status = 0;
    call_original(routine.original(), n, a, ia, ja, da, ipiv, &needed, &ask, &needed_too, &ask, &status);
    int fine = status == 0 && *lwork >= static_cast<int>(std::real(needed)) && *liwork >= needed_too ? 1 : 0;
    least_of_all(da[1], {&fine, 1});
    return fine == 1;
  };
  const Request request = request_of<T>(da, {*n, *n, 0});
  const auto theirs = [=](const Model& model) { return their_inverse(model, *n, 2.0 / 3); };
  const auto ours = [=](Grid&, const Model& model) { return predict_solves(model, 2, {*n, *n, *n}); };
  answer(routine, request, theirs, pass, [&](const ProcessGrid& processes) {
    System s = system_of(processes, {ia, ja, da}, *n, *n);
    s.is_sound = s.is_sound && *lwork != -1 && *liwork != -1;
    return system_job(s, request, ours, [=](Grid& grid, const Decision&) {
      if (!enough_work()) throw ArgumentError("work memory that is too short");  // the original says so
      Matrix<T> factors = matrix(grid, *s.a, a);
      *info = first_zero(factors, da[1]);
      if (*info != 0) return 0.0;
      const Matrix<T> x = inverse_of(factors, read_permutation(*s.a, s.processes, *n, ipiv),
                                     [&](Matrix<T>& y) { solve_with_lu(Op::none, factors, y); });
      from_here_on([&] { redistribute<T>(T(1), Op::none, x, T(0), factors); });
      return 0.0;
    });
  });
}

template <Scalar T>
void potri(const char* uplo, const int* n, T* a, const int* ia, const int* ja, const int* da, int* info) {
  static const Routine routine = routine_of<T>("potri");
  const auto pass = [&] { call_original(routine.original(), uplo, n, a, ia, ja, da, info, 1L); };
  const Request request = request_of<T>(da, {*n, *n, 0});
  const auto theirs = [=](const Model& model) { return their_inverse(model, *n, 1.0 / 3); };
  const auto ours = [=](Grid&, const Model& model) { return predict_solves(model, 2, {*n, *n, *n}); };
  answer(routine, request, theirs, pass, [&](const ProcessGrid& processes) {
    const auto triangle = triangle_of(uplo);
    System s = system_of(processes, {ia, ja, da}, *n, *n);
    s.is_sound = s.is_sound && triangle;
    return system_job(s, request, ours, [=](Grid& grid, const Decision&) {
      const Matrix<T> factor = matrix(grid, *s.a, a);
      *info = first_zero(factor, da[1]);
      if (*info != 0) return 0.0;
      std::vector<Index> same(static_cast<std::size_t>(*n));
      for (std::size_t i = 0; i < same.size(); ++i) same[i] = static_cast<Index>(i);
      copy_triangle(
          *triangle,
          inverse_of(factor, same, [&](Matrix<T>& y) { solve_with_cholesky(*triangle, factor, y); }), factor);
      return 0.0;
    });
  });
}

#define CAIRN_INSTANTIATE(T)                                                                                 \
  template void trsm(const char*, const char*, const char*, const char*, const int*, const int*, const T*,   \
                     const T*, const int*, const int*, const int*, T*, const int*, const int*, const int*);  \
  template void getrs(const char*, const int*, const int*, const T*, const int*, const int*, const int*,     \
                      const int*, T*, const int*, const int*, const int*, int*);                             \
  template void potrs(const char*, const int*, const int*, const T*, const int*, const int*, const int*, T*, \
                      const int*, const int*, const int*, int*);                                             \
  template void getri(const int*, T*, const int*, const int*, const int*, const int*, T*, const int*, int*,  \
                      const int*, int*);                                                                     \
  template void potri(const char*, const int*, T*, const int*, const int*, const int*, int*);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::scalapack
