// Index maps against the plainest reference: a list of owners, dealt one by one.
#include "layout/index_map.hpp"

#include <gtest/gtest.h>

#include <random>

#include "layout/overlap.hpp"

namespace cairn::layout {
namespace {

// The owner of every index, and how many indices of a larger matrix its part had before.
struct Dealt {
  std::vector<int> owner;
  std::vector<Index> before;
};

Dealt deal_cyclic(Index n, Index block, int parts, int source, Index offset) {
  Dealt d{{}, std::vector<Index>(static_cast<std::size_t>(parts), 0)};
  int part = source;
  Index left = block;
  for (Index g = 0; g < offset + n; ++g) {
    if (g >= offset)
      d.owner.push_back(part);
    else
      ++d.before[static_cast<std::size_t>(part)];
    if (--left == 0) part = (part + 1) % parts, left = block;
  }
  return d;
}

void expect_same(const IndexMap& map, const Dealt& d) {
  const Index n = static_cast<Index>(d.owner.size());
  ASSERT_EQ(map.size(), n);
  std::vector<Index> seen(static_cast<std::size_t>(map.parts()), 0);
  for (Index i = 0; i < n; ++i) {
    const int part = d.owner[static_cast<std::size_t>(i)];
    Index& local = seen[static_cast<std::size_t>(part)];
    ASSERT_EQ(map.part_of(i), part) << map.text() << " at " << i;
    ASSERT_EQ(map.local_of(i), local) << map.text() << " at " << i;
    ASSERT_EQ(map.global_of(part, local), i) << map.text();
    ++local;
  }
  for (int part = 0; part < map.parts(); ++part) {
    ASSERT_EQ(map.count(part), seen[static_cast<std::size_t>(part)]) << map.text();
    ASSERT_EQ(map.first_local(part), d.before[static_cast<std::size_t>(part)]) << map.text();
    Index next = 0;
    map.for_each_run(part, [&](const Run& run) {
      ASSERT_LT(run.begin, run.end);
      ASSERT_EQ(run.local, next);
      for (Index i = run.begin; i < run.end; ++i, ++next)
        ASSERT_EQ(d.owner[static_cast<std::size_t>(i)], part) << map.text();
    });
    ASSERT_EQ(next, map.count(part)) << map.text();
  }
}

TEST(IndexMap, BlockCyclicDealsLikeCards) {
  for (const Index n : {0, 1, 2, 7, 30, 31})
    for (const Index block : {1, 2, 3, 7, 100})
      for (const int parts : {1, 2, 3, 5, 40})
        for (const int source : {0, parts - 1})
          for (const Index offset : {0, 1, 6, 20})
            expect_same(IndexMap::block_cyclic(n, block, parts, source, offset),
                        deal_cyclic(n, block, parts, source, offset));
}

TEST(IndexMap, BalancedPartsDifferByOne) {
  for (const Index n : {0, 1, 5, 12, 13})
    for (const int parts : {1, 2, 5, 12, 20}) {
      Dealt d{{}, std::vector<Index>(static_cast<std::size_t>(parts), 0)};
      for (int p = 0; p < parts; ++p)
        for (Index k = 0; k < n / parts + (p < n % parts ? 1 : 0); ++k) d.owner.push_back(p);
      expect_same(IndexMap::balanced(n, parts), d);
    }
}

TEST(IndexMap, RandomIntervalsAndTheirSubRanges) {
  std::mt19937 random(11);
  for (int round = 0; round < 300; ++round) {
    const int parts = 1 + static_cast<int>(random() % 5);
    std::vector<Index> cuts{0};
    std::vector<int> owners;
    Dealt d{{}, std::vector<Index>(static_cast<std::size_t>(parts), 0)};
    for (std::size_t k = random() % 8; k > 0; --k) {
      owners.push_back(static_cast<int>(random() % static_cast<unsigned>(parts)));
      cuts.push_back(cuts.back() + static_cast<Index>(random() % 4));
      d.owner.insert(d.owner.end(), static_cast<std::size_t>(cuts.back() - cuts[cuts.size() - 2]),
                     owners.back());
    }
    if (owners.empty()) continue;
    const IndexMap map = IndexMap::of_intervals(cuts, owners, parts);
    expect_same(map, d);
    const Index n = map.size(), begin = static_cast<Index>(random() % static_cast<unsigned>(n + 1));
    const Index count = static_cast<Index>(random() % static_cast<unsigned>(n - begin + 1));
    Dealt part = d;
    for (Index i = 0; i < begin; ++i)
      ++part.before[static_cast<std::size_t>(d.owner[static_cast<std::size_t>(i)])];
    part.owner.assign(d.owner.begin() + begin, d.owner.begin() + begin + count);
    expect_same(map.sub(begin, count), part);
  }
}

TEST(IndexMap, ASubRangeOfASubRangeOfBlocks) {
  const IndexMap map = IndexMap::block_cyclic(100, 7, 3, 1, 5);
  expect_same(map.sub(11, 60).sub(2, 50), deal_cyclic(50, 7, 3, 1, 18));
}

TEST(IndexMap, HugeSizesCostNothing) {
  const Index n = Index{1} << 50;
  const IndexMap map = IndexMap::block_cyclic(n, 64, 100000, 17);
  EXPECT_EQ(map.part_of(n - 1), static_cast<int>((n - 1) / 64 % 100000 + 17) % 100000);
  const Index last = map.local_of(n - 1);
  EXPECT_EQ(map.global_of(map.part_of(n - 1), last), n - 1);
  EXPECT_EQ(map.count(map.part_of(n - 1)), last + 1);
}

TEST(IndexMap, NamesWhatIsWrong) {
  const auto error = [](const auto& call) -> std::string {
    try {
      call();
    } catch (const ArgumentError& e) {
      return e.what();
    }
    return "(no error)";
  };
  EXPECT_EQ(error([] { IndexMap::balanced(-1, 2); }), "size of a dimension is -1, expected 0 or more");
  EXPECT_EQ(error([] { IndexMap::balanced(5, 0); }), "parts of an index map is 0, expected 1 or more");
  EXPECT_EQ(error([] { IndexMap::block_cyclic(5, 0, 2); }), "block size is 0, expected 1 or more");
  EXPECT_EQ(error([] { IndexMap::block_cyclic(5, 1, 2, 2); }), "source is 2, expected 0 <= source < 2");
  EXPECT_EQ(error([] {
              IndexMap::of_cuts(std::vector<Index>{0, 5, 3});
            }),
            "cuts[2] is 3, expected at least cuts[1] = 5");
  EXPECT_EQ(error([] {
              IndexMap::of_intervals(std::vector<Index>{0, 5}, std::vector<int>{3}, 2);
            }),
            "owner of interval 0 is 3, expected 0 <= owner < 2");
  EXPECT_EQ(error([] { IndexMap::balanced(5, 2).part_of(5); }), "index is 5, expected 0 <= index < 5");
}

IndexMap random_map(std::mt19937& random, Index n) {
  const int parts = 1 + static_cast<int>(random() % 6);
  switch (random() % 3) {
    case 0:
      return IndexMap::balanced(n, parts);
    case 1:
      return IndexMap::block_cyclic(n, 1 + static_cast<Index>(random() % 9), parts,
                                    static_cast<int>(random() % static_cast<unsigned>(parts)),
                                    static_cast<Index>(random() % 20));
    default:
      return IndexMap::elemental(n, parts);
  }
}

TEST(Overlap, StretchesListEveryCommonIndexOnceAndInOrder) {
  std::mt19937 random(5);
  for (int round = 0; round < 500; ++round) {
    const Index n = static_cast<Index>(random() % 120);
    const IndexMap a = random_map(random, n), b = random_map(random, n);
    Index all = 0;
    for (int part = 0; part < a.parts(); ++part)
      for (const Shared& shared : shared_by(a, part, b)) {
        Index last = -1, count = 0;
        for (const Stretch& s : shared.stretches.all())
          for (Index k = 0; k < s.count; ++k, ++count) {
            const Index i = a.global_of(part, s.from + k * s.from_step);
            ASSERT_EQ(i, b.global_of(shared.part, s.to + k * s.to_step));
            ASSERT_GT(i, last);
            last = i;
          }
        ASSERT_EQ(count, shared.stretches.count());
        all += count;
      }
    ASSERT_EQ(all, n);
    Index counted = 0;
    for (const SharedCount& c : shared_counts(a, b)) counted += c.count;
    ASSERT_EQ(counted, n);
  }
}

TEST(Overlap, ElementalAgainstElementalIsOneStretch) {
  const std::vector<Shared> shared = shared_by(IndexMap::elemental(6000, 2), 1, IndexMap::elemental(6000, 3));
  ASSERT_EQ(shared.size(), 3U);
  for (const Shared& s : shared) {
    ASSERT_EQ(s.stretches.all().size(), 1U);
    EXPECT_EQ(s.stretches.count(), 1000);
    EXPECT_EQ(s.stretches.all()[0].from_step, 3);
    EXPECT_EQ(s.stretches.all()[0].to_step, 2);
  }
}

}  // namespace
}  // namespace cairn::layout
