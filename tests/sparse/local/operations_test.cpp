#include "sparse/local/operations.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <numeric>

#include "sparse/local/reference.hpp"
#include "support/trials.hpp"

namespace cairn::sparse {
namespace {

using test::Entries;
using test::entries_of;
using test::Shape;

template <class T>
class OperationsOf : public ::testing::Test {
 protected:
  Csr<T> any(Index rows, Index columns) {
    constexpr Shape shapes[] = {Shape::sparse, Shape::dense, Shape::empty_rows, Shape::dense_row,
                                Shape::empty};
    return test::random_matrix<T>(random, rows, columns, shapes[random() % 5]);
  }
  Index side() {
    constexpr Index sides[] = {0, 1, 2, 5, 13, 40, 97};
    return sides[random() % std::size(sides)];
  }
  std::vector<Index> permutation(Index n) {
    std::vector<Index> p(static_cast<std::size_t>(n));
    std::iota(p.begin(), p.end(), Index{0});
    std::shuffle(p.begin(), p.end(), random);
    return p;
  }
  // The matrix `c` is whole, sorted, of this shape, and has these entries.
  static void expect_is(const Csr<T>& c, Index rows, Index columns, const Entries<T>& expected) {
    ASSERT_NO_THROW(check_csr(c, "C"));
    ASSERT_TRUE(c.sorted);
    ASSERT_EQ(c.rows, rows);
    ASSERT_EQ(c.columns, columns);
    ASSERT_EQ(entries_of(c), expected);
  }
  static Entries<T> kept(const Csr<T>& a, const std::function<bool(Index, Index, T)>& keep) {
    Entries<T> e;
    for (const auto& [place, x] : entries_of(a))
      if (keep(place.first, place.second, x)) e[place] = x;
    return e;
  }
  std::mt19937_64 random{21};
};
using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(OperationsOf, Scalars);

TYPED_TEST(OperationsOf, MoveEntries) {
  using T = TypeParam;
  for (int trial = 0; trial < cairn::test::trials(60); ++trial) {
    const Index m = this->side(), n = this->side();
    const Csr<T> a = this->any(m, n);
    Entries<T> flipped, moved, adjoined;
    const auto rows = this->permutation(m), columns = this->permutation(n);
    for (const auto& [place, x] : entries_of(a)) {
      flipped[{place.second, place.first}] = x;
      if constexpr (ScalarTraits<T>::is_complex) adjoined[{place.second, place.first}] = std::conj(x);
      moved[{rows[static_cast<std::size_t>(place.first)], columns[static_cast<std::size_t>(place.second)]}] =
          x;
    }
    this->expect_is(transpose(a), n, m, flipped);
    this->expect_is(transpose(test::shuffled(a, this->random)), n, m, flipped);
    if constexpr (ScalarTraits<T>::is_complex) this->expect_is(adjoint(a), n, m, adjoined);
    this->expect_is(permute(a, rows, columns), m, n, moved);
    this->expect_is(permute(a, {}, {}), m, n, entries_of(a));
    Csr<T> sorted = test::shuffled(a, this->random);
    sort_rows(sorted);
    this->expect_is(sorted, m, n, entries_of(a));
    EXPECT_EQ(expand_rows(compress_rows(a)), a);
  }
}

TYPED_TEST(OperationsOf, ExtractAndStack) {
  using T = TypeParam;
  for (int trial = 0; trial < cairn::test::trials(60); ++trial) {
    const Index m = this->side(), n = this->side();
    const Csr<T> a = this->any(m, n);
    const Index r0 = m == 0 ? 0 : static_cast<Index>(this->random() % static_cast<std::uint64_t>(m)),
                r1 = (r0 + m + 1) / 2;
    const Index c0 = n == 0 ? 0 : static_cast<Index>(this->random() % static_cast<std::uint64_t>(n)),
                c1 = (c0 + n + 1) / 2;
    Entries<T> part;
    for (const auto& [place, x] : entries_of(a))
      if (place.first >= r0 && place.first < r1 && place.second >= c0 && place.second < c1)
        part[{place.first - r0, place.second - c0}] = x;
    this->expect_is(extract(a, r0, r1, c0, c1), r1 - r0, c1 - c0, part);
    std::vector<Index> rows(static_cast<std::size_t>(r1 - r0)), columns(static_cast<std::size_t>(c1 - c0));
    std::iota(rows.begin(), rows.end(), r0);
    std::iota(columns.begin(), columns.end(), c0);
    this->expect_is(extract_columns(extract_rows(a, rows), columns), r1 - r0, c1 - c0, part);
    const std::vector<Csr<T>> halves{extract(a, 0, r0, 0, n), extract(a, r0, m, 0, n)};
    this->expect_is(stack_rows<T>(halves), m, n, entries_of(a));
  }
  // In any order, rows also twice.
  const Csr<T> a = test::matrix_of<T>({{{0, 0}, T(1)}, {{0, 2}, T(2)}, {{1, 1}, T(3)}}, 2, 3);
  this->expect_is(extract_rows<T>(a, std::vector<Index>{1, 0, 1}), 3, 3,
                  {{{0, 1}, T(3)}, {{1, 0}, T(1)}, {{1, 2}, T(2)}, {{2, 1}, T(3)}});
  this->expect_is(extract_columns<T>(a, std::vector<Index>{2, 0}), 2, 2, {{{0, 0}, T(2)}, {{0, 1}, T(1)}});
}

TYPED_TEST(OperationsOf, CombineEntries) {
  using T = TypeParam;
  using S = PlusTimes<T>;
  for (int trial = 0; trial < cairn::test::trials(60); ++trial) {
    const Index m = this->side(), n = this->side();
    const Csr<T> a = this->any(m, n), b = this->any(m, n);
    const Entries<T> x = entries_of(a), y = entries_of(b);
    Entries<T> sum = x, product;
    for (const auto& [place, v] : y) {
      test::put<S>(sum, place.first, place.second, v);
      if (x.contains(place)) product[place] = S::multiply(x.at(place), v);
    }
    this->expect_is(add<S>(a, b), m, n, sum);
    this->expect_is(multiply_elements<S>(a, b), m, n, product);
    for (const bool complement : {false, true})
      this->expect_is(mask(a, b.pattern(), complement), m, n, this->kept(a, [&](Index i, Index j, T) {
        return y.contains({i, j}) != complement;
      }));
    this->expect_is(prune(a), m, n, this->kept(a, [](Index, Index, T v) { return v != T(0); }));
    this->expect_is(prune(a, 2), m, n, this->kept(a, [](Index, Index, T v) { return std::abs(v) > 2; }));
    this->expect_is(lower_triangle(a, -1), m, n, this->kept(a, [](Index i, Index j, T) { return j < i; }));
    this->expect_is(upper_triangle(a), m, n, this->kept(a, [](Index i, Index j, T) { return j >= i; }));
    Array<T> rows(m, T(0)), columns(n, T(0));
    for (const auto& [place, v] : x) rows[place.first] += v, columns[place.second] += v;
    EXPECT_EQ(row_sums<S>(a), rows);
    EXPECT_EQ(column_sums<S>(a), columns);
    for (Index j = 0; j < n; ++j)
      EXPECT_EQ(column_counts(a.pattern())[j],
                std::count_if(x.begin(), x.end(), [&](const auto& e) { return e.first.second == j; }));
  }
}

TYPED_TEST(OperationsOf, TriplesWithDuplicates) {
  using T = TypeParam;
  using S = PlusTimes<T>;
  for (int trial = 0; trial < cairn::test::trials(60); ++trial) {
    const Block block{100 + trial, Index{1} << 40, this->side(), this->side()};
    std::vector<Triple<T>> triples;
    Entries<T> expected;
    const std::uint64_t count = block.rows * block.columns == 0 ? 0 : this->random() % 500;
    for (std::uint64_t t = 0; t < count; ++t) {
      const auto i = static_cast<Index>(this->random() % static_cast<std::uint64_t>(block.rows));
      const auto j = static_cast<Index>(this->random() % static_cast<std::uint64_t>(block.columns));
      const T x = test::small_number<T>(this->random);
      triples.push_back({block.row + i, block.column + j, x});
      test::put<S>(expected, i, j, x);
    }
    const Csr<T> a = from_triples<S>(triples, block);
    this->expect_is(a, block.rows, block.columns, expected);
    EXPECT_EQ(from_triples<S>(to_triples(a, block.row, block.column), block), a);
  }
}

TEST(Operations, DuplicatesAreCombinedByTheSemiring) {
  const std::vector<Triple<double>> t{{1, 2, 5}, {1, 2, 3}, {0, 0, 1}, {1, 2, 4}};
  EXPECT_EQ(entries_of(from_triples<MinPlus<double>>(t, {0, 0, 2, 3})).at({1, 2}), 3);
  EXPECT_EQ(entries_of(from_triples<MaxPlus<double>>(t, {0, 0, 2, 3})).at({1, 2}), 5);
  EXPECT_EQ(entries_of(from_triples<PlusTimes<double>>(t, {0, 0, 2, 3})).at({1, 2}), 12);
  EXPECT_EQ(entries_of(from_triples<OrAnd<double>>(t, {0, 0, 2, 3})).at({1, 2}), 1);
}

template <class F>
void expect_argument_error(F&& f, std::string_view part) {
  try {
    f();
    FAIL() << "no error: " << part;
  } catch (const ArgumentError& e) {
    EXPECT_NE(std::string_view(e.what()).find(part), std::string_view::npos) << e.what();
  }
}

TEST(Operations, BadArguments) {
  using S = PlusTimes<double>;
  const auto a = Csr<double>::zero(3, 4), b = Csr<double>::zero(4, 3);
  expect_argument_error([&] { add<S>(a, b); }, "A is 3 x 4 and B is 4 x 3");
  expect_argument_error([&] { mask(a, b.pattern()); }, "expected the same shape");
  auto unsorted = a;
  unsorted.sorted = false;
  expect_argument_error([&] { add<S>(a, unsorted); }, "the rows of B are not sorted");
  expect_argument_error([&] { extract(a, 0, 4, 0, 4); }, "the rows are 0 to 4");
  expect_argument_error([&] { extract_rows<double>(a, std::vector<Index>{3}); }, "row 0 of the list is 3");
  expect_argument_error([&] { extract_columns<double>(a, std::vector<Index>{1, 1}); }, "column 1 twice");
  expect_argument_error([&] { permute(a, std::vector<Index>{0, 1, 1}, {}); }, "holds 1 twice");
  expect_argument_error([&] { permute(a, std::vector<Index>{0, 1}, {}); }, "has 2 numbers, expected 3");
  const std::vector<Triple<double>> t{{3, 0, 1}};
  expect_argument_error([&] { from_triples<S>(t, {0, 0, 3, 3}); }, "an entry is at (3, 0)");
  expect_argument_error(
      [&] {
        from_triples<S>({}, {0, 0, 3, Index{1} << 31});
      },
      "expected sides of 0 to 2147483647");
  expect_argument_error([&] { parse_semiring("plus"); }, "the semiring is 'plus'");
  expect_argument_error([&] { dispatch<std::complex<float>>(Semiring::min_plus, []<class>() {}); },
                        "min-plus with complex");
  for (const Semiring s : all_semirings) EXPECT_EQ(parse_semiring(name(s)), s);
}

TEST(Operations, CheckCsrFindsWhatIsWrong) {
  const Csr<double> good = test::matrix_of<double>({{{0, 0}, 1.0}, {{0, 2}, 1.0}, {{1, 1}, 1.0}}, 2, 3);
  const auto expect_wrong = [&](const std::function<void(Csr<double>&)>& spoil, std::string_view part) {
    Csr<double> a = good;
    spoil(a);
    expect_argument_error([&] { check_csr(a, "A"); }, part);
  };
  EXPECT_NO_THROW(check_csr(good, "A"));
  expect_wrong([](auto& a) { a.columns_of[0] = 3; }, "A: row 0 has an entry in column 3");
  expect_wrong([](auto& a) { a.columns_of[0] = 2; }, "A: row 0 has column 2 twice");
  expect_wrong([](auto& a) { std::swap(a.columns_of[0], a.columns_of[1]); }, "column 0 behind 2");
  expect_wrong([](auto& a) { a.starts[1] = 4; }, "row 1 starts at entry 4");
  expect_wrong([](auto& a) { a.values.push_back(1); }, "3 columns and 4 values");
  expect_wrong([](auto& a) { a.rows = 3; }, "A has 3 starts, expected 4");
}

TEST(Operations, ArraysGrowAndShrink) {
  Array<Index> a;
  for (Index i = 0; i < 3'000'000; ++i) a.push_back(i);
  a.trim();
  EXPECT_EQ(a.capacity(), 3'000'000);
  Array<Index> b = a;
  EXPECT_EQ(a, b);
  b.resize(10);
  b.trim();
  EXPECT_EQ(b.back(), 9);
  const Array<Index> c = std::move(b);
  EXPECT_EQ(c.size(), 10);
  EXPECT_EQ((Array<int>(3, 7)), (Array<int>{7, 7, 7}));
  EXPECT_THROW(Array<double>(Index{1} << 61), OverflowError);
}

}  // namespace
}  // namespace cairn::sparse
