// matvec and rank1 on any layouts, against sums in long double.
#include "api/support.hpp"
#include "comm/agreement.hpp"
#include "support/trials.hpp"

namespace cairn::test {
namespace {

class ApiVectors : public MpiTest {};

template <Scalar T>
using Wide = std::conditional_t<ScalarTraits<T>::is_complex, std::complex<long double>, long double>;

template <Scalar T>
Wide<T> op_element(Op op, std::uint64_t seed, Index i, Index j) {
  const Wide<T> x(op == Op::none ? element<T>(seed, i, j) : element<T>(seed, j, i));
  if constexpr (ScalarTraits<T>::is_complex) return op == Op::adjoint ? std::conj(x) : x;
  return x;
}

// Elements are at most about 1 in size.
template <Scalar T>
double allowed(Index terms) {
  return 8.0 * static_cast<double>(terms + 4) * static_cast<double>(ScalarTraits<T>::roundoff) * 4;
}

template <Scalar T>
Matrix<T> some_vector(const Context& context, Random& random, Index n, std::uint64_t seed) {
  const bool row = random() % 3 == 0;
  Matrix<T> v(context,
              row ? some_layout(random, 1, n, context.size()) : some_layout(random, n, 1, context.size()));
  v.fill([&](Index i, Index j) { return element<T>(seed, i + j, 0); });
  return v;
}

template <Scalar T>
void try_matvec(const Context& context, Random& random) {
  const Index m = pick_int(random, 0, 23), n = pick_int(random, 0, 23);
  const Op op = static_cast<Op>(random() % 3);
  const Index terms = op == Op::none ? n : m, results = op == Op::none ? m : n;
  Matrix<T> a(context, some_layout(random, m, n, context.size()));
  fill(a, 1);
  const Matrix<T> x = some_vector<T>(context, random, terms, 2);
  Matrix<T> y = some_vector<T>(context, random, results, 3);
  const T alpha = T(2), beta = random() % 2 == 0 ? T(0) : T(3);
  if (beta == T(0)) fill_nan(y);
  matvec<T>(alpha, op, a, x, beta, y);
  y.for_each([&](Index i, Index j, T found) {
    Wide<T> sum = beta == T(0) ? Wide<T>(0) : Wide<T>(beta) * Wide<T>(element<T>(3, i + j, 0));
    for (Index l = 0; l < terms; ++l)
      sum += Wide<T>(alpha) * op_element<T>(op, 1, i + j, l) * Wide<T>(element<T>(2, l, 0));
    ASSERT_LE(static_cast<double>(std::abs(Wide<T>(found) - sum)), allowed<T>(terms)) << i << ", " << j;
  });
}

template <Scalar T>
void try_rank1(const Context& context, Random& random) {
  const Index m = pick_int(random, 0, 23), n = pick_int(random, 0, 23);
  const Op op = random() % 2 == 0 ? Op::transpose : Op::adjoint;
  Matrix<T> a(context, some_layout(random, m, n, context.size()));
  fill(a, 1);
  const Matrix<T> y = some_vector<T>(context, random, m, 2), x = some_vector<T>(context, random, n, 3);
  rank1<T>(T(2), y, op, x, a);
  a.for_each([&](Index i, Index j, T found) {
    const Wide<T> expected =
        Wide<T>(element<T>(1, i, j)) + Wide<T>(2) * Wide<T>(element<T>(2, i, 0)) * op_element<T>(op, 3, 0, j);
    ASSERT_LE(static_cast<double>(std::abs(Wide<T>(found) - expected)), allowed<T>(2)) << i << ", " << j;
  });
}

TEST_F(ApiVectors, RandomLayouts) {
  for_each_size([](comm::CommView c) {
    with_context(c, [](const Context& context) {
      Random random(static_cast<std::uint64_t>(context.size()));
      for (int trial = 0; trial < trials(64); ++trial) {
        try_matvec<double>(context, random);
        try_matvec<std::complex<float>>(context, random);
        try_rank1<float>(context, random);
        try_rank1<std::complex<double>>(context, random);
      }
    });
  });
}

// The words of eq. (4.2) of paper 003: A on the mesh, x and y dealt over all of it.
TEST_F(ApiVectors, WordsOnAMesh) {
  on_context(6, [](const Context& context) {
    const Index m = 60, n = 90;
    Matrix<double> a(context, cairn::Layout::elemental(m, n, 2, 3));
    Matrix<double> x(context, cairn::Layout::parse("[(1,0),()] 2x3", n, 1)),
        y(context, cairn::Layout::parse("[(0,1),()] 2x3", m, 1));
    const auto& traffic = context.state().comm().traffic();
    const comm::TrafficSnapshot before = traffic.snapshot();
    matvec(1, Op::none, a, x, 0, y);
    Index received = 0;
    for (const auto& [phase, counters] : (traffic.snapshot() - before).phases)
      if (phase.find(comm::agreement_phase) == std::string::npos && phase.starts_with("gemv"))
        received += counters.received.words;
    EXPECT_EQ(received, n / 3 / 2 + (m / 2) * 2 / 3);
  });
}

}  // namespace
}  // namespace cairn::test
