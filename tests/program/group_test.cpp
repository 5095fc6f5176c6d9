#include "program/group.hpp"

#include <gtest/gtest.h>

namespace cairn::program {
namespace {

TEST(Group, AFibreInClosedFormIsTheSameAsAList) {
  const Group fibre = Group::strided(3, 4, 5), list = Group::of({3, 7, 11, 15, 19});
  EXPECT_EQ(fibre, list);
  for (int rank = 0; rank < 25; ++rank) EXPECT_EQ(fibre.position_of(rank), list.position_of(rank)) << rank;
  EXPECT_EQ(fibre.position_of(11), 2);
  EXPECT_EQ(fibre.position_of(23), std::nullopt);
  EXPECT_EQ(fibre.rank_at(4), 19);
}

TEST(Group, KeepsTheOrderOfAList) {
  const Group g = Group::of({5, 1, 9});
  EXPECT_EQ(g.position_of(1), 1);
  EXPECT_EQ(g.rank_at(0), 5);
  EXPECT_FALSE(g == Group::of({1, 5, 9}));
}

}  // namespace
}  // namespace cairn::program
