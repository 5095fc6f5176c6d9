#include "gemm/fast/run.hpp"

#include "base/buffer.hpp"
#include "comm/agreement.hpp"
#include "layout/exchange/redistribute.hpp"
#include "program/run.hpp"

namespace cairn::gemm::fast {
namespace {

void check_shape(const layout::Layout& x, Matrix which, const Problem& p, int ranks) {
  require(x.rows() == stored_rows(p, which) && x.columns() == stored_columns(p, which),
          "{} is {} x {}, expected {} x {} for {}", name(which), x.rows(), x.columns(), stored_rows(p, which),
          stored_columns(p, which), describe(p));
  require(x.last_rank() < ranks, "the layout of {} names rank {}, there are {} ranks", name(which),
          x.last_rank(), ranks);
}

// What the ranks must have in common of the steps.
Index fingerprint_of(const FastSchedule& s) {
  std::vector<Index> values{s.base.pm,
                            s.base.pn,
                            s.base.pk,
                            s.problem.m,
                            s.problem.n,
                            s.problem.k,
                            static_cast<Index>(s.local.size())};
  for (const FastStep& step : s.steps) {
    values.push_back(static_cast<Index>(step.kind));
    values.push_back(step.algorithm ? step.algorithm->rank() : 0);
  }
  return comm::fingerprint(values);
}

template <class T>
PlacedMatrix placed(const layout::MatrixView<T>& x) {
  return {x.layout, x.elements, x.leading_dimension};
}

}  // namespace

template <Scalar T>
void multiply(comm::CommView comm, const FastSchedule& given, T alpha, const layout::MatrixView<const T>& a,
              const layout::MatrixView<const T>& b, T beta, const layout::MatrixView<T>& c) {
  FastSchedule schedule = given;
  Problem& p = schedule.problem;
  p.type = ScalarTraits<T>::type;
  p.alpha = kind_of(alpha);
  p.beta = kind_of(beta);
  comm::agree(comm, "fast multiply",
              [&] {
                check(schedule, comm.size());
                check_shape(a.layout, Matrix::a, p, comm.size());
                check_shape(b.layout, Matrix::b, p, comm.size());
                check_shape(c.layout, Matrix::c, p, comm.size());
                check_memory(a, comm.rank(), "A");
                check_memory(b, comm.rank(), "B");
                check_memory(c, comm.rank(), "C");
              },
              {{"schedule", fingerprint_of(schedule),
                [&] {
                  return std::vector<comm::Argument>{{"schedule", describe(schedule)}};
                }},
               {"layout of A", a.layout.fingerprint(),
                [&] {
                  return std::vector<comm::Argument>{{"layout of A", a.layout.text()}};
                }},
               {"layout of B", b.layout.fingerprint(),
                [&] {
                  return std::vector<comm::Argument>{{"layout of B", b.layout.text()}};
                }},
               {"layout of C", c.layout.fingerprint(),
                [&] {
                  return std::vector<comm::Argument>{{"layout of C", c.layout.text()}};
                }},
               {"the kind of alpha", static_cast<Index>(p.alpha)},
               {"the kind of beta", static_cast<Index>(p.beta)}});
  if (p.empty()) return;
  if (!p.multiplies()) return layout::scale(c, beta, comm.rank());
  const program::Program program =
      compile_placed(schedule, placed(a), placed(b), placed(c), comm.rank(), comm.size());
  const Buffer<T> work(program.array_counts[0]);
  const std::array<T*, 4> arrays{work.data(), const_cast<T*>(a.data), const_cast<T*>(b.data), c.data};
  const std::array<T, 2> parameters{alpha, beta};
  program::run<T>(program, comm, {arrays, parameters});
}

#define CAIRN_FAST_RUN(T)                                                                            \
  template void multiply(comm::CommView, const FastSchedule&, T, const layout::MatrixView<const T>&, \
                         const layout::MatrixView<const T>&, T, const layout::MatrixView<T>&);
CAIRN_FAST_RUN(float)
CAIRN_FAST_RUN(double)
CAIRN_FAST_RUN(std::complex<float>)
CAIRN_FAST_RUN(std::complex<double>)
#undef CAIRN_FAST_RUN

}  // namespace cairn::gemm::fast
