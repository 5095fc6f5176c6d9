// Matrices stored in part, renamed and chained: each equation holds as written, with rubbish where nothing may be read,
// and one wrong element is found.
#include "check/parts.hpp"

#include "check/freivalds.hpp"
#include "layout/dist_matrix.hpp"
#include "layout/random_layout.hpp"
#include "support/mpi_test.hpp"

namespace cairn::check {
namespace {

class Parts : public test::MpiTest {};

template <Scalar T>
T entry(Index which, Index i, Index j) {
  const auto part = [&](Index salt) {
    return static_cast<Real<T>>(((i * 37 + j * 101 + which * 53 + salt) % 97) - 48) / Real<T>(64);
  };
  if constexpr (ScalarTraits<T>::is_complex)
    return {part(0), part(31)};
  else
    return part(0);
}

// A matrix as a function of its indices, and as it is stored.
template <Scalar T>
using Element = std::function<T(Index, Index)>;

template <Scalar T>
class Stored {
 public:
  Stored(comm::CommView comm, test::Random& random, Index rows, Index cols, const Element<T>& f)
      : matrix_(test::pick_layout(random, rows, cols, comm.size()), comm.rank()) {
    layout::fill(matrix_.view(), comm.rank(), f);
  }
  layout::LocalBlocks<T> blocks() const { return layout::blocks_of<T>(matrix_.view(), matrix_.rank()); }

 private:
  layout::DistMatrix<T> matrix_;
};

template <Scalar T>
Element<T> product(Index k, const Element<T>& a, const Element<T>& b) {
  return [=](Index i, Index j) {
    T sum(0);
    for (Index l = 0; l < k; ++l) sum += a(i, l) * b(l, j);
    return sum;
  };
}

// What is in `c` is C, and `wrong` is C but for one element.
template <Scalar T>
void expect_judged(comm::CommView comm, test::Random& random, Index m, Index n,
                   const std::vector<Term<T>>& terms, const Element<T>& c) {
  const Freivalds<T> freivalds(comm, m, n, {.rounds = 1});
  const Verdict right = freivalds.check(terms, T(0), Stored<T>(comm, random, m, n, c).blocks());
  EXPECT_EQ(outcome(right), Outcome::right) << describe(right);
  EXPECT_EQ(right.rows, m);
  const auto spoilt = [&](Index i, Index j) {
    return i == m / 2 && j == n / 3 ? c(i, j) + T(Real<T>(0.125)) : c(i, j);
  };
  const Verdict wrong = freivalds.check(terms, T(0), Stored<T>(comm, random, m, n, spoilt).blocks());
  EXPECT_EQ(outcome(wrong), Outcome::wrong);
  EXPECT_EQ(wrong.row, m / 2);
}

constexpr double rubbish = std::numeric_limits<double>::quiet_NaN();

template <Scalar T>
void check_triangles(comm::CommView comm, test::Random& random, Triangle half, Diagonal diagonal) {
  const Index n = 23;
  const auto inside = [half](Index i, Index j) { return half == Triangle::lower ? i > j : i < j; };
  const Element<T> stored = [&](Index i, Index j) {
    return inside(i, j) || (i == j && diagonal == Diagonal::stored) ? entry<T>(1, i, j) : T(Real<T>(rubbish));
  };
  const Element<T> meant = [&](Index i, Index j) {
    return inside(i, j)                 ? entry<T>(1, i, j)
           : i != j                     ? T(0)
           : diagonal == Diagonal::unit ? T(1)
                                        : entry<T>(1, i, i);
  };
  const Element<T> b = [](Index i, Index j) { return entry<T>(2, i, j); };
  const Stored<T> triangle(comm, random, n, n, stored), panel(comm, random, n, 9, b);
  const std::vector<Term<T>> terms{
      {T(1), {{Op::none, triangle_of(triangle.blocks(), half, diagonal)}, {Op::none, panel.blocks()}}}};
  expect_judged<T>(comm, random, n, 9, terms, product<T>(n, meant, b));
}

template <Scalar T>
void check_mirrored(comm::CommView comm, test::Random& random, Triangle half, bool hermitian) {
  const Index n = 19;
  const auto inside = [half](Index i, Index j) { return half == Triangle::lower ? i > j : i < j; };
  const Element<T> stored = [&](Index i, Index j) {
    return inside(i, j) || i == j ? entry<T>(1, i, j) : T(Real<T>(rubbish));
  };
  const Element<T> meant = [&](Index i, Index j) {
    if (i == j) return hermitian ? T(std::real(entry<T>(1, i, i))) : entry<T>(1, i, i);
    if (inside(i, j)) return entry<T>(1, i, j);
    return hermitian ? cairn::conj(entry<T>(1, j, i)) : entry<T>(1, j, i);
  };
  const Element<T> b = [](Index i, Index j) { return entry<T>(2, i, j); };
  const Stored<T> square(comm, random, n, n, stored), panel(comm, random, 7, n, b);
  const std::vector<Term<T>> terms{
      {T(1),
       {{Op::none, conjugated(panel.blocks())}, {Op::none, mirrored(square.blocks(), half, hermitian)}}}};
  const Element<T> panel_conjugated = [](Index i, Index j) { return cairn::conj(entry<T>(2, i, j)); };
  expect_judged<T>(comm, random, 7, n, terms, product<T>(n, panel_conjugated, meant));
}

TEST_F(Parts, TrianglesAndTheirMirrors) {
  test::for_each_size([](comm::CommView comm) {
    test::Random random(static_cast<std::uint64_t>(comm.size()));
    for (const ScalarType type : {ScalarType::f32, ScalarType::f64, ScalarType::c32, ScalarType::c64})
      dispatch(type, [&]<class T>() {
        for (const Triangle half : {Triangle::lower, Triangle::upper}) {
          check_triangles<T>(comm, random, half, Diagonal::stored);
          check_triangles<T>(comm, random, half, Diagonal::unit);
          check_mirrored<T>(comm, random, half, false);
          check_mirrored<T>(comm, random, half, true);
        }
      });
  });
}

// P A = L (U M) + 2 D: chains of three, two terms, rows under other names.
TEST_F(Parts, ChainsAndRenamedRows) {
  test::for_each_size([](comm::CommView comm) {
    using T = double;
    test::Random random(5);
    const Index m = 12, n = 10;
    const auto of = [](Index which) {
      return Element<T>([which](Index i, Index j) { return entry<T>(which, i, j); });
    };
    const Element<T> all = [&](Index i, Index j) {
      return product<T>(5, of(1), product<T>(6, of(2), of(3)))(i, j) + 2 * entry<T>(4, i, j);
    };
    std::vector<Index> to(static_cast<std::size_t>(m));
    for (Index i = 0; i < m; ++i) to[static_cast<std::size_t>(i)] = (5 * i + 3) % m;
    const Element<T> renamed = [&](Index i, Index j) { return all(to[static_cast<std::size_t>(i)], j); };
    const Stored<T> l(comm, random, m, 5, of(1)), u(comm, random, 5, 6, of(2)), x(comm, random, 6, n, of(3)),
        d(comm, random, m, n, of(4)), a(comm, random, m, n, renamed);
    const std::vector<Term<T>> terms{
        {1, {{Op::none, l.blocks()}, {Op::none, u.blocks()}, {Op::none, x.blocks()}}},
        {2, {{Op::none, d.blocks()}}}};
    const Freivalds<T> freivalds(comm, m, n);
    const Verdict right = freivalds.check(terms, 0, rows_renamed<T>(a.blocks(), to));
    EXPECT_EQ(outcome(right), Outcome::right) << describe(right);
    EXPECT_EQ(outcome(freivalds.check(terms, 0, a.blocks())), Outcome::wrong);
  });
}

// Every rank compares rows of its own; all learn of the worst, and how many could be looked at.
TEST_F(Parts, VerdictsOfAllRanksAreOne) {
  test::on_ranks(5, [](comm::CommView comm) {
    Verdict mine;
    const int me = comm.rank();
    if (me == 4) skip_row(mine);
    if (me < 4) compare_row(mine, 10 * me, me == 2 ? 0.9 : 1e-3 * me, 1);
    Verdict all = worst_of_all(comm, mine);
    EXPECT_EQ(outcome(all), Outcome::partly);
    EXPECT_EQ(std::tuple(all.row, all.rows, all.unchecked_rows), std::tuple(20, 5, 1));
    EXPECT_EQ(all.residual, 0.9);
    if (me == 1) compare_row(mine, 11, std::numeric_limits<double>::quiet_NaN(), 1);
    all = worst_of_all(comm, mine);
    EXPECT_EQ(outcome(all), Outcome::wrong);
    EXPECT_EQ(std::tuple(all.row, all.rows), std::tuple(11, 6));
    EXPECT_THROW(require_right(all, "test"), ResultError);
    Verdict nothing;
    skip_row(nothing);
    EXPECT_EQ(outcome(worst_of_all(comm, nothing)), Outcome::unknown);
    EXPECT_THROW(require_right(nothing, "test"), ResultError);
  });
}

}  // namespace
}  // namespace cairn::check
