// A bad argument on any rank is the same clear error on every rank, and the communicator works on afterwards.
#include <numeric>

#include "comm/agreement.hpp"
#include "comm/collectives.hpp"
#include "support/mpi_test.hpp"

namespace cairn::comm {
namespace {

using test::expect_same_error;
using test::for_each_size;

class BadArguments : public test::MpiTest {};

// One rank, the last, gets it wrong.
bool wrong(CommView c) { return c.rank() == c.size() - 1; }

std::string who(CommView c) { return "rank " + std::to_string(c.size() - 1) + ": "; }

void expect_works(CommView c) { EXPECT_EQ(allreduce<Index>(c, 1, ReduceOp::sum), c.size()); }

void on_every_size(const std::function<void(CommView)>& body) {
  for_each_size([&](CommView c) {
    body(c);
    expect_works(c);
  });
}

TEST_F(BadArguments, RootOutOfRange) {
  on_every_size([](CommView c) {
    std::vector<double> x(4);
    for (const int root : {-1, c.size()})
      expect_same_error<ArgumentError>(
          c, [&] { broadcast(c, std::span(x), wrong(c) ? root : 0); },
          "broadcast: " + who(c) + "root is " + std::to_string(root) + ", expected 0 <= root < " +
              std::to_string(c.size()));
  });
}

TEST_F(BadArguments, NullWithNonZeroCount) {
  on_every_size([](CommView c) {
    std::vector<double> x(4), y(4);
    const std::span<double> null(static_cast<double*>(nullptr), 4);
    expect_same_error<ArgumentError>(
        c, [&] { allreduce(c, wrong(c) ? null : std::span(x), std::span(y), ReduceOp::sum); },
        "allreduce: " + who(c) + "input is null with 4 elements");
    expect_same_error<ArgumentError>(
        c, [&] { broadcast(c, wrong(c) ? null : std::span(x), 0); }, "data is null with 4 elements");
  });
}

TEST_F(BadArguments, CountsThatDisagree) {
  on_every_size([](CommView c) {
    if (c.size() == 1) return;
    std::vector<double> x(wrong(c) ? 5 : 4);
    expect_same_error<ArgumentError>(
        c, [&] { broadcast(c, std::span(x), 0); },
        "broadcast: count is 5 on rank " + std::to_string(c.size() - 1) +
            " and 4 on rank 0, expected the same on every rank");
    expect_same_error<ArgumentError>(
        c, [&] { reduce(c, std::span<const double>(x), std::span(x), ReduceOp::sum, 0); },
        "reduce: count is 5");
    std::vector<double> all(x.size() * static_cast<std::size_t>(c.size()));
    expect_same_error<ArgumentError>(
        c, [&] { allgather(c, std::span<const double>(x), std::span(all)); }, "allgather: count is 5");
  });
}

TEST_F(BadArguments, RootsThatDisagree) {
  on_every_size([](CommView c) {
    if (c.size() == 1) return;
    std::vector<double> x(4);
    expect_same_error<ArgumentError>(
        c, [&] { broadcast(c, std::span(x), wrong(c) ? 1 : 0); }, "broadcast: root is 1 on rank");
  });
}

TEST_F(BadArguments, ListsOfCounts) {
  on_every_size([](CommView c) {
    const auto p = static_cast<std::size_t>(c.size());
    std::vector<Index> counts(p, 3);
    std::vector<double> mine(3), all(3 * p);
    const auto call = [&](std::span<const Index> list) {
      allgatherv(c, std::span<const double>(mine), std::span(all), list);
    };
    std::vector<Index> negative = counts, shorter(counts.begin() + 1, counts.end());
    negative[0] = -7;
    expect_same_error<ArgumentError>(
        c, [&] { call(wrong(c) ? negative : counts); },
        "allgatherv: " + who(c) + "counts[0] is -7, expected 0 or more");
    expect_same_error<ArgumentError>(
        c, [&] { call(wrong(c) ? shorter : counts); },
        "counts has " + std::to_string(p - 1) + " entries, expected one for each of " + std::to_string(p) +
            " ranks");
    if (c.size() < 3) return;
    std::vector<Index> other = counts;  // the same sum and the same own entry: only a comparison can tell
    other[0] += 1;
    other[1] -= 1;
    expect_same_error<ArgumentError>(
        c, [&] { call(wrong(c) ? other : counts); },
        "allgatherv: counts is " + list_text(counts) + " on rank 0 and " + list_text(other) + " on rank " +
            std::to_string(p - 1));
  });
}

TEST_F(BadArguments, BuffersOfTheWrongLength) {
  on_every_size([](CommView c) {
    const auto p = static_cast<std::size_t>(c.size());
    std::vector<double> mine(4), all(4 * p), shorter(4 * p - 1);
    expect_same_error<ArgumentError>(
        c, [&] { allgather(c, std::span<const double>(mine), std::span(wrong(c) ? shorter : all)); },
        "allgather: " + who(c) + "all has " + std::to_string(4 * p - 1) + " elements, expected " +
            std::to_string(4 * p));
    expect_same_error<ArgumentError>(
        c,
        [&] {
          reduce_scatter(c, std::span<const double>(wrong(c) ? shorter : all), std::span(mine),
                         ReduceOp::sum);
        },
        "reduce_scatter: " + who(c) + "all has");
    expect_same_error<ArgumentError>(
        c, [&] { gather(c, std::span<const double>(mine), std::span(shorter), 0); },
        "gather: rank 0: all has");
    expect_same_error<ArgumentError>(
        c, [&] { scatter(c, std::span<const double>(shorter), std::span(mine), 0); },
        "scatter: rank 0: all has");
  });
}

TEST_F(BadArguments, AlltoallvThatDoesNotAddUp) {
  on_every_size([](CommView c) {
    if (c.size() == 1) return;
    const auto p = static_cast<std::size_t>(c.size());
    std::vector<Index> sends(p, 2), receives(p, 2);
    if (wrong(c)) sends[0] = 3;
    const auto n = static_cast<std::size_t>(std::accumulate(sends.begin(), sends.end(), Index{0}));
    std::vector<double> input(n), output(2 * p);
    expect_same_error<ArgumentError>(
        c, [&] { alltoallv(c, std::span<const double>(input), sends, std::span(output), receives); },
        "all ranks together send 1 elements more than they expect to receive");
  });
}

TEST_F(BadArguments, DifferentOperations) {
  on_every_size([](CommView c) {
    if (c.size() == 1) return;
    std::vector<double> x(4);
    expect_same_error<ArgumentError>(
        c,
        [&] {
          if (wrong(c))
            broadcast(c, std::span(x), 0);
          else
            barrier(c);
        },
        "are in different operations");
  });
}

TEST_F(BadArguments, NoOrderOfComplexNumbers) {
  on_every_size([](CommView c) {
    std::vector<std::complex<double>> x(2), y(2);
    expect_same_error<ArgumentError>(
        c, [&] { allreduce(c, std::span<const std::complex<double>>(x), std::span(y), ReduceOp::max); },
        "this element type has no maximum");
  });
}

TEST_F(BadArguments, OneSidedWithoutAWindow) {
  on_every_size([](CommView c) {
    std::vector<double> mine(4), all(4 * static_cast<std::size_t>(c.size()));
    expect_same_error<ArgumentError>(
        c,
        [&] {
          start_allgather(c, std::span<const double>(mine), std::span(all), {Transport::one_sided}).wait();
        },
        "needs a window");
  });
}

TEST_F(BadArguments, BetweenTwoRanks) {
  on_every_size([](CommView c) {
    std::vector<double> x(4);
    EXPECT_THROW(send(c, std::span(x), c.size()), ArgumentError);
    EXPECT_THROW(receive(c, std::span(x), -1), ArgumentError);
    EXPECT_THROW(send(c, std::span(x), 0, user_tags), ArgumentError);
    EXPECT_THROW(send(c, std::span<double>(static_cast<double*>(nullptr), 4), 0), ArgumentError);
  });
}

TEST_F(BadArguments, AnyErrorKindTravels) {
  on_every_size([](CommView c) {
    expect_same_error<MemoryError>(
        c, [&] { agree(c, "plan", [&] { require<MemoryError>(!wrong(c), "needs 7 bytes"); }); },
        "plan: " + who(c) + "needs 7 bytes");
    expect_same_error<MemoryError>(
        c,
        [&] {
          agree(c, "plan", [&] {
            if (wrong(c)) throw std::bad_alloc();
          });
        },
        "plan: " + who(c) + "out of memory");
    // Two ranks fail: the lowest is heard.
    expect_same_error<ArgumentError>(
        c, [&] { agree(c, "plan", [&] { fail("mistake of rank {}", c.rank()); }); },
        "plan: rank 0: mistake of rank 0");
    const std::string long_text(5000, 'x');
    expect_same_error<IoError>(
        c, [&] { agree(c, "plan", [&] { fail<IoError>("{}", long_text); }); }, "xxxxxxxx");
    agree(c, "plan", [] {}, {{"n", 5}});
  });
}

TEST_F(BadArguments, TheWatchdogNamesThePhaseAndTheRankThatIsMissing) {
  test::on_ranks(4, [](CommView family) {
    // A communicator of its own, because its watchdog is set for the whole family.
    MPI_Comm user = MPI_COMM_NULL;
    MPI_Comm_dup(family.handle(), &user);
    {
      const Communicator owner = Communicator::of(user, {.check_arguments = false, .watchdog_seconds = 0.3});
      const CommView c = owner;
      std::vector<double> x(1000);
      Ongoing operation;
      if (c.rank() != 2) {
        const Phase phase(c.traffic(), "gather A");
        operation = start_broadcast(c, std::span(x), 2);
        try {
          operation.wait();
          ADD_FAILURE() << "no error";
        } catch (const TimeoutError& e) {
          const std::string text = e.what();
          EXPECT_NE(text.find("in phase 'gather A': broadcast"), std::string::npos) << text;
          EXPECT_NE(text.find("waiting for rank"), std::string::npos) << text;
        }
      }
      MPI_Barrier(MPI_COMM_WORLD);
      if (c.rank() == 2) operation = start_broadcast(c, std::span(x), 2);  // late, but it comes
      operation.wait();
      MPI_Barrier(user);
    }
    MPI_Comm_free(&user);
  });
  if (test::world().rank() >= 4) MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace
}  // namespace cairn::comm
