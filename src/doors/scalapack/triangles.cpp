#include "cairn/symmetric.hpp"
#include "doors/scalapack/call.hpp"
#include "doors/scalapack/family.hpp"
#include "doors/scalapack/original.hpp"

namespace cairn::scalapack {
namespace {

// What tells products with a triangle apart, with the matrices of the call.
struct Triangular {
  SymmetricProduct product;
  std::optional<SubMatrix> a, b, c;  // A, the other factor, the result; trmm has no third

  bool is_sound(bool three) const { return a && b && (!three || c); }
};

SymmetricOptions triangle_options(Grid& grid) {
  return {.objective = Objective::words, .machine = grid.machine()};
}

Prediction predict_triangle(Grid& grid, const Triangular& t, const Model& model) {
  const ProcessGrid& p = grid.processes();
  const auto layout = [&](const std::optional<SubMatrix>& x) {
    return x ? place(*x, p.rows, p.columns).layout : Layout();
  };
  const SymmetricReport plan =
      plan_symmetric(t.product, layout(t.a), layout(t.b), layout(t.c), p.processes(), triangle_options(grid));
  return {plan.seconds + model.overhead()};
}

template <class Run>
Job triangle_job(const ProcessGrid& processes, const Triangular& t, Run run) {
  const SymmetricProduct& p = t.product;
  Grid::Question question{static_cast<Index>(p.side), static_cast<Index>(p.triangle),
                          static_cast<Index>(p.op), static_cast<Index>(p.diagonal)};
  for (const auto* x : {&t.a, &t.b, &t.c})
    if (*x) append_place(question, **x, processes);
  return {processes, std::move(question),
          [=](Grid& grid, const Model& model) { return predict_triangle(grid, t, model); },
          [=](Grid& grid, const Decision&) {
            const SymmetricReport report = run(grid);
            return static_cast<double>(report.moved.words_received);
          }};
}

// C := alpha op(A) op(A)^T or ^H + beta C. Of a complex matrix syrk knows T, herk C; of a real one syrk both.
template <Scalar T, class Run>
std::optional<Job> update_job(const ProcessGrid& processes, bool hermitian, const char* uplo, const char* op,
                              const int* n, const int* k, const int* ia, const int* ja, const int* da,
                              const int* ic, const int* jc, const int* dc, Run run) {
  const auto triangle = triangle_of(uplo);
  const auto by = op_of<T>(op);
  if (!triangle || !by || dc[1] != da[1]) return {};
  if (ScalarTraits<T>::is_complex && *by != Op::none && (*by == Op::adjoint) != hermitian) return {};
  const bool flip = *by != Op::none;
  const Triangular t{{.kind = SymmetricKind::rank_k,
                      .hermitian = hermitian,
                      .triangle = *triangle,
                      .op = *by,
                      .n = *n,
                      .k = *k,
                      .type = ScalarTraits<T>::type},
                     sound(da, ia, ja, flip ? *k : *n, flip ? *n : *k, processes),
                     {},
                     sound(dc, ic, jc, *n, *n, processes)};
  if (!t.a || !t.c) return {};
  return triangle_job(processes, t, [=](Grid& grid) { return run(grid, t); });
}

}  // namespace

template <Scalar T>
void trmm(const char* side, const char* uplo, const char* op, const char* diag, const int* m, const int* n,
          const T* alpha, const T* a, const int* ia, const int* ja, const int* da, T* b, const int* ib,
          const int* jb, const int* db) {
  static const Routine routine = routine_of<T>("trmm");
  const auto pass = [&] {
    call_original(routine.original(), side, uplo, op, diag, m, n, alpha, a, ia, ja, da, b, ib, jb, db);
  };
  const bool right = side_of(side) == Side::right;
  const Index order = right ? *n : *m, across = right ? *m : *n;
  const Shape shape{*m, *n, order};
  const auto theirs = [=](const Model& model) { return model.triangular(shape); };
  const auto job = [&](const ProcessGrid& processes) -> std::optional<Job> {
    const auto on = side_of(side);
    const auto triangle = triangle_of(uplo);
    const auto by = op_of<T>(op);
    const auto diagonal = diagonal_of(diag);
    if (!on || !triangle || !by || !diagonal || db[1] != da[1]) return {};
    const Triangular t{{.kind = SymmetricKind::triangular,
                        .side = *on,
                        .triangle = *triangle,
                        .op = *by,
                        .diagonal = *diagonal,
                        .n = order,
                        .k = across,
                        .type = ScalarTraits<T>::type},
                       sound(da, ia, ja, order, order, processes),
                       sound(db, ib, jb, *m, *n, processes),
                       {}};
    if (!t.is_sound(false)) return {};
    return triangle_job(processes, t, [=](Grid& grid) {
      Matrix<T> x = matrix(grid, *t.b, b);
      return multiply_triangular<T>(*on, *triangle, *by, *diagonal, *alpha, matrix(grid, *t.a, a), x,
                                    triangle_options(grid));
    });
  };
  answer(routine, {da[1], block_of(db), shape, weight_of<T>()}, theirs, pass, job);
}

template <Scalar T, bool Hermitian>
void symm(const char* side, const char* uplo, const int* m, const int* n, const T* alpha, const T* a,
          const int* ia, const int* ja, const int* da, const T* b, const int* ib, const int* jb,
          const int* db, const T* beta, T* c, const int* ic, const int* jc, const int* dc) {
  static const Routine routine = routine_of<T>(Hermitian ? "hemm" : "symm");
  const auto pass = [&] {
    call_original(routine.original(), side, uplo, m, n, alpha, a, ia, ja, da, b, ib, jb, db, beta, c, ic, jc,
                  dc);
  };
  const bool right = side_of(side) == Side::right;
  const Index order = right ? *n : *m, across = right ? *m : *n;
  const Shape shape{*m, *n, order};
  const auto theirs = [=](const Model& model) { return model.product(shape); };
  const auto job = [&](const ProcessGrid& processes) -> std::optional<Job> {
    const auto on = side_of(side);
    const auto triangle = triangle_of(uplo);
    if (!on || !triangle || db[1] != da[1] || dc[1] != da[1]) return {};
    const Triangular t{{.kind = SymmetricKind::symmetric,
                        .hermitian = Hermitian,
                        .side = *on,
                        .triangle = *triangle,
                        .n = order,
                        .k = across,
                        .type = ScalarTraits<T>::type},
                       sound(da, ia, ja, order, order, processes),
                       sound(db, ib, jb, *m, *n, processes),
                       sound(dc, ic, jc, *m, *n, processes)};
    if (!t.is_sound(true)) return {};
    return triangle_job(processes, t, [=](Grid& grid) {
      Matrix<T> to = matrix(grid, *t.c, c);
      const Matrix<T> by = matrix(grid, *t.a, a), x = matrix(grid, *t.b, b);
      if constexpr (Hermitian)
        return multiply_hermitian<T>(*on, *triangle, *alpha, by, x, *beta, to, triangle_options(grid));
      else
        return multiply_symmetric<T>(*on, *triangle, *alpha, by, x, *beta, to, triangle_options(grid));
    });
  };
  answer(routine, {da[1], block_of(dc), shape, weight_of<T>()}, theirs, pass, job);
}

template <Scalar T>
void syrk(const char* uplo, const char* op, const int* n, const int* k, const T* alpha, const T* a,
          const int* ia, const int* ja, const int* da, const T* beta, T* c, const int* ic, const int* jc,
          const int* dc) {
  static const Routine routine = routine_of<T>("syrk");
  const auto pass = [&] {
    call_original(routine.original(), uplo, op, n, k, alpha, a, ia, ja, da, beta, c, ic, jc, dc);
  };
  const auto theirs = [=](const Model& model) { return model.rank_k(*n, *k); };
  const Request request{da[1], block_of(dc), {*n, *n, *k}, weight_of<T>()};
  answer(routine, request, theirs, pass, [&](const ProcessGrid& processes) {
    return update_job<T>(processes, false, uplo, op, n, k, ia, ja, da, ic, jc, dc,
                         [=](Grid& grid, const Triangular& t) {
                           Matrix<T> to = matrix(grid, *t.c, c);
                           return rank_k_update<T>(t.product.triangle, t.product.op, *alpha,
                                                   matrix(grid, *t.a, a), *beta, to, triangle_options(grid));
                         });
  });
}

template <Scalar T>
void herk(const char* uplo, const char* op, const int* n, const int* k,
          const typename ScalarTraits<T>::Real* alpha, const T* a, const int* ia, const int* ja,
          const int* da, const typename ScalarTraits<T>::Real* beta, T* c, const int* ic, const int* jc,
          const int* dc) {
  static const Routine routine = routine_of<T>("herk");
  const auto pass = [&] {
    call_original(routine.original(), uplo, op, n, k, alpha, a, ia, ja, da, beta, c, ic, jc, dc);
  };
  const auto theirs = [=](const Model& model) { return model.rank_k(*n, *k); };
  const Request request{da[1], block_of(dc), {*n, *n, *k}, weight_of<T>()};
  answer(routine, request, theirs, pass, [&](const ProcessGrid& processes) -> std::optional<Job> {
    if (*alpha == 0 && *beta == 1)
      return {};  // ScaLAPACK leaves C's diagonal as it is, imaginary parts and all
    return update_job<T>(
        processes, true, uplo, op, n, k, ia, ja, da, ic, jc, dc, [=](Grid& grid, const Triangular& t) {
          Matrix<T> to = matrix(grid, *t.c, c);
          return hermitian_rank_k_update<T>(t.product.triangle, t.product.op, *alpha, matrix(grid, *t.a, a),
                                            *beta, to, triangle_options(grid));
        });
  });
}

#define CAIRN_INSTANTIATE_SYMM(T, Hermitian)                                                             \
  template void symm<T, Hermitian>(const char*, const char*, const int*, const int*, const T*, const T*, \
                                   const int*, const int*, const int*, const T*, const int*, const int*, \
                                   const int*, const T*, T*, const int*, const int*, const int*);
#define CAIRN_INSTANTIATE(T)                                                                                \
  template void trmm(const char*, const char*, const char*, const char*, const int*, const int*, const T*,  \
                     const T*, const int*, const int*, const int*, T*, const int*, const int*, const int*); \
  template void syrk(const char*, const char*, const int*, const int*, const T*, const T*, const int*,      \
                     const int*, const int*, const T*, T*, const int*, const int*, const int*);             \
  CAIRN_INSTANTIATE_SYMM(T, false)
#define CAIRN_INSTANTIATE_HERK(R)                                                                            \
  template void herk(const char*, const char*, const int*, const int*, const R*, const std::complex<R>*,     \
                     const int*, const int*, const int*, const R*, std::complex<R>*, const int*, const int*, \
                     const int*);                                                                            \
  CAIRN_INSTANTIATE_SYMM(std::complex<R>, true)
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
CAIRN_INSTANTIATE_HERK(float)
CAIRN_INSTANTIATE_HERK(double)
#undef CAIRN_INSTANTIATE
#undef CAIRN_INSTANTIATE_SYMM
#undef CAIRN_INSTANTIATE_HERK

}  // namespace cairn::scalapack
