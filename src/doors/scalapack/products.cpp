#include "cairn/multiply.hpp"
#include "doors/scalapack/call.hpp"
#include "doors/scalapack/family.hpp"
#include "doors/scalapack/original.hpp"

namespace cairn::scalapack {
namespace {

struct Factors {
  SubMatrix a, b, c;
  Product product;
};

Prediction predict_product(Grid& grid, const Factors& f, const Model& model) {
  const ProcessGrid& p = grid.processes();
  const auto layout = [&](const SubMatrix& x) { return place(x, p.rows, p.columns).layout; };
  Plan plan =
      plan_multiply(f.product, layout(f.a), layout(f.b), layout(f.c), p.processes(), plan_options(grid));
  const double seconds = plan.predicted() + model.overhead();
  return {seconds, std::move(plan)};
}

template <Scalar T>
double run_product(Grid& grid, const Decision& how, const Factors& f, T alpha, const T* a, const T* b, T beta,
                   T* c) {
  Matrix<T> to = matrix(grid, f.c, c);
  const MultiplyReport report = multiply<T>(alpha, f.product.op_a, matrix(grid, f.a, a), f.product.op_b,
                                            matrix(grid, f.b, b), beta, to, {.plan = how.plan});
  return static_cast<double>(report.gathers_and_combines.words_received +
                             report.redistribution.words_received);
}

Grid::Question question_of(const Factors& f, const ProcessGrid& processes) {
  Grid::Question question{static_cast<Index>(f.product.op_a), static_cast<Index>(f.product.op_b)};
  for (const SubMatrix* x : {&f.a, &f.b, &f.c}) append_place(question, *x, processes);
  return question;
}

}  // namespace

template <Scalar T>
void gemm(const char* op_a, const char* op_b, const int* m, const int* n, const int* k, const T* alpha,
          const T* a, const int* ia, const int* ja, const int* da, const T* b, const int* ib, const int* jb,
          const int* db, const T* beta, T* c, const int* ic, const int* jc, const int* dc) {
  static const Routine routine = routine_of<T>("gemm");
  const auto pass = [&] {
    call_original(routine.original(), op_a, op_b, m, n, k, alpha, a, ia, ja, da, b, ib, jb, db, beta, c, ic,
                  jc, dc);
  };
  const Shape shape{*m, *n, *k};
  const auto theirs = [=](const Model& model) { return model.product(shape); };
  const auto job = [&](const ProcessGrid& processes) -> std::optional<Job> {
    const std::optional<Op> by_a = op_of<T>(op_a), by_b = op_of<T>(op_b);
    if (!by_a || !by_b || db[1] != da[1] || dc[1] != da[1]) return {};
    const bool flip_a = *by_a != Op::none, flip_b = *by_b != Op::none;
    const auto sa = sound(da, ia, ja, flip_a ? *k : *m, flip_a ? *m : *k, processes);
    const auto sb = sound(db, ib, jb, flip_b ? *n : *k, flip_b ? *k : *n, processes);
    const auto sc = sound(dc, ic, jc, *m, *n, processes);
    if (!sa || !sb || !sc) return {};
    const Factors f{*sa,
                    *sb,
                    *sc,
                    {.m = *m, .n = *n, .k = *k, .op_a = *by_a, .op_b = *by_b, .type = ScalarTraits<T>::type}};
    return Job{processes, question_of(f, processes),
               [=](Grid& grid, const Model& model) { return predict_product(grid, f, model); },
               [=](Grid& grid, const Decision& how) {
                 return run_product<T>(grid, how, f, *alpha, a, b, *beta, c);
               }};
  };
  answer(routine, {da[1], block_of(dc), shape, weight_of<T>()}, theirs, pass, job);
}

#define CAIRN_INSTANTIATE(T)                                                                           \
  template void gemm(const char*, const char*, const int*, const int*, const int*, const T*, const T*, \
                     const int*, const int*, const int*, const T*, const int*, const int*, const int*, \
                     const T*, T*, const int*, const int*, const int*);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::scalapack
