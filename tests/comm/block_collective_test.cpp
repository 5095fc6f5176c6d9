// The closed form against the collective that runs, with blocks long enough to be cut into several messages.
#include "comm/block_collective.hpp"

#include <gtest/gtest.h>

namespace cairn::comm {
namespace {

TEST(BlockCollective, ClosedCountsAreThoseOfWhatRuns) {
  for (const int p : {2, 3, 4, 5, 7, 8, 11, 16, 17, 20, 33})
    for (const Index columns : {1, 2, 3, 5, 8, 16, 31, 64, 100})
      for (const Index rows : {1, 40000, 65536, 70001})
        for (const auto way : {BlockWay::direct, BlockWay::doubling, BlockWay::ring})
          for (const auto transport : {Transport::two_sided, Transport::one_sided})
            for (const auto kind : {BlockKind::allgather, BlockKind::reduce_scatter}) {
              const BlockCollective x{kind, Partition::balanced(p, columns, rows), way, transport, 8};
              for (const int position : {0, 1, p / 2, p - 2, p - 1}) {
                const RankSchedule written = write(x, position);
                ASSERT_EQ(closed_count(x, position), count(written, 8))
                    << p << " ranks, " << columns << " columns of " << rows << ", position " << position;
                ASSERT_EQ(closed_work(x, position), written.work_count);
              }
            }
}

}  // namespace
}  // namespace cairn::comm
