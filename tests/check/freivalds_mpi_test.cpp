// Freivalds' check: finds every single wrong element above its tolerance, and lets every right product pass.
#include "check/freivalds.hpp"

#include "comm/collectives.hpp"
#include "gemm/local_blocks.hpp"
#include "gemm/product_runner.hpp"
#include "gemm/random_schedules.hpp"
#include "gemm/reference.hpp"
#include "layout/dist_matrix.hpp"
#include "layout/exchange/redistribute.hpp"
#include "layout/random_layout.hpp"
#include "support/mpi_test.hpp"

namespace cairn::check {
namespace {

using gemm::Matrix;
using gemm::Problem;
using gemm::Schedule;
using layout::LocalBlocks;

class Verify : public test::MpiTest {};

// Powers of two by which rows and columns of a matrix are scaled.
struct Scaling {
  int spread = 0;  // up to 2^spread up and down
  int offset = 0;

  double operator()(std::uint64_t seed, Index i, Index j) const {
    const double rows = gemm::test::hash_number(seed + 100, i, 0),
                 cols = gemm::test::hash_number(seed + 200, 0, j);
    return std::exp2(std::floor(spread * rows) + std::floor(spread * cols) + offset);
  }
};

// C = alpha op(A) op(B) + beta C0 of functions of the indices; all matrices in any layouts.
template <Scalar T>
struct Product {
  Problem problem;
  T alpha = T(1);
  T beta = T(0);
  Scaling a_scale = {}, b_scale = {};

  T a(Index i, Index l) const { return operand(1, problem.op_a, i, l); }  // of op(A)
  T b(Index l, Index j) const { return operand(2, problem.op_b, l, j); }
  T c0(Index i, Index j) const { return gemm::test::element<T>(3, i, j); }
  T c(Index i, Index j) const {
    T sum(0);
    for (Index l = 0; l < problem.k; ++l) sum += a(i, l) * b(l, j);
    const T product = problem.k > 0 && alpha != T(0) ? alpha * sum : T(0);
    return beta != T(0) ? product + beta * c0(i, j) : product;
  }
  T stored(int which, Index i, Index j) const {
    const Scaling& scale = which == 1 ? a_scale : b_scale;
    const auto seed = static_cast<std::uint64_t>(which);
    return gemm::test::element<T>(seed, i, j) * static_cast<Real<T>>(scale(seed, i, j));
  }

  // (|alpha| |op A| |op B| 1 + |beta| |C0| 1)_i
  double row_bound(Index i) const {
    double sum = 0;
    for (Index j = 0; j < problem.n; ++j) {
      for (Index l = 0; l < problem.k; ++l) sum += size_of(alpha) * size_of(a(i, l)) * size_of(b(l, j));
      if (beta != T(0)) sum += size_of(beta) * size_of(c0(i, j));
    }
    return sum;
  }

 private:
  static double size_of(T x) { return std::abs(std::complex<double>(x)); }
  T operand(int which, Op op, Index i, Index j) const {
    const T x = op == Op::none ? stored(which, i, j) : stored(which, j, i);
    return op == Op::adjoint ? conj(x) : x;
  }
};

template <Scalar T>
struct Matrices {
  layout::DistMatrix<T> a, b, c0, c;
};

template <Scalar T>
Matrices<T> make(const Product<T>& p, comm::CommView comm, test::Random& random) {
  const Problem& q = p.problem;
  const auto stored = [&](Op op, Index rows, Index cols) {
    return op == Op::none ? test::pick_layout(random, rows, cols, comm.size())
                          : test::pick_layout(random, cols, rows, comm.size());
  };
  const int me = comm.rank();
  Matrices<T> m{{stored(q.op_a, q.m, q.k), me},
                {stored(q.op_b, q.k, q.n), me},
                {stored(Op::none, q.m, q.n), me},
                {stored(Op::none, q.m, q.n), me}};
  layout::fill(m.a.view(), me, [&](Index i, Index j) { return p.stored(1, i, j); });
  layout::fill(m.b.view(), me, [&](Index i, Index j) { return p.stored(2, i, j); });
  layout::fill(m.c0.view(), me, [&](Index i, Index j) { return p.c0(i, j); });
  layout::fill(m.c.view(), me, [&](Index i, Index j) { return p.c(i, j); });
  return m;
}

template <Scalar T>
LocalBlocks<T> blocks(const layout::DistMatrix<T>& m) {
  return layout::blocks_of<T>(m.view(), m.rank());
}

template <Scalar T>
Verdict verify(const Product<T>& p, comm::CommView comm, const Matrices<T>& m, const VerifyOptions& options) {
  Freivalds<T> freivalds(comm, p.problem.m, p.problem.n, options);
  if (p.beta != T(0)) freivalds.save(blocks(m.c0));
  return freivalds.check(p.alpha, {p.problem.op_a, blocks(m.a)}, {p.problem.op_b, blocks(m.b)}, p.beta,
                         blocks(m.c));
}

template <Scalar T>
Product<T> random_product(gemm::test::RandomSchedules& random, Index most, int spread) {
  const auto scalar = [&] {
    return random.chance(0.5) ? T(static_cast<Real<T>>(random.number(0, 1)))
                              : gemm::test::element<T>(99, random.number(0, 1000), 0);
  };
  Product<T> p{.problem = random.problem(most), .alpha = scalar(), .beta = scalar()};
  p.a_scale.spread = static_cast<int>(random.number(0, spread));
  p.b_scale.spread = static_cast<int>(random.number(0, spread));
  return p;
}

enum class Wrong { just_above, larger, large, nan, infinite };

// What a wrong element becomes: at least `tolerance` away.
template <Scalar T>
T spoilt(T right, double tolerance, Wrong how, bool negative) {
  using R = Real<T>;
  if (how == Wrong::nan) return T(std::numeric_limits<R>::quiet_NaN());
  if (how == Wrong::infinite) return T(std::numeric_limits<R>::infinity());
  double by = tolerance * (how == Wrong::just_above ? 1.0001 : how == Wrong::larger ? 30 : 1e6);
  by = std::max(by, static_cast<double>(std::numeric_limits<R>::min()));
  T wrong = right;
  for (; static_cast<double>(std::abs(wrong - right)) < tolerance || wrong == right; by *= 1.001)
    wrong = right + T(static_cast<R>(negative ? -by : by));
  return wrong;
}

template <Scalar T>
void catch_one(gemm::test::RandomSchedules& random, test::Random& layouts, comm::CommView comm) {
  Product<T> p = random_product<T>(random, 40, 8);
  p.problem.m = std::max<Index>(1, p.problem.m);
  p.problem.n = std::max<Index>(1, p.problem.n);
  Matrices<T> m = make(p, comm, layouts);
  ASSERT_TRUE(verify(p, comm, m, {}).passed);

  const Index row = random.number(0, p.problem.m - 1), col = random.number(0, p.problem.n - 1);
  const std::array kinds{Wrong::just_above, Wrong::larger, Wrong::large, Wrong::nan, Wrong::infinite};
  const Wrong how = random.pick(kinds);
  const bool negative = random.chance(0.5);
  // Twice the tolerance: the right element may be off by once the tolerance the other way. |re| + |im| may be
  // twice the product of absolute values; what underflow adds is far below the least step of these numbers.
  const double bound = std::max(p.row_bound(row), 1e-20);
  const double factor = ScalarTraits<T>::is_complex ? 4.0 * std::sqrt(2.0) : 2.0;
  const double tolerance = factor * relative_tolerance<T>(p.problem.n, p.problem.k) * bound;
  layout::for_each_element(m.c.view(), comm.rank(), [&](Index i, Index j, T& x) {
    if (i == row && j == col) x = spoilt(x, tolerance, how, negative);
  });
  const Verdict verdict = verify(p, comm, m, {.rounds = 1, .seed = 7});
  EXPECT_FALSE(verdict.passed) << describe(verdict) << ", spoilt row " << row << " kind "
                               << static_cast<int>(how) << " of "
                               << gemm::describe(Schedule{.problem = p.problem});
  EXPECT_EQ(verdict.row, row);
}

constexpr int catches = 200;

TEST_F(Verify, CatchesEverySingleWrongElement) {
  const comm::CommView comm = test::world();
  gemm::test::RandomSchedules random(11);
  test::Random layouts(12);
  for (int trial = 0; trial < catches && !HasFailure(); ++trial) {
    SCOPED_TRACE("trial " + std::to_string(trial));
    const std::array types{ScalarType::f32, ScalarType::f64, ScalarType::c32, ScalarType::c64};
    dispatch(random.pick(types), [&]<class T>() { catch_one<T>(random, layouts, comm); });
  }
}

// Right products of every kind and size, badly scaled ones too, in any layouts.
TEST_F(Verify, PassesEveryRightProduct) {
  test::for_each_size([](comm::CommView comm) {
    const auto seed = static_cast<std::uint64_t>(comm.size());
    gemm::test::RandomSchedules random(seed);
    test::Random layouts(seed);
    for (int trial = 0; trial < 120; ++trial) {
      const std::array types{ScalarType::f32, ScalarType::f64, ScalarType::c32, ScalarType::c64};
      dispatch(random.pick(types), [&]<class T>() {
        const Product<T> p = random_product<T>(random, 60, sizeof(Real<T>) == 4 ? 12 : 150);
        const Matrices<T> m = make(p, comm, layouts);
        const Verdict verdict = verify(p, comm, m, {.rounds = 3, .seed = seed});
        EXPECT_TRUE(verdict.passed) << describe(verdict) << " of "
                                    << gemm::describe(Schedule{.problem = p.problem});
        EXPECT_EQ(verdict.unchecked_rows, 0);
      });
    }
  });
}

// What the engine computed, in its own layout, and one wrong element of it.
TEST_F(Verify, NativeProducts) {
  test::for_each_size([](comm::CommView comm) {
    gemm::test::RandomSchedules random(77 + static_cast<std::uint64_t>(comm.size()));
    gemm::ProductRunner context(comm);
    for (int trial = 0; trial < 12; ++trial) {
      Schedule s = random.schedule(150, comm.size());
      s.problem.m = std::max<Index>(1, s.problem.m);
      s.problem.n = std::max<Index>(1, s.problem.n);
      dispatch(s.problem.type, [&]<class T>() {
        const auto a = gemm::test::local_part<T>(s, Matrix::a, comm.rank(), 1),
                   b = gemm::test::local_part<T>(s, Matrix::b, comm.rank(), 2);
        auto c = gemm::test::local_part<T>(s, Matrix::c, comm.rank(), 3);
        const auto view = [&](Matrix x, const std::vector<T>& part) {
          return gemm::blocks_of<T>(gemm::NativeLayout(s, x), comm.rank(), part);
        };
        const T alpha(2), beta(static_cast<Real<T>>(trial % 2));
        Freivalds<T> freivalds(comm, s.problem.m, s.problem.n);
        freivalds.save(view(Matrix::c, c));
        context.multiply<T>(s, alpha, a, b, beta, std::span(c));
        const auto verdict = [&] {
          return freivalds.check(alpha, {s.problem.op_a, view(Matrix::a, a)},
                                 {s.problem.op_b, view(Matrix::b, b)}, beta, view(Matrix::c, c));
        };
        EXPECT_TRUE(verdict().passed) << describe(verdict()) << " of " << gemm::describe(s);
        const gemm::NativeLayout native(s, Matrix::c);
        const Index row = random.number(0, s.problem.m - 1);
        const auto [rank, offset] = native.owner(row, random.number(0, s.problem.n - 1));
        if (rank == comm.rank()) c[static_cast<std::size_t>(offset)] += T(Real<T>(1));
        EXPECT_FALSE(verdict().passed) << gemm::describe(s);
        EXPECT_EQ(verdict().row, row);
      });
    }
  });
}

// Two errors in a row that cancel for half of the vectors: rounds find them.
TEST_F(Verify, RoundsFindErrorsThatCancel) {
  test::on_ranks(4, [](comm::CommView comm) {
    test::Random layouts(3);
    const Product<double> p{.problem = {.m = 20, .n = 30, .k = 10}};
    int missed = 0;
    for (std::uint64_t seed = 0; seed < 64; ++seed) {
      Matrices<double> m = make(p, comm, layouts);
      layout::for_each_element(m.c.view(), comm.rank(), [&](Index i, Index j, double& x) {
        if (i == 5 && (j == 3 || j == 17)) x += 1;
      });
      missed += verify(p, comm, m, {.rounds = 1, .seed = seed}).passed ? 1 : 0;
      EXPECT_FALSE(verify(p, comm, m, {.rounds = 40, .seed = seed}).passed);
    }
    EXPECT_GT(missed, 10);  // one round is a coin
    EXPECT_LT(missed, 54);
  });
}

// Rows near overflow and underflow are compared, not given up.
TEST_F(Verify, ExtremeScales) {
  test::on_ranks(6, [](comm::CommView comm) {
    test::Random layouts(5);
    for (const auto& [up, down] : {std::pair(1000, 10), std::pair(-1000, 500), std::pair(-500, -560),
                                   std::pair(510, 505), std::pair(-1040, 0)}) {
      Product<double> p{.problem = {.m = 9, .n = 33, .k = 17}};
      p.a_scale.offset = up;
      p.b_scale.offset = down;
      Matrices<double> m = make(p, comm, layouts);
      const Verdict right = verify(p, comm, m, {});
      EXPECT_TRUE(right.passed && right.unchecked_rows == 0) << describe(right);
      if (up + down < -1000) continue;  // all of C is as good as zero
      layout::for_each_element(m.c.view(), comm.rank(), [](Index i, Index j, double& x) {
        if (i == 4 && j == 4) x = -x;
      });
      EXPECT_EQ(verify(p, comm, m, {}).passed, false) << up << " " << down;
    }
  });
}

// An infinite or undefined element of A makes its rows of C anything; they pass and are counted. Overflow
// too.
TEST_F(Verify, RowsWithoutABoundAreCounted) {
  test::on_ranks(3, [](comm::CommView comm) {
    test::Random layouts(6);
    const Product<double> p{.problem = {.m = 9, .n = 8, .k = 7}};
    Matrices<double> m = make(p, comm, layouts);
    layout::for_each_element(m.a.view(), comm.rank(), [](Index i, Index l, double& x) {
      if (i == 2 && l == 3) x = NAN;
    });
    layout::for_each_element(m.c.view(), comm.rank(), [](Index i, Index, double& x) {
      if (i == 2) x = NAN;
    });
    const Verdict verdict = verify(p, comm, m, {});
    EXPECT_TRUE(verdict.passed) << describe(verdict);
    EXPECT_EQ(verdict.unchecked_rows, 1);

    Product<float> big{.problem = {.m = 5, .n = 6, .k = 7, .type = ScalarType::f32}};
    big.a_scale.offset = big.b_scale.offset = 100;
    const Verdict overflow = verify(big, comm, make(big, comm, layouts), {});
    EXPECT_TRUE(overflow.passed) << describe(overflow);
    EXPECT_EQ(overflow.unchecked_rows, 5);
  });
}

// Words a rank receives: those of two allreduces of vectors, whatever n and the layouts are.
TEST_F(Verify, WordsAreThoseOfVectors) {
  test::on_ranks(8, [](comm::CommView comm) {
    test::Random layouts(8);
    const Product<double> p{.problem = {.m = 30, .n = 70, .k = 40}};
    const Matrices<double> m = make(p, comm, layouts);
    const comm::TrafficSnapshot before = comm.traffic().snapshot();
    verify(p, comm, m, {.rounds = 3});
    const comm::TrafficSnapshot moved = comm.traffic().snapshot() - before;
    const comm::Counters all = moved.within("verify"), agreement = moved.within("verify/agreement");
    const Index words = all.received.words - agreement.received.words;
    EXPECT_GT(words, 0);
    // Four numbers per row of op(B) and of C; the allreduce of few words sends them log2(8) times.
    EXPECT_LE(words, 3 * (4 * (30 + 40) + 4));
  });
}

TEST_F(Verify, BadArguments) {
  test::on_ranks(5, [](comm::CommView comm) {
    test::Random layouts(9);
    const Product<double> p{.problem = {.m = 3, .n = 4, .k = 5}};
    const Matrices<double> m = make(p, comm, layouts);
    const Freivalds<double> freivalds(comm, 3, 4);
    const bool wrong = comm.rank() == comm.size() - 1;
    const Operand<double> a{Op::none, blocks(m.a)}, b{Op::none, blocks(m.b)};
    const Operand<double> flipped{Op::transpose, blocks(m.b)};
    test::expect_same_error<ArgumentError>(
        comm, [&] { freivalds.check(1, a, wrong ? flipped : b, 0, blocks(m.c)); },
        "B is 5 x 4, expected 4 x 5");
    test::expect_same_error<ArgumentError>(
        comm, [&] { freivalds.check(1, a, b, 1, blocks(m.c)); }, "C was not saved");
    test::expect_same_error<ArgumentError>(
        comm, [&] { freivalds.check(wrong ? 2 : 1, a, b, 0, blocks(m.c)); }, "alpha, beta, ops and options");
    EXPECT_THROW(Freivalds<double>(comm, 3, 4, {.rounds = 0}), ArgumentError);
    EXPECT_THROW(Freivalds<double>(comm, -3, 4), ArgumentError);
  });
}

}  // namespace
}  // namespace cairn::check
