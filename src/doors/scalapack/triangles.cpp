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

SymmetricOptions triangle_options() { return {.objective = Objective::words, .machine = machine()}; }

Decision decide_triangle(Grid& grid, const Triangular& t, const Estimate& theirs, double overhead) {
  const ProcessGrid& p = grid.processes();
  const auto layout = [&](const std::optional<SubMatrix>& x) {
    return x ? place(*x, p.rows, p.columns).layout : Layout();
  };
  const SymmetricReport plan =
      plan_symmetric(t.product, layout(t.a), layout(t.b), layout(t.c), p.processes(), triangle_options());
  const double seconds = plan.seconds + overhead;
  return {gains(seconds, theirs), seconds};
}

template <Scalar T, class Run>
Job triangle_job(int context, const ProcessGrid& processes, const Shape& shape, const Triangular& t,
                 const Estimate& theirs, const Model& model, Run run) {
  const SymmetricProduct& p = t.product;
  Grid::Question question{static_cast<Index>(p.side), static_cast<Index>(p.triangle),
                          static_cast<Index>(p.op), static_cast<Index>(p.diagonal)};
  for (const auto* x : {&t.a, &t.b, &t.c})
    if (*x) append_place(question, **x, processes);
  return {context,
          processes,
          shape,
          theirs,
          std::move(question),
          [=](Grid& grid) { return decide_triangle(grid, t, theirs, model.overhead()); },
          [=](Grid& grid, const Decision&) {
            const SymmetricReport report = run(grid);
            return static_cast<double>(report.moved.words_received);
          }};
}

// C := alpha op(A) op(A)^T or ^H + beta C. Of a complex matrix syrk knows T, herk C; of a real one syrk both.
template <Scalar T, class Run>
std::optional<Job> update_job(bool hermitian, const char* uplo, const char* op, const int* n, const int* k,
                              const int* ia, const int* ja, const int* da, const int* ic, const int* jc,
                              const int* dc, Run run) {
  const auto triangle = triangle_of(uplo);
  const auto by = op_of<T>(op);
  const ProcessGrid processes = grid_info(da[1]);
  if (!triangle || !by || !processes.has_me() || dc[1] != da[1]) return {};
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
  const Model model(processes.rows, processes.columns, t.c->whole.mb, weight_of<T>(), machine());
  return triangle_job<T>(da[1], processes, {*n, *n, *k}, t, model.rank_k(*n, *k), model,
                         [=](Grid& grid) { return run(grid, t); });
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
  answer(routine, pass, [&]() -> std::optional<Job> {
    const auto on = side_of(side);
    const auto triangle = triangle_of(uplo);
    const auto by = op_of<T>(op);
    const auto diagonal = diagonal_of(diag);
    const ProcessGrid processes = grid_info(da[1]);
    if (!on || !triangle || !by || !diagonal || !processes.has_me() || db[1] != da[1]) return {};
    const Index order = *on == Side::left ? *m : *n, across = *on == Side::left ? *n : *m;
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
    const Model model(processes.rows, processes.columns, t.b->whole.mb, weight_of<T>(), machine());
    const Shape shape{*m, *n, order};
    return triangle_job<T>(da[1], processes, shape, t, model.triangular(shape), model, [=](Grid& grid) {
      Matrix<T> x = matrix(grid, *t.b, b);
      return multiply_triangular<T>(*on, *triangle, *by, *diagonal, *alpha, matrix(grid, *t.a, a), x,
                                    triangle_options());
    });
  });
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
  answer(routine, pass, [&]() -> std::optional<Job> {
    const auto on = side_of(side);
    const auto triangle = triangle_of(uplo);
    const ProcessGrid processes = grid_info(da[1]);
    if (!on || !triangle || !processes.has_me() || db[1] != da[1] || dc[1] != da[1]) return {};
    const Index order = *on == Side::left ? *m : *n, across = *on == Side::left ? *n : *m;
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
    const Model model(processes.rows, processes.columns, t.c->whole.mb, weight_of<T>(), machine());
    const Shape shape{*m, *n, order};
    return triangle_job<T>(da[1], processes, shape, t, model.product(shape), model, [=](Grid& grid) {
      Matrix<T> to = matrix(grid, *t.c, c);
      const Matrix<T> by = matrix(grid, *t.a, a), x = matrix(grid, *t.b, b);
      if constexpr (Hermitian)
        return multiply_hermitian<T>(*on, *triangle, *alpha, by, x, *beta, to, triangle_options());
      else
        return multiply_symmetric<T>(*on, *triangle, *alpha, by, x, *beta, to, triangle_options());
    });
  });
}

template <Scalar T>
void syrk(const char* uplo, const char* op, const int* n, const int* k, const T* alpha, const T* a,
          const int* ia, const int* ja, const int* da, const T* beta, T* c, const int* ic, const int* jc,
          const int* dc) {
  static const Routine routine = routine_of<T>("syrk");
  const auto pass = [&] {
    call_original(routine.original(), uplo, op, n, k, alpha, a, ia, ja, da, beta, c, ic, jc, dc);
  };
  answer(routine, pass, [&] {
    return update_job<T>(false, uplo, op, n, k, ia, ja, da, ic, jc, dc, [=](Grid& grid, const Triangular& t) {
      Matrix<T> to = matrix(grid, *t.c, c);
      return rank_k_update<T>(t.product.triangle, t.product.op, *alpha, matrix(grid, *t.a, a), *beta, to,
                              triangle_options());
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
  answer(routine, pass, [&]() -> std::optional<Job> {
    if (*alpha == 0 && *beta == 1)
      return {};  // ScaLAPACK leaves C's diagonal as it is, imaginary parts and all
    return update_job<T>(true, uplo, op, n, k, ia, ja, da, ic, jc, dc, [=](Grid& grid, const Triangular& t) {
      Matrix<T> to = matrix(grid, *t.c, c);
      return hermitian_rank_k_update<T>(t.product.triangle, t.product.op, *alpha, matrix(grid, *t.a, a),
                                        *beta, to, triangle_options());
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
