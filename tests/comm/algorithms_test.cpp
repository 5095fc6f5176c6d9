// Every schedule, for every rank, on one process: the right result, the words and messages that are promised.
#include "comm/algorithms.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <random>

#include "comm/blocks.hpp"
#include "support/simulate.hpp"

namespace cairn::comm {
namespace {

using test::Simulation;
using test::Values;

constexpr Index long_messages = 1 << 20;
constexpr Index short_messages = 2;

// A value that tells rank and place apart, small enough for exact sums.
double value(int rank, Index i) { return static_cast<double>((rank + 1) * 1000 + i % 997); }

Values vector_of(int rank, Index n) {
  Values v;
  for (Index i = 0; i < n; ++i) v.push_back(value(rank, i));
  return v;
}

struct Case {
  int p;
  std::vector<Index> counts;  // one a rank
  int root;
  Index message_elements;

  Partition parts() const { return Partition::of_counts(counts); }
  Index total() const { return std::accumulate(counts.begin(), counts.end(), Index{0}); }
};

std::ostream& operator<<(std::ostream& o, const Case& c) {
  o << "p=" << c.p << " root=" << c.root << " message_elements=" << c.message_elements << " counts=";
  for (const Index n : c.counts) o << n << ' ';
  return o;
}

std::vector<Case> cases() {
  std::vector<Case> all;
  std::mt19937_64 random(7);
  for (int p = 1; p <= 20; ++p) {
    const int root = static_cast<int>(random() % static_cast<unsigned>(p));
    const auto counts_of = [&](auto f) {
      std::vector<Index> counts;
      for (int i = 0; i < p; ++i) counts.push_back(f(i));
      return counts;
    };
    for (const Index limit : {long_messages, short_messages}) {
      all.push_back({p, counts_of([](int) { return 0; }), root, limit});
      all.push_back({p, counts_of([](int) { return 1; }), root, limit});
      all.push_back({p, counts_of([](int) { return 5; }), root, limit});
      all.push_back({p, counts_of([&](int i) { return i == root ? 11 : 0; }), root, limit});
      for (int k = 0; k < 3; ++k)
        all.push_back(
            {p, counts_of([&](int) { return static_cast<Index>(random() % 3 == 0 ? 0 : random() % 9); }),
             root, limit});
    }
  }
  all.push_back({33, std::vector<Index>(33, 2), 32, long_messages});
  all.push_back({64, std::vector<Index>(64, 1), 13, long_messages});
  return all;
}

// What each rank starts with and must end with; an empty expectation means "not touched".
struct Collective {
  std::function<RankSchedule(const Seat&, const Case&)> schedule;
  std::function<Values(const Case&, int)> input;
  std::function<Values(const Case&, int)> output;  // before
  std::function<Values(const Case&, int)> expected;
};

void check(const Collective& collective) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(testing::PrintToString(c));
    std::vector<test::SimulatedRank> ranks;
    for (int r = 0; r < c.p; ++r)
      ranks.push_back(
          {collective.schedule(
               {r, c.p, c.message_elements, c.message_elements, c.message_elements, c.message_elements}, c),
           collective.input(c, r),
           collective.output(c, r),
           {}});
    Simulation simulation(std::move(ranks));
    ASSERT_EQ(simulation.run(), "");
    for (int r = 0; r < c.p; ++r)
      ASSERT_EQ(simulation.rank(r).output, collective.expected(c, r)) << "rank " << r;
  }
}

Values blank(Index n) { return Values(static_cast<std::size_t>(n), -1.0); }
Index count_of(const Case& c, int r) { return c.counts[static_cast<std::size_t>(r)]; }

Values concatenated(const Case& c) {
  Values all;
  for (int r = 0; r < c.p; ++r) {
    const Values v = vector_of(r, count_of(c, r));
    all.insert(all.end(), v.begin(), v.end());
  }
  return all;
}

Values summed(const Case& c) {
  Values sum(static_cast<std::size_t>(c.total()), 0.0);
  for (int r = 0; r < c.p; ++r)
    for (Index i = 0; i < c.total(); ++i) sum[static_cast<std::size_t>(i)] += value(r, i);
  return sum;
}

Values block_of(const Values& v, const Case& c, int r) {
  return {v.begin() + c.parts().offset(r), v.begin() + c.parts().offset(r + 1)};
}

using GatherLike = RankSchedule (*)(const Seat&, const Partition&);

Collective allgather_with(GatherLike make) {
  return {[=](const Seat& s, const Case& c) { return make(s, c.parts()); },
          [](const Case& c, int r) { return vector_of(r, count_of(c, r)); },
          [](const Case& c, int) { return blank(c.total()); },
          [](const Case& c, int) { return concatenated(c); }};
}

Collective reduce_scatter_with(GatherLike make) {
  return {[=](const Seat& s, const Case& c) { return make(s, c.parts()); },
          [](const Case& c, int r) { return vector_of(r, c.total()); },
          [](const Case& c, int r) { return blank(count_of(c, r)); },
          [](const Case& c, int r) { return block_of(summed(c), c, r); }};
}

using Rooted = RankSchedule (*)(const Seat&, Index, int);

Collective broadcast_with(Rooted make) {
  return {[=](const Seat& s, const Case& c) { return make(s, c.total(), c.root); },
          [](const Case&, int) { return Values{}; },
          [](const Case& c, int r) { return r == c.root ? vector_of(r, c.total()) : blank(c.total()); },
          [](const Case& c, int) { return vector_of(c.root, c.total()); }};
}

Collective reduce_with(Rooted make) {
  return {[=](const Seat& s, const Case& c) { return make(s, c.total(), c.root); },
          [](const Case& c, int r) { return vector_of(r, c.total()); },
          [](const Case& c, int r) { return r == c.root ? blank(c.total()) : Values{}; },
          [](const Case& c, int r) { return r == c.root ? summed(c) : Values{}; }};
}

Collective allreduce_with(RankSchedule (*make)(const Seat&, Index)) {
  return {[=](const Seat& s, const Case& c) { return make(s, c.total()); },
          [](const Case& c, int r) { return vector_of(r, c.total()); },
          [](const Case& c, int) { return blank(c.total()); }, [](const Case& c, int) { return summed(c); }};
}

using RootedBlocks = RankSchedule (*)(const Seat&, const Partition&, int);

Collective gather_with(RootedBlocks make) {
  return {[=](const Seat& s, const Case& c) { return make(s, c.parts(), c.root); },
          [](const Case& c, int r) { return vector_of(r, count_of(c, r)); },
          [](const Case& c, int r) { return r == c.root ? blank(c.total()) : Values{}; },
          [](const Case& c, int r) { return r == c.root ? concatenated(c) : Values{}; }};
}

Collective scatter_with(RootedBlocks make) {
  return {[=](const Seat& s, const Case& c) { return make(s, c.parts(), c.root); },
          [](const Case& c, int r) { return r == c.root ? vector_of(r, c.total()) : Values{}; },
          [](const Case& c, int r) { return blank(count_of(c, r)); },
          [](const Case& c, int r) { return block_of(vector_of(c.root, c.total()), c, r); }};
}

TEST(Algorithms, Allgather) {
  for (const GatherLike make : {allgather_doubling, allgather_ring, allgather_direct, allgather_get})
    check(allgather_with(make));
}

TEST(Algorithms, ReduceScatter) {
  for (const GatherLike make :
       {reduce_scatter_halving, reduce_scatter_ring, reduce_scatter_direct, reduce_scatter_get})
    check(reduce_scatter_with(make));
}

TEST(Algorithms, Broadcast) {
  for (const Rooted make : {broadcast_tree, broadcast_scatter_allgather, broadcast_scatter_direct,
                            broadcast_two_trees, broadcast_three_trees})
    check(broadcast_with(make));
}

TEST(Algorithms, Reduce) {
  for (const Rooted make : {reduce_tree, reduce_scatter_gather, reduce_direct_gather})
    check(reduce_with(make));
}

TEST(Algorithms, ReduceWhereTheOutputMayBeWrittenFirst) {
  check(reduce_with([](const Seat& s, Index n, int root) {
    Seat separate = s;
    separate.separate_output = true;
    return reduce_tree(separate, n, root);
  }));
}

TEST(Algorithms, Allreduce) {
  check(allreduce_with(allreduce_doubling));
  check(allreduce_with(allreduce_rsag));
  check(allreduce_with(allreduce_direct));
  check(allreduce_with(allreduce_tree));
}

TEST(Algorithms, Gather) {
  for (const RootedBlocks make : {gather_direct, gather_tree}) check(gather_with(make));
}

TEST(Algorithms, Scatter) {
  for (const RootedBlocks make : {scatter_direct, scatter_tree}) check(scatter_with(make));
}

// counts[i] decides how much rank r sends to rank i: (counts[i] + r) mod 4.
TEST(Algorithms, Alltoall) {
  const auto between = [](const Case& c, int from, int to) { return (count_of(c, to) + from) % 4; };
  const auto row = [=](const Case& c, int r, bool sends) {
    std::vector<Index> counts;
    for (int i = 0; i < c.p; ++i) counts.push_back(sends ? between(c, r, i) : between(c, i, r));
    return Partition::of_counts(counts);
  };
  check({[=](const Seat& s, const Case& c) {
           return alltoall_direct(s, row(c, s.rank, true), row(c, s.rank, false));
         },
         [=](const Case& c, int r) { return vector_of(r, row(c, r, true).total()); },
         [=](const Case& c, int r) { return blank(row(c, r, false).total()); },
         [=](const Case& c, int r) {
           Values expected;
           for (int i = 0; i < c.p; ++i) {
             const Index at = row(c, i, true).offset(r);
             for (Index k = 0; k < between(c, i, r); ++k) expected.push_back(value(i, at + k));
           }
           return expected;
         }});
}

// A rank may leave a barrier only after every rank has entered it.
TEST(Algorithms, BarrierLetsNobodyThroughEarly) {
  for (int p = 1; p <= 33; ++p) {
    std::vector<std::uint64_t> knows(static_cast<std::size_t>(p));
    for (int r = 0; r < p; ++r) knows[static_cast<std::size_t>(r)] = std::uint64_t{1} << r;
    std::vector<RankSchedule> schedules;
    for (int r = 0; r < p; ++r) schedules.push_back(barrier_dissemination({r, p}));
    for (std::size_t round = 0; round < schedules[0].rounds.size(); ++round) {
      const auto before = knows;
      for (int r = 0; r < p; ++r) {
        const RankSchedule& s = schedules[static_cast<std::size_t>(r)];
        for (const Transfer& t : s.transfers_of(s.rounds[round]))
          if (t.kind == Transfer::Kind::receive)
            knows[static_cast<std::size_t>(r)] |= before[static_cast<std::size_t>(t.peer)];
      }
    }
    for (const std::uint64_t k : knows) EXPECT_EQ(k, (std::uint64_t{1} << (p - 1)) * 2 - 1) << "p=" << p;
  }
}

// ---- words and messages, counted without running -----------------------------------------------------
struct Load {
  Index total_sent = 0, total_received = 0, max_sent = 0, max_received = 0, max_messages = 0;
};

Load load_of(int p, const std::function<RankSchedule(const Seat&)>& make) {
  Load load;
  for (int r = 0; r < p; ++r) {
    const Counters c = count(make({r, p}), 8);
    load.total_sent += c.sent.words;
    load.total_received += c.received.words;
    load.max_sent = std::max(load.max_sent, c.sent.words);
    load.max_received = std::max(load.max_received, c.received.words);
    load.max_messages = std::max(load.max_messages, c.sent.messages);
    EXPECT_EQ(c.sent.bytes, 8 * c.sent.words);
  }
  EXPECT_EQ(load.total_sent, load.total_received);
  return load;
}

TEST(Words, EvenAllgatherAndReduceScatterAreExact) {
  for (int p = 1; p <= 70; ++p) {
    const Partition parts = Partition::even(p, 10);
    for (const GatherLike make :
         {allgather_doubling, allgather_ring, allgather_direct, allgather_get, reduce_scatter_halving,
          reduce_scatter_ring, reduce_scatter_direct, reduce_scatter_get})
      for (int r = 0; r < p; ++r) {
        const Counters c = count(make({r, p}, parts), 8);
        EXPECT_EQ(c.sent.words, 10 * (p - 1)) << "p=" << p;
        EXPECT_EQ(c.received.words, 10 * (p - 1)) << "p=" << p;
      }
    for (int r = 0; r < p; ++r) {
      EXPECT_LE(count(allgather_doubling({r, p}, parts), 8).sent.messages, 2 * log2_ceil(p));
      EXPECT_LE(count(reduce_scatter_halving({r, p}, parts), 8).sent.messages, 3 * log2_ceil(p));
    }
  }
}

TEST(Words, UnevenAllgatherReceivesEachBlockOnce) {
  std::mt19937_64 random(3);
  for (int p = 2; p <= 40; ++p) {
    std::vector<Index> counts;
    for (int i = 0; i < p; ++i) counts.push_back(static_cast<Index>(random() % 50));
    const Partition parts = Partition::of_counts(counts);
    for (const GatherLike make : {allgather_doubling, allgather_ring})
      for (int r = 0; r < p; ++r) {
        const Counters c = count(make({r, p}, parts), 8);
        EXPECT_EQ(c.received.words, parts.total() - parts.count(r));
      }
    for (int r = 0; r < p; ++r) {
      EXPECT_LE(count(allgather_ring({r, p}, parts), 8).sent.words, parts.total());
      EXPECT_EQ(count(reduce_scatter_halving({r, p}, parts), 8).sent.words, parts.total() - parts.count(r));
    }
  }
}

TEST(Words, LargeBroadcastAndReduceLoadNoRankMuch) {
  for (int p = 2; p <= 70; ++p) {
    const Index n = Index{p} * (p > 1 ? p - 1 : 1) * 10;
    for (const int root : {0, p / 2, p - 1}) {
      for (const Rooted make : {broadcast_scatter_direct, broadcast_two_trees, reduce_direct_gather}) {
        const Load direct = load_of(p, [&](const Seat& s) { return make(s, n, root); });
        EXPECT_EQ(direct.total_sent, n * (p - 1)) << "p=" << p;
        EXPECT_EQ(std::max(direct.max_sent, direct.max_received), n);
      }
      for (const Index more : {0, 1, 2}) {
        const Load three =
            load_of(p, [&](const Seat& s) { return broadcast_three_trees(s, n + more, root); });
        EXPECT_EQ(three.total_sent, (n + more) * (p - 1)) << "p=" << p;
        EXPECT_LE(std::max(three.max_sent, three.max_received),
                  std::max(n + more, 2 * (n + more) * (p - 1) / p));
      }
      EXPECT_EQ(load_of(p, [&](const Seat& s) { return allreduce_direct(s, n); }).max_sent,
                2 * n / p * (p - 1));
      const Load b = load_of(p, [&](const Seat& s) { return broadcast_scatter_allgather(s, n, root); });
      EXPECT_EQ(b.total_sent, n * (p - 1)) << "p=" << p;
      EXPECT_EQ(b.max_received, n);
      EXPECT_EQ(b.max_sent, n);
      const Load r = load_of(p, [&](const Seat& s) { return reduce_scatter_gather(s, n, root); });
      EXPECT_EQ(r.total_sent, n * (p - 1)) << "p=" << p;
      EXPECT_EQ(r.max_sent, n);
      EXPECT_EQ(r.max_received, n);
      const Load a = load_of(p, [&](const Seat& s) { return allreduce_rsag(s, n); });
      EXPECT_EQ(a.max_sent, 2 * n / p * (p - 1));
    }
  }
}

TEST(Words, SmallDataTakesFewMessages) {
  for (int p = 2; p <= 70; ++p) {
    const int lg = log2_ceil(p);
    EXPECT_LE(load_of(p, [&](const Seat& s) { return broadcast_tree(s, 4, p / 3); }).max_messages, lg);
    EXPECT_LE(load_of(p, [&](const Seat& s) { return reduce_tree(s, 4, p / 3); }).max_messages, 1);
    EXPECT_LE(load_of(p, [&](const Seat& s) { return allreduce_doubling(s, 4); }).max_messages, lg + 1);
    const Load tree = load_of(p, [&](const Seat& s) { return allreduce_tree(s, 4); });
    EXPECT_LE(tree.max_messages, std::max(lg, 2));
    EXPECT_EQ(tree.total_sent, 2 * 4 * (p - 1));
    EXPECT_LE(
        load_of(p, [&](const Seat& s) { return scatter_tree(s, Partition::even(p, 1), p / 3); }).max_messages,
        2 * lg);
  }
}

TEST(Choose, TheBusiestRankDecides) {
  const LinkCost cost{.alpha = 1e-6, .beta = 1e-9, .sigma = 1e-6};  // a message is worth 1000 bytes
  // One rank has everything: doubling would make it send lg n, direct messages p - 1 times n.
  std::vector<Index> counts(16, 0);
  counts[5] = 1 << 20;
  const Partition lopsided = Partition::of_counts(counts);
  EXPECT_EQ(load_of(16, [&](const Seat& s) { return choose_allgather(s, lopsided, 8, cost); }).max_sent,
            1 << 20);
  EXPECT_EQ(
      load_of(16, [&](const Seat& s) { return choose_reduce_scatter(s, lopsided, 8, cost); }).max_received,
      1 << 20);
  // Equal blocks on many ranks: few messages.
  const Partition even = Partition::even(256, 1 << 10);
  EXPECT_LE(load_of(256, [&](const Seat& s) { return choose_allgather(s, even, 8, cost); }).max_messages, 16);
  // Broadcast: a tree for 8 bytes, parts for 8 MB.
  EXPECT_EQ(load_of(16, [&](const Seat& s) { return choose_broadcast(s, 1, 0, 8, cost); }).max_sent, 4);
  EXPECT_EQ(load_of(16, [&](const Seat& s) { return choose_broadcast(s, 1 << 20, 0, 8, cost); }).max_sent,
            1 << 20);
  EXPECT_EQ(load_of(16, [&](const Seat& s) { return choose_reduce(s, 1 << 20, 0, 8, cost); }).max_received,
            1 << 20);
}

TEST(Choose, TreesWhereManyMessagesWouldTakeLonger) {
  const auto load = [](int p, Index n, const LinkCost& cost) {
    return load_of(p, [&](const Seat& s) { return choose_broadcast(s, n, 0, 8, cost); });
  };
  // A thousand ranks: not a message to each of them from the root; the words stay the fewest.
  const Load many = load(1000, 1 << 20, {.alpha = 1e-6, .beta = 1e-10, .sigma = 0});
  EXPECT_LT(many.max_messages, 500);
  EXPECT_EQ(many.max_sent, 1 << 20);
  EXPECT_EQ(many.total_sent, Index{999} << 20);
  // A dozen ranks pass parts on to each other where all have a core, and long messages down trees where they
  // share some.
  EXPECT_EQ(load(12, 1 << 17, {}).max_messages, 11);
  EXPECT_EQ(load(12, 1 << 17, {.crowded = true}).max_messages, 5);
  EXPECT_EQ(load(12, 1000, {.crowded = true}).max_sent, 4 * 1000);
}

TEST(Choose, SmallSumsGoUpOneTreeWhereRanksShareCores) {
  const LinkCost crowded{.crowded = true};
  const auto reduce = [&](Index n) {
    return load_of(12, [&](const Seat& s) { return choose_reduce(s, n, 3, 8, crowded); });
  };
  const auto allreduce = [&](Index n) {
    return load_of(12, [&](const Seat& s) { return choose_allreduce(s, n, 8, crowded); });
  };
  EXPECT_EQ(reduce(8192).max_messages, 1);
  EXPECT_EQ(allreduce(8192).max_messages, 4);
  EXPECT_EQ(allreduce(8192).total_sent, 2 * 8192 * 11);
  // From 128 KiB on nobody is loaded with lg n any more.
  constexpr Index n = 12 * 1366;
  EXPECT_LE(reduce(n).max_received, 2 * n / 12 * 11);
  EXPECT_EQ(allreduce(n).max_received, 2 * n / 12 * 11);
}

TEST(Choose, LargeDataLoadsNoRankMuch) {
  for (int p = 2; p <= 70; ++p) {
    const Index n = Index{p} * (p - 1) * 4000;
    const auto busiest = [&](const std::function<RankSchedule(const Seat&)>& make) {
      const Load load = load_of(p, make);
      return std::max(load.max_sent, load.max_received);
    };
    for (const bool crowded : {false, true})
      EXPECT_LE(busiest([&](const Seat& s) { return choose_broadcast(s, n, 0, 8, {.crowded = crowded}); }),
                2 * n / p * (p - 1));
    for (const LinkCost& cost : {LinkCost{}, LinkCost{.crowded = n * 8 >= 128 * 1024}}) {
      EXPECT_LE(busiest([&](const Seat& s) { return choose_reduce(s, n, 0, 8, cost); }), 2 * n / p * (p - 1));
      EXPECT_EQ(busiest([&](const Seat& s) { return choose_allreduce(s, n, 8, cost); }), 2 * n / p * (p - 1));
    }
  }
}

TEST(Partition, BalancedUnitsAreCountsInClosedForm) {
  for (int p = 1; p <= 40; ++p)
    for (const Index total : {0, 1, 5, 16, 39, 40, 1000})
      for (const Index unit : {1, 7, 100000}) {
        const Partition closed = Partition::balanced(p, total, unit);
        std::vector<Index> counts;
        for (int i = 0; i < p; ++i) counts.push_back((total / p + (i < total % p ? 1 : 0)) * unit);
        const Partition listed = Partition::of_counts(counts);
        for (int i = 0; i <= p; ++i) ASSERT_EQ(closed.offset(i), listed.offset(i));
        for (int i = 0; i < p; ++i)
          if (counts[static_cast<std::size_t>(i)] > 0) {
            ASSERT_EQ(closed.block_of(closed.offset(i)), i);
            ASSERT_EQ(closed.block_of(closed.offset(i + 1) - 1), i);
          }
        for (const LinkCost cost :
             {LinkCost{}, LinkCost{0, 1, 0}, LinkCost{1e-9, 1e-9, 0}, LinkCost{1, 0, 1}})
          ASSERT_EQ(choose_way(closed, 8, cost), choose_way(listed, 8, cost)) << p << " " << total;
      }
}

}  // namespace
}  // namespace cairn::comm
