#include "sparse/packing.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <random>

using cairn::Index;
namespace sparse = cairn::sparse;
using sparse::Content;
using sparse::Entries;
using sparse::Local;

namespace {

template <class T>
Entries<T> random_entries(Index rows, Index columns, double density, unsigned seed) {
  std::mt19937 random(seed);
  Entries<T> e;
  e.rows = rows;
  e.columns = columns;
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j)
      if (static_cast<double>(random() % 100000) < density * 100000)
        e.push_back(i, j, T(static_cast<float>(random() % 1000)));
  return e;
}

template <class T>
void expect_back(const Entries<T>& e) {
  const sparse::Bytes bytes = sparse::pack_entries(e);
  EXPECT_EQ(sparse::packed_entries(bytes), e.size());
  EXPECT_EQ(sparse::unpack_entries<T>(bytes, e.rows, e.columns), e);
}

}  // namespace

TEST(Packing, EntriesComeBack) {
  unsigned seed = 0;
  for (const Index rows : {0, 1, 3, 40, 700})
    for (const Index columns : {0, 1, 2, 65, 300})
      for (const double density : {0.0, 0.001, 0.01, 0.2, 0.97, 1.0}) {
        expect_back(random_entries<float>(rows, columns, density, ++seed));
        expect_back(random_entries<double>(rows, columns, density, ++seed));
        expect_back(random_entries<std::complex<float>>(rows, columns, density, ++seed));
        expect_back(random_entries<std::complex<double>>(rows, columns, density, ++seed));
      }
}

TEST(Packing, LargeBlocksWithFewEntriesComeBack) {
  Entries<double> e;
  e.rows = e.columns = INT32_MAX;
  e.push_back(0, 0, 1);
  e.push_back(0, INT32_MAX - 1, 2);
  e.push_back(12345678, 87654321, 3);
  e.push_back(INT32_MAX - 1, INT32_MAX - 1, 4);
  expect_back(e);
}

TEST(Packing, RandomEntriesTakeWhatIsExpectedOfThem) {
  for (const double d : {0.5, 2.0, 8.0, 32.0}) {
    const Index n = 2048;
    const Entries<double> e = random_entries<double>(n, n, d / static_cast<double>(n), 7);
    const auto bytes = static_cast<double>(sparse::pack_entries(e).size());
    const auto count = static_cast<double>(e.size());
    EXPECT_NEAR(bytes, sparse::expected_packed_bytes(2048, 2048, count, 8), 0.02 * bytes);
    EXPECT_LT(bytes, 12 * count);
  }
}

TEST(Packing, RunsTakeAFewBits) {
  Entries<double> e;
  e.rows = 100;
  e.columns = 2000;
  for (Index i = 0; i < 100; ++i)
    for (Index j = 0; j < 30; ++j) e.push_back(i, 10 * i + j % 10 + (j / 10) * 3, 1 + static_cast<double>(j));
  for (Index x = 1; x < e.size(); ++x) {  // make it ascend
    if (e.row[x] == e.row[x - 1] && e.column[x] <= e.column[x - 1])
      e.column[x] = static_cast<Local>(e.column[x - 1] + 1);
  }
  EXPECT_LT(static_cast<double>(sparse::pack_entries(e).size()), 8.5 * static_cast<double>(e.size()));
  expect_back(e);
}

TEST(Packing, OneValueForAllIsSentOnce) {
  Entries<double> e = random_entries<double>(200, 200, 0.05, 3);
  for (double& v : e.value) v = 2.5;
  EXPECT_LT(static_cast<Index>(sparse::pack_entries(e).size()), 2 * e.size());
  expect_back(e);
}

TEST(Packing, PlacesAloneArriveAsOnesAndValuesAloneNeedThePlaces) {
  const Entries<double> e = random_entries<double>(50, 60, 0.1, 4);
  const auto places = sparse::unpack_entries<double>(sparse::pack_entries(e, Content::places), 50, 60);
  EXPECT_EQ(places.column, e.column);
  for (const double v : places.value) EXPECT_EQ(v, 1);
  const sparse::Bytes values = sparse::pack_entries(e, Content::values);
  EXPECT_EQ(static_cast<Index>(values.size()), 8 * e.size());
  EXPECT_EQ(sparse::unpack_entries<double>(values, 50, 60, Content::values, &places), e);
}

TEST(Packing, BrokenBytesAreErrorsAndNoMemoryIsTakenForThem) {
  const sparse::Bytes good = sparse::pack_entries(random_entries<double>(30, 30, 0.2, 5));
  for (std::size_t keep = 1; keep < good.size(); keep += 7)
    EXPECT_THROW(sparse::unpack_entries<double>(std::span(good).first(keep), 30, 30), cairn::CommError);
  EXPECT_THROW(sparse::unpack_entries<double>(good, 3, 3), cairn::CommError);
  std::mt19937 random(6);
  for (int trial = 0; trial < 2000; ++trial) {
    sparse::Bytes bytes = good;
    for (int change = 0; change < 3; ++change)
      bytes[random() % bytes.size()] = static_cast<std::byte>(random());
    try {
      const auto e = sparse::unpack_entries<double>(bytes, 30, 30);
      EXPECT_LE(e.size(), static_cast<Index>(8 * bytes.size()));
    } catch (const cairn::CommError&) {
    }
  }
}

TEST(Packing, PositionsComeBackInFewBytes) {
  std::mt19937 random(8);
  for (const Index limit : {1, 5, 64, 1000, 20000})
    for (const double share : {0.0, 0.001, 0.03, 0.3, 0.5, 0.7, 0.99, 1.0}) {
      std::vector<Local> list;
      for (Index p = 0; p < limit; ++p)
        if (static_cast<double>(random() % 100000) < share * 100000) list.push_back(static_cast<Local>(p));
      const sparse::Bytes bytes = sparse::pack_positions(list, limit);
      EXPECT_EQ(sparse::unpack_positions(bytes, limit), list);
      EXPECT_LE(static_cast<Index>(bytes.size()), limit / 8 + 4);
      const double expected =
          sparse::expected_position_bytes(static_cast<double>(limit), static_cast<double>(list.size()));
      EXPECT_NEAR(static_cast<double>(bytes.size()), expected, 4 + 0.1 * expected);
    }
}
