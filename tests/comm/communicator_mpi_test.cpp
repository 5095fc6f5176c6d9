#include "comm/communicator.hpp"

#include "comm/collectives.hpp"
#include "comm/grid.hpp"
#include "comm/traffic_table.hpp"
#include "support/mpi_test.hpp"

namespace cairn::comm {
namespace {

using test::for_each_size;
using test::MpiTest;
using test::on_ranks;
using test::world;

class CommunicatorTest : public MpiTest {};

TEST_F(CommunicatorTest, TheUsersCommunicatorIsDuplicatedOnce) {
  MPI_Comm user = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &user);
  {
    const Communicator first = Communicator::of(user);
    const Communicator second = Communicator::of(user);
    EXPECT_EQ(first.view().handle(), second.view().handle());
    EXPECT_EQ(&first.view().traffic(), &second.view().traffic());
    int relation = 0;
    MPI_Comm_compare(user, first.view().handle(), &relation);
    EXPECT_EQ(relation, MPI_CONGRUENT);  // same group, other context
  }
  MPI_Comm_free(&user);  // takes the duplicate with it
}

TEST_F(CommunicatorTest, SplitOrdersByKeyAndLeavesOut) {
  const int r = world().rank(), p = world().size();
  const Communicator part = world().split(r % 3 == 0 ? -1 : r % 3, -r);
  EXPECT_EQ(static_cast<bool>(part), r % 3 != 0);
  if (!part) {
    EXPECT_THROW(part.view(), ArgumentError);
    return;
  }
  int ahead = 0;  // members with a smaller key, that is a greater rank
  for (int other = r + 1; other < p; ++other) ahead += other % 3 == r % 3 ? 1 : 0;
  EXPECT_EQ(part.view().rank(), ahead);
}

TEST_F(CommunicatorTest, MpiErrorsBecomeErrors) {
  const Communicator part = world().split(0, 0);
  ScheduleBuilder b(100);
  b.send(world().size() + 5, in(0), 1);  // no such rank
  const double x = 0;
  try {
    part.view().start(b.finish(), {&x, nullptr, &element_type<double>(), nullptr, "test"}).wait();
    FAIL() << "no error";
  } catch (const CommError& e) {
    EXPECT_NE(std::string(e.what()).find("MPI_Isend failed"), std::string::npos) << e.what();
  }
}

TEST_F(CommunicatorTest, NullIsRefused) { EXPECT_THROW(Communicator::of(MPI_COMM_NULL), ArgumentError); }

class GridTest : public MpiTest {};

TEST_F(GridTest, ShapeNumbersRanksFirstCoordinateFastest) {
  const GridShape shape({2, 3, 4});
  EXPECT_EQ(shape.ranks(), 24);
  for (int r = 0; r < 24; ++r) EXPECT_EQ(shape.rank(shape.coordinates(r)), r);
  EXPECT_EQ(shape.coordinates(1 + 2 * 2 + 6 * 3), (std::vector<int>{1, 2, 3}));
  EXPECT_THROW(GridShape({2, 0}), ArgumentError);
  EXPECT_THROW(GridShape({1 << 20, 1 << 20}), OverflowError);
  EXPECT_THROW(shape.coordinates(24), ArgumentError);
  EXPECT_THROW(shape.rank(std::vector<int>{0, 0}), ArgumentError);
}

TEST_F(GridTest, FibresAndPlanes) {
  for (const auto& extents : {std::vector<int>{16}, {2, 3}, {3, 5}, {2, 2, 3}, {2, 1, 2, 2}, {1, 7}, {}}) {
    const GridShape shape(extents);
    const ProcessGrid grid(world(), shape);
    EXPECT_EQ(grid.member(), world().rank() < shape.ranks());
    if (!grid.member()) {
      EXPECT_THROW(grid.fibre(0), ArgumentError);
      continue;
    }
    for (int d = 0; d < shape.dimensions(); ++d) {
      const CommView fibre = grid.fibre(d);
      EXPECT_EQ(fibre.size(), shape.extent(d));
      EXPECT_EQ(fibre.rank(), grid.coordinate(d));
      std::vector<int> members(static_cast<std::size_t>(fibre.size()));
      const int mine = world().rank();
      allgather(fibre, std::span(&mine, 1), std::span(members));
      std::vector<int> coordinates = shape.coordinates(mine);
      for (int i = 0; i < fibre.size(); ++i) {
        coordinates[static_cast<std::size_t>(d)] = i;
        EXPECT_EQ(members[static_cast<std::size_t>(i)], shape.rank(coordinates));
      }
    }
    if (shape.dimensions() == 3) {
      const std::vector<int> dims{0, 2};
      const Communicator plane = grid.plane(dims);
      EXPECT_EQ(plane.view().size(), shape.extent(0) * shape.extent(2));
    }
  }
}

TEST_F(GridTest, TooLargeIsTheSameErrorEverywhere) {
  test::expect_same_error<ArgumentError>(
      world(),
      [] {
        ProcessGrid(world(), GridShape({5, 5}));
      },
      "the grid has 25 ranks, the communicator 16");
  test::expect_same_error<ArgumentError>(
      world(),
      [] {
        ProcessGrid(world(), GridShape({world().rank() == 3 ? 2 : 1, 2}));
      },
      "extents is 1, 2 on rank 0 and 2, 2 on rank 3");
}

class TrafficTest : public MpiTest {};

TEST_F(TrafficTest, PhasesNest) {
  for_each_size([](CommView checked) {
    const CommView c = checked.unchecked();
    const int p = c.size();
    const TrafficSnapshot before = c.traffic().snapshot();
    std::vector<double> mine(10, 1.0), all(10 * static_cast<std::size_t>(p));
    {
      const Phase outer(c.traffic(), "outer");
      allgather(c, std::span<const double>(mine), std::span(all));
      {
        const Phase inner(c.traffic(), "inner");
        EXPECT_EQ(c.traffic().current_path(), "outer/inner");
        allgather(c, std::span<const double>(mine), std::span(all));
        allgather(c, std::span<const double>(mine), std::span(all));
      }
    }
    EXPECT_EQ(c.traffic().current_path(), "");
    const TrafficSnapshot moved = c.traffic().snapshot() - before;
    const Index words = 10 * (p - 1);
    EXPECT_EQ(moved.total().sent.words, 3 * words);
    EXPECT_EQ(moved.within("outer").received.words, 3 * words);
    EXPECT_EQ(moved.within("outer/inner").received.words, 2 * words);
    EXPECT_EQ(moved.within("out").received.words, 0);
    EXPECT_EQ(moved.within("outer").sent.bytes, 24 * words);
  });
}

TEST_F(TrafficTest, AStartedOperationCountsWhereItStarted) {
  for_each_size([](CommView c) {
    const TrafficSnapshot before = c.traffic().snapshot();
    std::vector<double> data(1000, c.rank());
    Ongoing operation;
    {
      const Phase phase(c.traffic(), "start");
      operation = start_broadcast(c.unchecked(), std::span(data), 0);
    }
    const Phase phase(c.traffic(), "wait");
    operation.wait();
    const TrafficSnapshot moved = c.traffic().snapshot() - before;
    EXPECT_EQ(moved.within("wait").total_words(), 0);
    EXPECT_EQ(moved.within("start").received.words, c.rank() == 0 ? 0 : 1000);
  });
}

TEST_F(TrafficTest, TheTableHasEveryRanksPhases) {
  for_each_size([](CommView c) {
    const int p = c.size();
    TrafficSnapshot mine;  // made up: rank r moved r words in "all", and ranks have a phase of their own
    mine.phases["all"] = {.sent = {1, c.rank(), 8 * c.rank()}, .received = {}};
    mine.phases["only " + std::to_string(c.rank())] = {.sent = {}, .received = {2, 5, 40}};
    const TrafficSnapshot before = c.traffic().snapshot();
    const std::vector<TrafficRow> rows = gather_traffic(c, mine);
    EXPECT_EQ((c.traffic().snapshot() - before).total(), Counters{}) << "the table counted itself";
    ASSERT_EQ(static_cast<int>(rows.size()), p + 2);
    EXPECT_EQ(rows[0].phase, "all");
    EXPECT_EQ(rows[0].words_sent.max, p - 1);
    EXPECT_EQ(rows[0].words_sent.total, p * (p - 1) / 2);
    EXPECT_DOUBLE_EQ(rows[0].words_sent.mean, (p - 1) / 2.0);
    EXPECT_EQ(rows.back().phase, "total");
    EXPECT_EQ(rows.back().messages_received.total, 2 * p);
    EXPECT_EQ(rows.back().words_received.max, 5);
  });
}

TEST_F(TrafficTest, ResetForgets) {
  on_ranks(4, [](CommView c) {
    barrier(c);
    EXPECT_NE(c.traffic().snapshot().total(), Counters{});
    c.traffic().reset();
    EXPECT_EQ(c.traffic().snapshot().total(), Counters{});
  });
}

}  // namespace
}  // namespace cairn::comm
