// Fast products over MPI: the result against a plain product, and what moved against what was counted.
#include <random>

#include "comm/agreement.hpp"
#include "gemm/fast/catalogue.hpp"
#include "gemm/fast/error_bound.hpp"
#include "gemm/fast/run.hpp"
#include "gemm/reference.hpp"
#include "layout/dist_matrix.hpp"
#include "layout/random_layout.hpp"
#include "program/count.hpp"
#include "support/mpi_test.hpp"

namespace cairn::gemm::fast {
namespace {

using cairn::test::on_ranks;
using cairn::test::pick;
using cairn::test::pick_int;
using cairn::test::Random;
using layout::DistMatrix;

class FastMultiply : public cairn::test::MpiTest {};

struct PlacedCase {
  FastSchedule schedule;
  std::array<layout::Layout, 3> layouts;
};

template <Scalar T>
DistMatrix<T> filled(const layout::Layout& l, int rank, std::uint64_t seed) {
  DistMatrix<T> x(l, rank);
  for (T& v : x.local()) v = T(std::numeric_limits<Real<T>>::quiet_NaN());  // gaps
  layout::for_each_element(x.view(), rank,
                           [&](Index i, Index j, T& v) { v = gemm::test::element<T>(seed, i, j); });
  return x;
}

// Elements are at most sqrt(2) in modulus.
template <Scalar T>
double tolerance(const FastSchedule& s, T alpha, T beta) {
  const ErrorBound e = error_bound(s);
  const auto k = static_cast<double>(s.problem.k);
  return 1e-30 +
         1.01 * unit_roundoff(s.problem.type) *
             ((e.product + 6 * k * (k + 4)) * std::abs(alpha) * 2 + (e.kept + 8) * std::abs(beta) * 1.5);
}

template <Scalar T>
void multiply_and_compare(comm::CommView comm, const PlacedCase& x, T alpha, T beta) {
  FastSchedule s = x.schedule;
  s.problem.type = ScalarTraits<T>::type;
  s.problem.alpha = kind_of(alpha);
  s.problem.beta = kind_of(beta);
  const gemm::test::Seeds seeds;
  const DistMatrix<T> a = filled<T>(x.layouts[0], comm.rank(), seeds.a),
                      b = filled<T>(x.layouts[1], comm.rank(), seeds.b);
  DistMatrix<T> c = filled<T>(x.layouts[2], comm.rank(), seeds.c);
  const comm::TrafficSnapshot before = comm.traffic().snapshot();
  multiply<T>(comm, s, alpha, a.view(), b.view(), beta, c.view());
  const comm::TrafficSnapshot moved = comm.traffic().snapshot() - before;
  if (s.problem.multiplies()) {
    const auto placed = [](const auto& m) { return PlacedMatrix{m.layout, m.elements, 0}; };
    const program::Program program =
        compile_placed(s, placed(a.view()), placed(b.view()), placed(c.view()), comm.rank(), comm.size());
    comm::Counters all = moved.total();
    all -= moved.within(comm::agreement_phase);
    ASSERT_EQ(all, program::count(program).total()) << describe(s);
  }
  const double allowed = tolerance<T>(s, alpha, beta);
  bool right = true;
  layout::for_each_element(c.view(), comm.rank(), [&](Index i, Index j, T& v) {
    const auto expected = gemm::test::reference<T>(s.problem, seeds, alpha, beta, i, j).first;
    right = right && std::abs(v - expected) <= allowed;  // NaN fails as well
  });
  EXPECT_TRUE(right) << describe(s) << " on " << comm.size();
}

// An algorithm, an order and a base that fit p ranks.
FastSchedule random_schedule(Random& g, int p, Index most) {
  FastSchedule s;
  s.problem = {.m = pick(g, 0, most), .n = pick(g, 0, most), .k = pick(g, 0, most)};
  const std::array ops{Op::none, Op::transpose, Op::adjoint};
  s.problem.op_a = ops[g() % 3];
  s.problem.op_b = ops[g() % 3];
  const std::vector<std::string> names{"winograd", "strassen", "classical", "3x2x2",
                                       "2x3x2",    "2x2x3",    "3x2x3",     "5x2x2"};
  int left = p;
  for (int step = pick_int(g, 0, 3); step > 0; --step) {
    const auto x = find_bilinear(names[g() % names.size()]);
    const bool bfs = left >= x->rank() && g() % 3 != 0;
    if (!bfs && x->rank() > 8) continue;  // many products one after the other take long
    s.steps.push_back({bfs ? StepKind::bfs : StepKind::dfs, x});
    if (bfs) left /= x->rank();
  }
  s.base.pm = pick_int(g, 1, left);
  s.base.pn = pick_int(g, 1, left / s.base.pm);
  s.base.pk = pick_int(g, 1, left / s.base.pm / s.base.pn);
  if (g() % 4 == 0) s.local = {winograd_level(Temporaries::few)};
  return s;
}

PlacedCase random_case(Random& g, int p, Index most) {
  PlacedCase x{random_schedule(g, p, most), {}};
  const Problem& problem = x.schedule.problem;
  for (const Matrix m : all_matrices)
    x.layouts[index(m)] =
        m == Matrix::c ? cairn::test::pick_free(g, stored_rows(problem, m), stored_columns(problem, m), p,
                                                layout::Order::row_major)
                       : layout::block_cyclic(stored_rows(problem, m), stored_columns(problem, m),
                                              {.process_rows = 1, .process_columns = p, .mb = 5, .nb = 3});
  return x;
}

template <Scalar T>
T random_factor(Random& g) {
  const std::array<T, 4> all{T(0), T(1), T(-1), gemm::test::element<T>(5, pick(g, 0, 99), 1)};
  return all[g() % 4];
}

void run_random(comm::CommView comm, std::uint64_t seed, int count, Index most) {
  Random g(seed + static_cast<std::uint64_t>(comm.size()));
  for (int i = 0; i < count; ++i) {
    const PlacedCase x = random_case(g, comm.size(), i % 5 == 0 ? 2 * most : most);
    dispatch(std::array{ScalarType::f32, ScalarType::f64, ScalarType::c32, ScalarType::c64}[g() % 4],
             [&]<Scalar T>() {
               const T alpha = random_factor<T>(g), beta = random_factor<T>(g);
               multiply_and_compare<T>(comm, x, alpha, beta);
             });
  }
}

TEST_F(FastMultiply, IsTheProductOnAnyNumberOfRanks) {
  cairn::test::for_each_size([](comm::CommView comm) { run_random(comm, 1, cairn::test::trials(100), 100); });
}

TEST_F(FastMultiply, BadArgumentsAreTheSameErrorEverywhere) {
  on_ranks(7, [](comm::CommView comm) {
    const FastSchedule s{{.m = 8, .n = 8, .k = 8}, parse_steps("B", find_bilinear("winograd")), {}, {}, {}};
    const auto whole = [&](Index rows, Index columns) {
      return layout::block_cyclic(rows, columns, {.process_rows = 1, .process_columns = 7, .mb = 2, .nb = 2});
    };
    DistMatrix<double> a(whole(8, 8), comm.rank()), b(whole(8, 8), comm.rank()), c(whole(8, 8), comm.rank());
    const auto call = [&](const FastSchedule& schedule, DistMatrix<double>& left, Index elements) {
      layout::MatrixView<const double> view = left.view();
      view.elements -= elements;
      multiply<double>(comm, schedule, 1, view, b.view(), 0, c.view());
    };
    FastSchedule wide = s;
    wide.base = {2, 1, 1};
    cairn::test::expect_same_error<ArgumentError>(
        comm, [&] { call(wide, a, 0); }, "needs 14 ranks, there are 7");
    DistMatrix<double> odd(whole(8, 9), comm.rank());
    cairn::test::expect_same_error<ArgumentError>(
        comm, [&] { call(s, odd, 0); }, "A is 8 x 9, expected 8 x 8");
    cairn::test::expect_same_error<ArgumentError>(
        comm, [&] { call(s, a, comm.rank() == 0 ? 1 : 0); }, "memory of A has 15 elements on rank 0");
    FastSchedule other = s;
    if (comm.rank() == 3) other.steps.push_back({StepKind::dfs, find_bilinear("winograd")});
    cairn::test::expect_same_error<ArgumentError>(
        comm, [&] { call(other, a, 0); }, "schedule is 8 x 8 x 8 double NN by winograd B on 7 ranks");
  });
}

}  // namespace
}  // namespace cairn::gemm::fast
