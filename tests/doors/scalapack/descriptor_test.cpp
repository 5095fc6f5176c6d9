// Descriptors as layouts, and the model of ScaLAPACK's costs: pure.
#include "doors/scalapack/descriptor.hpp"

#include <gtest/gtest.h>

#include "doors/scalapack/model.hpp"

namespace cairn::scalapack {
namespace {

TEST(ScalapackDescriptor, BothKindsAreRead) {
  const int plain[] = {1, 5, 100, 90, 8, 7, 1, 2, 33};
  const int longer[] = {2, 5, 100, 90, 3, 11, 8, 7, 1, 2, 33};
  const int other[] = {501, 5, 100, 90, 8, 7, 1, 2, 33};
  const auto one = read_descriptor(plain), two = read_descriptor(longer);
  ASSERT_TRUE(one && two);
  EXPECT_EQ(one->first_rows, 8);
  EXPECT_EQ(one->first_columns, 7);
  EXPECT_EQ(two->first_rows, 3);
  EXPECT_EQ(two->first_columns, 11);
  for (const auto& d : {*one, *two}) {
    EXPECT_EQ(d.mb, 8);
    EXPECT_EQ(d.nb, 7);
    EXPECT_EQ(d.row_source, 1);
    EXPECT_EQ(d.column_source, 2);
    EXPECT_EQ(d.leading_dimension, 33);
  }
  EXPECT_FALSE(read_descriptor(other));
  EXPECT_FALSE(read_descriptor(nullptr));
}

// One by one: who has index i, and how many it has before that.
TEST(ScalapackDescriptor, LocalCountsAreCountedOneByOne) {
  for (const Index first : {1, 2, 5, 9, 40})
    for (const Index block : {1, 3, 8})
      for (const int processes : {1, 2, 3, 5})
        for (int source = 0; source < processes; ++source) {
          std::vector<Index> counts(static_cast<std::size_t>(processes), 0);
          for (Index n = 0; n < 60; ++n) {
            for (int p = 0; p < processes; ++p)
              ASSERT_EQ(local_count(n, first, block, p, source, processes),
                        counts[static_cast<std::size_t>(p)]);
            const Index blocks = n < first ? 0 : 1 + (n - first) / block;
            ++counts[static_cast<std::size_t>((source + blocks) % processes)];
          }
        }
}

// Every element of every sub-matrix lies where the whole matrix has it.
TEST(ScalapackDescriptor, SubMatricesLieWhereTheWholeDoes) {
  const int rows = 2, columns = 3;
  for (const Index first : {4, 2, 9})
    for (const Index i : {0, 1, 5, 8, 17, 30})
      for (const Index j : {0, 3, 11, 25}) {
        const SubMatrix x{{.type = 2,
                           .rows = 60,
                           .columns = 60,
                           .first_rows = first,
                           .first_columns = first + 1,
                           .mb = 4,
                           .nb = 3,
                           .row_source = 1,
                           .column_source = 2,
                           .leading_dimension = 60},
                          i,
                          j,
                          20,
                          25};
        const Placed placed = place(x, rows, columns);
        ASSERT_EQ(placed.layout.rows(), 20);
        ASSERT_EQ(placed.layout.columns(), 25);
        for (Index r = 0; r < 20; ++r)
          for (Index c = 0; c < 25; ++c) {
            const SubMatrix at{x.whole, i + r, j + c, 1, 1};
            const Index cuts = j + c < first + 1 ? 0 : 1 + (j + c - first - 1) / 3;
            const int owner = at.first_process_row(rows) * columns + static_cast<int>((2 + cuts) % columns);
            ASSERT_EQ(placed.layout.owner(r, c), owner);
          }
      }
}

TEST(ScalapackDescriptor, WholeCyclesMakeNoDifference) {
  const Descriptor d{.rows = 1000,
                     .columns = 1000,
                     .first_rows = 4,
                     .first_columns = 5,
                     .mb = 4,
                     .nb = 5,
                     .leading_dimension = 1000};
  const Placed near = place({d, 6, 7, 30, 40}, 2, 3), far = place({d, 6 + 8 * 10, 7 + 15 * 4, 30, 40}, 2, 3);
  EXPECT_EQ(near.layout, far.layout);
  EXPECT_EQ(far.skipped.rows - near.skipped.rows, 40);
  EXPECT_EQ(far.skipped.columns - near.skipped.columns, 20);
  EXPECT_EQ(far.offset(100) - near.offset(100), 40 + 20 * 100);
}

TEST(ScalapackDescriptor, OnlySoundSubMatricesAreOurs) {
  const ProcessGrid grid{2, 2, 0, 0};
  const SubMatrix good{{.rows = 10,
                        .columns = 10,
                        .first_rows = 2,
                        .first_columns = 2,
                        .mb = 2,
                        .nb = 2,
                        .leading_dimension = 6},
                       0,
                       0,
                       10,
                       10};
  EXPECT_TRUE(is_sound(good, grid));
  const auto bad = [&](auto change) {
    SubMatrix x = good;
    change(x);
    return !is_sound(x, grid);
  };
  EXPECT_TRUE(bad([](SubMatrix& x) { x.i = -1; }));
  EXPECT_TRUE(bad([](SubMatrix& x) { x.i = 1; }));
  EXPECT_TRUE(bad([](SubMatrix& x) { x.m = 0; }));
  EXPECT_TRUE(bad([](SubMatrix& x) { x.whole.mb = 0; }));
  EXPECT_TRUE(bad([](SubMatrix& x) { x.whole.row_source = 2; }));
  EXPECT_TRUE(bad([](SubMatrix& x) { x.whole.column_source = -1; }));
  EXPECT_TRUE(bad([](SubMatrix& x) { x.whole.leading_dimension = 5; }));
}

// N^2/sqrt(P) (1 - 1/sqrt(P)) of p?potrf; the three ways of p?gemm.
TEST(ScalapackModel, WordsAreThoseOfTheFormulas) {
  const Model square(4, 4, 64, weight_of<double>(), {});
  EXPECT_DOUBLE_EQ(square.cholesky(1024).words, 1024.0 * 1024 / 4 * 3 / 4);
  EXPECT_DOUBLE_EQ(square.product({1024, 1024, 64}).words, 2 * 1024.0 * 64 / 4 * 3 / 4);  // C stays
  EXPECT_DOUBLE_EQ(square.product({1024, 64, 1024}).words, 2 * 1024.0 * 64 / 4 * 3 / 4);  // A stays
  EXPECT_DOUBLE_EQ(square.product({64, 1024, 1024}).words, 2 * 1024.0 * 64 / 4 * 3 / 4);  // B stays
  const Model alone(1, 1, 64, weight_of<double>(), {});
  EXPECT_EQ(alone.product({512, 512, 512}).words, 0);
  EXPECT_EQ(alone.lu(512, 512).words, 0);
  EXPECT_LT(square.product({640, 640, 640}).seconds, alone.product({640, 640, 640}).seconds);
  const Model narrow(4, 4, 64, weight_of<float>(), {});
  EXPECT_LT(narrow.product({640, 640, 640}).seconds, square.product({640, 640, 640}).seconds);
}

}  // namespace
}  // namespace cairn::scalapack
