#include "doors/scalapack/family.hpp"
#include "doors/scalapack/original.hpp"
#include "doors/scalapack/system.hpp"

namespace cairn::scalapack {
namespace {

// A^-1 of the factors that A holds.
template <Scalar T, class Solve>
Matrix<T> inverse_of(const Matrix<T>& factors, Solve&& solve) {
  Matrix<T> x(factors.context(), factors.layout());
  x.fill([](Index i, Index j) { return i == j ? T(1) : T(0); });
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
  const auto theirs = [=](const Model& model) {
    Estimate e = twice(model, model.triangular(shape));
    const Estimate exchanges = model.row_exchanges(shape.m, shape.n);
    e.words += exchanges.words;
    e.messages += exchanges.messages;
    return model.priced(e);
  };
  const auto ours = [=](Grid&, const Model& model) { return predict_solves(model, 2, shape); };
  answer(routine, request, theirs, pass, [&](const ProcessGrid& processes) {
    const auto by = op_of<T>(op);
    System s = system_of(processes, {ia, ja, da}, *n, {ib, jb, db}, *nrhs);
    s.is_sound = s.is_sound && by;
    return system_job(s, request, ours, [=](Grid& grid, const Decision&) {
      const Matrix<T> factors = matrix(grid, *s.a, a);
      Matrix<T> x = matrix(grid, *s.b, b);
      const std::vector<Index> permutation = read_permutation(*s.a, s.processes, *n, ipiv);
      from_here_on([&] { solve_factored(factors, permutation, x, *by); });
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
      from_here_on([&] { solve_factored(*triangle, factor, x); });
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
      const std::vector<Index> permutation = read_permutation(*s.a, s.processes, *n, ipiv);
      const Matrix<T> x = inverse_of(factors, [&](Matrix<T>& y) { solve_factored(factors, permutation, y); });
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
      const Matrix<T> x = inverse_of(factor, [&](Matrix<T>& y) { solve_factored(*triangle, factor, y); });
      copy_triangle(*triangle, x, factor);
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
