#include "sparse/local/spgemm.hpp"

#include <gtest/gtest.h>

#include "sparse/local/merge.hpp"
#include "sparse/local/operations.hpp"
#include "sparse/local/reference.hpp"
#include "sparse/local/spgemm_body.hpp"
#include "support/trials.hpp"

namespace cairn::sparse {
namespace {

using test::Entries;
using test::entries_of;
using test::Shape;

constexpr Shape shapes[] = {Shape::sparse, Shape::dense, Shape::empty_rows, Shape::dense_row, Shape::empty};

struct Case {
  Index m, k, n;
  Shape a, b;
};

Case random_case(std::mt19937_64& random) {
  constexpr Index sides[] = {0, 1, 2, 3, 5, 7, 16, 31, 64, 100, 130};
  const auto side = [&] { return sides[random() % std::size(sides)]; };
  const auto shape = [&] { return shapes[random() % std::size(shapes)]; };
  return {side(), side(), side(), shape(), shape()};
}

template <class S>
struct Operands {
  using T = typename S::Value;
  Operands(std::mt19937_64& random, const Case& c)
      : a(test::random_matrix<T>(random, c.m, c.k, c.a)), b(test::random_matrix<T>(random, c.k, c.n, c.b)) {
    expected = test::product<S>(entries_of(a), entries_of(b));
  }
  Csr<T> a, b;
  Entries<T> expected;
};

template <class S>
class SpgemmOf : public ::testing::Test {};
using Semirings = ::testing::Types<PlusTimes<float>, PlusTimes<double>, PlusTimes<std::complex<float>>,
                                   PlusTimes<std::complex<double>>, MinPlus<double>, MaxPlus<float>,
                                   OrAnd<double>, PlusPair<float>>;
TYPED_TEST_SUITE(SpgemmOf, Semirings);

TYPED_TEST(SpgemmOf, EqualsTheDefinition) {
  using S = TypeParam;
  std::mt19937_64 random(11);
  Workers workers(3);
  for (int trial = 0; trial < cairn::test::trials(120); ++trial) {
    Operands<S> o(random, random_case(random));
    if (trial % 3 == 1) o.a = test::shuffled(o.a, random);
    if (trial % 3 == 2) o.b = test::shuffled(o.b, random);
    for (const bool sorted : {true, false})
      for (Workers* const threads : {static_cast<Workers*>(nullptr), &workers}) {
        const auto c = spgemm<S>(o.a, o.b, {.sorted = sorted, .workers = threads});
        ASSERT_NO_THROW(check_csr(c, "C"));
        ASSERT_EQ(c.rows, o.a.rows);
        ASSERT_EQ(c.columns, o.b.columns);
        ASSERT_EQ(c.entries(), static_cast<Index>(o.expected.size()));
        ASSERT_EQ(entries_of(c), o.expected) << "trial " << trial;
      }
  }
}

TYPED_TEST(SpgemmOf, MasksEqualMaskedProducts) {
  using S = TypeParam;
  using T = typename S::Value;
  std::mt19937_64 random(12);
  Workers workers(2);
  for (int trial = 0; trial < cairn::test::trials(60); ++trial) {
    const Case shape = random_case(random);
    const Operands<S> o(random, shape);
    Csr<T> m = test::random_matrix<T>(random, shape.m, shape.n, shapes[random() % 5]);
    const auto mask_entries = entries_of(m);
    if (trial % 2 == 1) m = test::shuffled(m, random);
    for (const bool complement : {false, true}) {
      Entries<T> expected;
      for (const auto& [place, x] : o.expected)
        if (mask_entries.contains(place) != complement) expected[place] = x;
      const SpgemmOptions options{.mask = Mask{m.pattern(), complement},
                                  .workers = trial % 3 == 0 ? &workers : nullptr};
      const auto c = spgemm<S>(o.a, o.b, options);
      ASSERT_NO_THROW(check_csr(c, "C"));
      ASSERT_EQ(entries_of(c), expected);
      const auto counts = spgemm_counts(o.a.pattern(), o.b.pattern(), options);
      for (Index i = 0; i < c.rows; ++i) ASSERT_EQ(counts[i], c.entries_of(i));
      const auto d = spgemm<S>(compress_rows(o.a), compress_rows(o.b), options);
      ASSERT_EQ(entries_of(expand_rows(d)), expected);
    }
  }
}

TYPED_TEST(SpgemmOf, HypersparseBlocksAndKnownPatterns) {
  using S = TypeParam;
  using T = typename S::Value;
  std::mt19937_64 random(13);
  Workers workers(2);
  for (int trial = 0; trial < cairn::test::trials(60); ++trial) {
    Operands<S> o(random, random_case(random));
    const Dcsr<T> d = spgemm<S>(compress_rows(o.a), compress_rows(o.b), {});
    ASSERT_EQ(d.rows, o.a.rows);
    for (Index r = 0; r < d.filled_rows(); ++r) ASSERT_LT(d.starts[r], d.starts[r + 1]);
    ASSERT_EQ(entries_of(expand_rows(d)), o.expected);

    Csr<T> c = spgemm<S>(o.a, o.b, {.sorted = trial % 2 == 0});
    for (T& x : o.a.values) x = test::small_number<T>(random);
    const Entries<T> again = test::product<S>(entries_of(o.a), entries_of(o.b));
    spgemm_values<S>(o.a, o.b, c, trial % 3 == 0 ? &workers : nullptr);
    ASSERT_EQ(entries_of(c), again);
  }
}

TYPED_TEST(SpgemmOf, MergeAddsParts) {
  using S = TypeParam;
  using T = typename S::Value;
  std::mt19937_64 random(14);
  Workers workers(3);
  for (int trial = 0; trial < cairn::test::trials(60); ++trial) {
    const Case shape = random_case(random);
    std::vector<Csr<T>> parts;
    Entries<T> expected;
    for (std::uint64_t part = 0; part <= random() % 5; ++part) {
      parts.push_back(test::random_matrix<T>(random, shape.m, shape.n, shapes[random() % 5]));
      for (const auto& [place, x] : entries_of(parts.back()))
        test::put<S>(expected, place.first, place.second, x);
      if (part % 2 == 1) parts.back() = test::shuffled(parts.back(), random);
    }
    const auto c = merge<S>(parts, trial % 2 == 0 ? &workers : nullptr);
    ASSERT_NO_THROW(check_csr(c, "C"));
    ASSERT_TRUE(c.sorted);
    ASSERT_EQ(entries_of(c), expected);
  }
}

// Rows of every length, so that each kind of accumulator and of sorting has its turn: wide matrices.
TEST(Spgemm, LongRowsInWideMatrices) {
  std::mt19937_64 random(15);
  using S = PlusTimes<double>;
  for (const Index columns : {Index{300}, Index{5000}, Index{1} << 20, Index{1} << 30}) {
    Entries<double> a, b;
    constexpr Index rows = 12, inner = 40;
    for (Index i = 0; i < rows; ++i)
      for (Index k = 0; k < (i < 3 ? i : 1 + static_cast<Index>(random() % inner)); ++k)
        a[{i, static_cast<Index>(random() % inner)}] = test::small_number<double>(random);
    for (Index k = 0; k < inner; ++k)
      for (Index t = 0; t < 1 + k * k / 4; ++t)
        b[{k, static_cast<Index>(random() % static_cast<std::uint64_t>(columns))}] = 1;
    const Csr<double> x = test::matrix_of(a, rows, inner), y = test::matrix_of(b, inner, columns);
    const auto expected = test::product<S>(a, b);
    ASSERT_EQ(entries_of(spgemm<S>(x, y)), expected);
    const auto c = spgemm<S>(x, y);
    for (Index i = 0; i < rows; ++i)
      ASSERT_TRUE(std::is_sorted(c.columns_of.data() + c.starts[i], c.columns_of.data() + c.starts[i + 1]));
    ASSERT_EQ(entries_of(spgemm<S>(x, y, {.sorted = false})), expected);
    const auto counts = spgemm_counts(x.pattern(), y.pattern());
    for (Index i = 0; i < rows; ++i) ASSERT_EQ(counts[i], c.entries_of(i));
  }
}

// Far from column 0, and between rows that have entries anywhere.
TEST(Spgemm, RowsOfBandsInWideMatrices) {
  std::mt19937_64 random(16);
  using S = MinPlus<double>;
  constexpr Index rows = 60, inner = 3000, columns = Index{1} << 20;
  Entries<double> a, b;
  for (Index i = 0; i < rows; ++i)
    for (Index t = 0; t < 6; ++t)
      a[{i, i % 7 == 3 ? static_cast<Index>(random() % inner) : 2000 + i + t}] =
          test::small_number<double>(random);
  for (Index k = 0; k < inner; ++k)
    for (Index t = 0; k % 5 != 1 && t < 7; ++t)
      b[{k, 900'000 + 20 * k + t * t}] = static_cast<double>(t + k % 3);
  const Csr<double> x = test::matrix_of(a, rows, inner), y = test::matrix_of(b, inner, columns);
  const Array<Index> voxels = spgemm_voxels(x.pattern(), y.pattern());
  Index together = 0;
  for (Index i = 0; i < rows; ++i) {
    const auto stretch = few_columns(x.pattern(), y.pattern(), i, voxels[i]);
    EXPECT_EQ(stretch.has_value(), i % 7 != 3) << i;
    if (!stretch) continue;
    ++together;
    EXPECT_LE(stretch->size(), 64 * voxels[i]);
    EXPECT_GE(stretch->first, 900'000 + 20 * 2000);
  }
  EXPECT_GT(together, rows / 2);
  const auto expected = test::product<S>(a, b);
  const auto c = spgemm<S>(x, y);
  EXPECT_EQ(entries_of(c), expected);
  for (Index i = 0; i < rows; ++i)
    EXPECT_TRUE(std::is_sorted(c.columns_of.data() + c.starts[i], c.columns_of.data() + c.starts[i + 1]));
  const auto counts = spgemm_counts(x.pattern(), y.pattern());
  for (Index i = 0; i < rows; ++i) EXPECT_EQ(counts[i], c.entries_of(i));
  for (int which = 0; which < 2; ++which) {
    const Csr<double> p = which == 0 ? test::shuffled(x, random) : x,
                      q = which == 1 ? test::shuffled(y, random) : y;
    EXPECT_EQ(entries_of(spgemm<S>(p, q)), expected);
  }
}

TEST(Spgemm, VoxelsAreCounted) {
  const Csr<double> a = test::matrix_of<double>({{{0, 0}, 1.0}, {{0, 2}, 1.0}, {{2, 1}, 1.0}}, 3, 3);
  EXPECT_EQ(spgemm_voxels(a.pattern(), a.pattern()), (Array<Index>{3, 0, 0}));
  EXPECT_EQ(spgemm_counts(a.pattern(), a.pattern()), (Array<Index>{3, 0, 0}));
}

struct MaxMin {
  using Value = std::int64_t;
  static Value zero() { return INT64_MIN; }
  static Value add(Value x, Value y) { return std::max(x, y); }
  static Value multiply(Value x, Value y) { return std::min(x, y); }
};

TEST(Spgemm, ASemiringOfOnesOwn) {
  std::mt19937_64 random(16);
  const auto a = test::random_matrix<std::int64_t>(random, 20, 30, Shape::sparse);
  const auto b = test::random_matrix<std::int64_t>(random, 30, 25, Shape::sparse);
  EXPECT_EQ(entries_of(spgemm<MaxMin>(a, b)), test::product<MaxMin>(entries_of(a), entries_of(b)));
}

TEST(Spgemm, SomeRowsOfAMatrix) {
  std::mt19937_64 random(17);
  const auto a = test::random_matrix<double>(random, 20, 30, Shape::sparse);
  const auto b = test::random_matrix<double>(random, 30, 25, Shape::sparse);
  const auto part = spgemm<PlusTimes<double>>(a.view().rows_from(5, 12), b);
  EXPECT_EQ(part, extract(spgemm<PlusTimes<double>>(a, b), 5, 12, 0, 25));
}

template <class F>
void expect_error(F&& f, std::string_view part) {
  try {
    f();
    FAIL() << "no error: " << part;
  } catch (const ArgumentError& e) {
    EXPECT_NE(std::string_view(e.what()).find(part), std::string_view::npos) << e.what();
  }
}

TEST(Spgemm, ShapesThatDoNotMatch) {
  using S = PlusTimes<double>;
  const auto a = Csr<double>::zero(3, 4), b = Csr<double>::zero(5, 6);
  expect_error([&] { spgemm<S>(a, b); }, "A is 3 x 4 and B is 5 x 6");
  expect_error([&] { spgemm<S>(compress_rows(a), compress_rows(b)); }, "A is 3 x 4 and B is 5 x 6");
  expect_error([&] { spgemm<S>(a, Csr<double>::zero(4, 6), {.mask = Mask{a.pattern()}}); },
               "the mask is 3 x 4");
  expect_error([&] { merge<S>(std::vector{a, b}); }, "a part is 5 x 6, expected 3 x 4");
  expect_error([&] { merge<S>(std::vector<Csr<double>>{}); }, "0 parts");
}

}  // namespace
}  // namespace cairn::sparse
