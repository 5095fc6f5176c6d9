// Plans of all ranks together, on one process: what one side sends is what the other expects.
#include "layout/exchange/exchange_plan.hpp"

#include <gtest/gtest.h>

#include <map>

#include "layout/random_layout.hpp"

namespace cairn::layout {
namespace {

using test::pick;
using test::Random;

TEST(ExchangePlan, BothSidesCutTheSamePieces) {
  for (int round = 0; round < 400; ++round) {
    Random random(static_cast<std::uint64_t>(round));
    const int p = test::pick_int(random, 1, 16);
    std::vector<Move> moves;
    for (Index k = pick(random, 1, 3); k > 0; --k) {
      const bool square = random() % 2 == 0;
      const Index m = pick(random, 0, 60), n = square ? m : pick(random, 0, 60);
      const Op op = random() % 2 == 0 ? Op::none : Op::transpose;
      const bool straight = op == Op::none;
      moves.push_back({test::pick_layout(random, straight ? m : n, straight ? n : m, p),
                       test::pick_layout(random, m, n, p), op});
      if (square) moves.back().triangle = random() % 2 == 0 ? Triangle::lower : Triangle::upper;
    }
    std::map<std::pair<int, int>, std::vector<Index>> sent, expected;
    const Index limit = pick(random, 1, 500);
    const auto note = [&](const ExchangePlan& plan, const Message& m, std::vector<Index>& pieces) {
      for (const MessagePiece& piece : plan.pieces(m, limit)) {
        pieces.push_back(piece.words);
        Index words = 0;
        for (const Segment& s : piece.segments) words += s.words;
        ASSERT_EQ(words, piece.words);
      }
    };
    for (int r = 0; r < p; ++r) {
      const ExchangePlan plan(moves, r, p);
      for (const Message& m : plan.sends()) note(plan, m, sent[{r, m.peer}]);
      for (const Message& m : plan.receives()) note(plan, m, expected[{m.peer, r}]);
    }
    ASSERT_EQ(sent, expected) << "round " << round;
  }
}

TEST(ExchangePlan, LinesLongerThanAPieceGoWhole) {
  const ExchangePlan plan({{on_one_rank(100, 3, 0), on_one_rank(100, 3, 1), Op::none}}, 0, 2);
  ASSERT_EQ(plan.sends().size(), 1U);
  EXPECT_EQ(plan.pieces(plan.sends()[0], 10).size(), 3U);
  EXPECT_EQ(plan.pieces(plan.sends()[0], 200).size(), 2U);
  EXPECT_EQ(plan.pieces(plan.sends()[0], 300).size(), 1U);
}

TEST(ExchangePlan, AMillionRanksAreOneRanksWork) {
  const Index n = 1 << 20;
  const Layout a = block_cyclic(n, n, {.process_rows = 1000, .process_columns = 1000, .mb = 64, .nb = 64});
  const Layout b = blocked(n, n, 1000, 1000);
  const ExchangePlan plan({{a, b, Op::none}}, 123456, 1000000);
  const Index mine = a.elements(123456);
  EXPECT_EQ(plan.words_sent() + plan.words_kept(), mine);
  EXPECT_EQ(plan.words_received() + plan.words_kept(), b.elements(123456));
}

}  // namespace
}  // namespace cairn::layout
