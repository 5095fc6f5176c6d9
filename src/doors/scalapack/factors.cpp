#include "doors/scalapack/family.hpp"
#include "doors/scalapack/original.hpp"
#include "doors/scalapack/system.hpp"

namespace cairn::scalapack {
namespace {

// Factors are made of a copy and copied back; what is away from home is in the plan.
Prediction with_copies(const FactorReport& plan, const Model& model, Index m, Index n) {
  return {plan.seconds + model.copied_twice(m, n).seconds + model.overhead()};
}
template <Scalar T>
Prediction predict_lu(Grid& grid, const Model& model, const SubMatrix& a) {
  const ProcessGrid& p = grid.processes();
  const FactorReport plan = plan_lu(grid.context(), place(a, p.rows, p.columns).layout, ScalarTraits<T>::type,
                                    factor_options(grid));
  return with_copies(plan, model, a.m, a.n);
}
template <Scalar T>
Prediction predict_cholesky(Grid& grid, const Model& model, const SubMatrix& a, Triangle triangle) {
  const ProcessGrid& p = grid.processes();
  const FactorReport plan = plan_cholesky(grid.context(), place(a, p.rows, p.columns).layout, triangle,
                                          ScalarTraits<T>::type, factor_options(grid));
  return with_copies(plan, model, a.m / 2, a.n);
}

template <Scalar T>
LuFactors<T> run_lu(Grid& grid, const SubMatrix& x, T* a, int* ipiv, int* info) {
  Matrix<T> m = matrix(grid, x, a);
  LuFactors<T> factors = lu(m, factor_options(grid));
  from_here_on([&] { factors.copy_factors(m); });
  write_swaps(x, grid.processes(), factors.swaps(), ipiv);
  *info = static_cast<int>(factors.info());
  return factors;
}

template <Scalar T>
CholeskyFactor<T> run_cholesky(Grid& grid, const SubMatrix& x, Triangle triangle, T* a, int* info) {
  Matrix<T> m = matrix(grid, x, a);
  CholeskyFactor<T> factor = cholesky(m, triangle, factor_options(grid));
  *info = static_cast<int>(factor.info());
  if (*info == 0) from_here_on([&] { factor.copy_triangle(m); });  // the other half of A is the caller's
  return factor;
}

}  // namespace

template <Scalar T>
void getrf(const int* m, const int* n, T* a, const int* ia, const int* ja, const int* da, int* ipiv,
           int* info) {
  static const Routine routine = routine_of<T>("getrf");
  const auto pass = [&] { call_original(routine.original(), m, n, a, ia, ja, da, ipiv, info); };
  const Request request = request_of<T>(da, {*m, *n, 0});
  const auto theirs = [=](const Model& model) { return model.lu(*m, *n); };
  answer(routine, request, theirs, pass, [&](const ProcessGrid& processes) {
    const System s = system_of(processes, {ia, ja, da}, *m, *n);
    return system_job(
        s, request, [=](Grid& grid, const Model& model) { return predict_lu<T>(grid, model, *s.a); },
        [=](Grid& grid, const Decision&) { return run_lu(grid, *s.a, a, ipiv, info).report().mean_words; });
  });
}

template <Scalar T>
void gesv(const int* n, const int* nrhs, T* a, const int* ia, const int* ja, const int* da, int* ipiv, T* b,
          const int* ib, const int* jb, const int* db, int* info) {
  static const Routine routine = routine_of<T>("gesv");
  const auto pass = [&] {
    call_original(routine.original(), n, nrhs, a, ia, ja, da, ipiv, b, ib, jb, db, info);
  };
  const Request request = request_of<T>(da, {*n, *nrhs, *n});
  const auto theirs = [=](const Model& model) { return model.lu(*n, *n); };
  answer(routine, request, theirs, pass, [&](const ProcessGrid& processes) {
    const System s = system_of(processes, {ia, ja, da}, *n, {ib, jb, db}, *nrhs);
    return system_job(
        s, request, [=](Grid& grid, const Model& model) { return predict_lu<T>(grid, model, *s.a); },
        [=](Grid& grid, const Decision&) {
          Matrix<T> x = matrix(grid, *s.b, b);
          const LuFactors<T> factors = run_lu(grid, *s.a, a, ipiv, info);
          if (*info == 0) from_here_on([&] { factors.solve(x); });
          return factors.report().mean_words;
        });
  });
}

template <Scalar T>
void potrf(const char* uplo, const int* n, T* a, const int* ia, const int* ja, const int* da, int* info) {
  static const Routine routine = routine_of<T>("potrf");
  const auto pass = [&] { call_original(routine.original(), uplo, n, a, ia, ja, da, info, 1L); };
  const Request request = request_of<T>(da, {*n, *n, 0});
  const auto theirs = [=](const Model& model) { return model.cholesky(*n); };
  answer(routine, request, theirs, pass, [&](const ProcessGrid& processes) {
    const std::optional<Triangle> triangle = triangle_of(uplo);
    System s = system_of(processes, {ia, ja, da}, *n, *n);
    s.is_sound = s.is_sound && triangle;
    return system_job(
        s, request,
        [=](Grid& grid, const Model& model) { return predict_cholesky<T>(grid, model, *s.a, *triangle); },
        [=](Grid& grid, const Decision&) {
          return run_cholesky(grid, *s.a, *triangle, a, info).report().mean_words;
        });
  });
}

template <Scalar T>
void posv(const char* uplo, const int* n, const int* nrhs, T* a, const int* ia, const int* ja, const int* da,
          T* b, const int* ib, const int* jb, const int* db, int* info) {
  static const Routine routine = routine_of<T>("posv");
  const auto pass = [&] {
    call_original(routine.original(), uplo, n, nrhs, a, ia, ja, da, b, ib, jb, db, info, 1L);
  };
  const Request request = request_of<T>(da, {*n, *nrhs, *n});
  const auto theirs = [=](const Model& model) { return model.cholesky(*n); };
  answer(routine, request, theirs, pass, [&](const ProcessGrid& processes) {
    const std::optional<Triangle> triangle = triangle_of(uplo);
    System s = system_of(processes, {ia, ja, da}, *n, {ib, jb, db}, *nrhs);
    s.is_sound = s.is_sound && triangle;
    return system_job(
        s, request,
        [=](Grid& grid, const Model& model) { return predict_cholesky<T>(grid, model, *s.a, *triangle); },
        [=](Grid& grid, const Decision&) {
          Matrix<T> x = matrix(grid, *s.b, b);
          const CholeskyFactor<T> factor = run_cholesky(grid, *s.a, *triangle, a, info);
          if (*info == 0) from_here_on([&] { factor.solve(x); });
          return factor.report().mean_words;
        });
  });
}

#define CAIRN_INSTANTIATE(T)                                                                               \
  template void getrf(const int*, const int*, T*, const int*, const int*, const int*, int*, int*);         \
  template void gesv(const int*, const int*, T*, const int*, const int*, const int*, int*, T*, const int*, \
                     const int*, const int*, int*);                                                        \
  template void potrf(const char*, const int*, T*, const int*, const int*, const int*, int*);              \
  template void posv(const char*, const int*, const int*, T*, const int*, const int*, const int*, T*,      \
                     const int*, const int*, const int*, int*);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::scalapack
