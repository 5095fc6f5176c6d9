// What all ranks move, against the plans of the ranks; and how evenly, where few ranks own much.
#include "layout/exchange/exchange_count.hpp"

#include <gtest/gtest.h>

#include <map>

#include "layout/random_layout.hpp"
#include "support/trials.hpp"

namespace cairn::layout {
namespace {

using test::pick;
using test::pick_int;
using test::Random;

TEST(CountAll, IsWhatEveryPlanCounts) {
  for (int round = 0; round < test::trials(800); ++round) {
    Random random(static_cast<std::uint64_t>(round));
    const int p = pick_int(random, 1, 16);
    std::vector<Move> moves;
    for (Index k = pick(random, 1, 3); k > 0; --k) {
      const bool wide = random() % 8 == 0;  // lines longer than a transposition takes at once
      const Index m = pick(random, 0, wide ? 1500 : 60), n = pick(random, 0, 60);
      const Op op = random() % 2 == 0 ? Op::none : Op::transpose;
      const bool straight = op == Op::none;
      moves.push_back({test::pick_layout(random, straight ? m : n, straight ? n : m, p),
                       test::pick_layout(random, m, n, p), op});
    }
    const Index piece = pick(random, 1, 500);
    const PassOn pass_on = random() % 4 == 0 ? PassOn::never : PassOn::allowed;
    const std::vector<comm::Counters> all = count_all(moves, p, piece, 8, pass_on);
    for (int rank = 0; rank < p; ++rank)
      ASSERT_EQ(all[static_cast<std::size_t>(rank)], ExchangePlan(moves, rank, p, pass_on).count(piece, 8))
          << "round " << round << ", rank " << rank << " of " << p;
  }
}

// What a taker passes on is what the others expect from it, piece by piece and in one order.
TEST(ExchangePlan, TakersExpectWhatIsPassedOn) {
  Index passed_on = 0;
  for (int round = 0; round < test::trials(400); ++round) {
    Random random(static_cast<std::uint64_t>(round));
    const int p = pick_int(random, 3, 16);
    const Index m = pick(random, 0, 60), n = pick(random, 0, 60), limit = pick(random, 1, 500);
    const std::vector<Move> moves{{test::pick_layout(random, m, n, pick_int(random, 1, 3)),
                                   test::pick_layout(random, m, n, p), Op::none}};
    std::map<std::pair<int, int>, std::vector<Index>> sent, expected;
    for (int r = 0; r < p; ++r) {
      const ExchangePlan plan(moves, r, p);
      const auto note = [&](const Message& message, std::vector<Index>& pieces) {
        for (const MessagePiece& piece : plan.pieces(message, limit))
          pieces.insert(pieces.end(), {message.giver, piece.words});
      };
      for (const Message& message : plan.receives())
        for (const int taker : message.relay.takers)
          if (taker != r) note(message, sent[{r, taker}]);
      for (const Message& message : plan.passed()) note(message, expected[{message.peer, r}]);
    }
    ASSERT_EQ(sent, expected) << "round " << round;
    passed_on += std::ssize(sent);
  }
  EXPECT_GT(passed_on, 0);
}

struct Share {
  Index owns = 0, needs = 0;
};
Share share_of(std::span<const Move> moves, int rank) {
  Share s;
  for (const Move& m : moves) {
    s.owns += m.from.elements(rank);
    s.needs += m.to.elements(rank);
  }
  return s;
}

// A matrix on one to three ranks, to be had by any others in any number of copies: nobody sends or receives more
// than 2.5 times the larger of what it owns and what it needs.
TEST(FewOwners, NobodySendsMuchMoreThanItOwnsOrNeeds) {
  for (int round = 0; round < 300; ++round) {
    Random random(static_cast<std::uint64_t>(round));
    const int p = pick_int(random, 4, 64);
    std::vector<Move> moves;
    for (int k = pick_int(random, 1, 2); k > 0; --k) {
      const Index m = pick(random, 300, 900), n = pick(random, 300, 900);
      const auto [d0, d1] = test::pick_mesh(random, pick_int(random, 1, 3));
      const Layout few = blocked(m, n, d0, d1).on_ranks(test::pick_ranks(random, d0 * d1, p));
      const int copies = pick_int(random, 1, p);
      const auto [e0, e1] = test::pick_mesh(random, std::max(1, p / copies));
      const Mesh mesh = Mesh({e0, e1, copies}).on_ranks(test::pick_ranks(random, e0 * e1 * copies, p));
      moves.push_back(
          {few, Layout::on_mesh(mesh, {IndexMap::balanced(m, e0), {0}}, {IndexMap::balanced(n, e1), {1}})});
    }
    const std::vector<comm::Counters> all = count_all(moves, p, 1 << 15, 8);
    for (int rank = 0; rank < p; ++rank) {
      const Share share = share_of(moves, rank);
      const comm::Counters& c = all[static_cast<std::size_t>(rank)];
      ASSERT_LE(std::max(c.sent.words, c.received.words), 5 * std::max(share.owns, share.needs) / 2)
          << "round " << round << ", rank " << rank << " of " << p;
    }
  }
}

TEST(FewOwners, OneRankToAllSendsOnce) {
  for (const int p : {2, 3, 8, 16, 100}) {
    const Index n = 400;
    const std::vector<Move> moves{{on_one_rank(n, n, 0), replicated(n, n, p)}};
    const std::vector<comm::Counters> all = count_all(moves, p, 1 << 15, 8);
    EXPECT_EQ(all[0].sent.words, n * n) << p;
    for (int rank = 1; rank < p; ++rank) {
      EXPECT_EQ(all[static_cast<std::size_t>(rank)].received.words, n * n) << p;
      // Whole columns: the longest slice to each of the others.
      EXPECT_LE(all[static_cast<std::size_t>(rank)].sent.words, ceil_div(n, p - 1) * n * (p - 2)) << p;
    }
  }
}

// Where all own as much, nothing is passed on: the messages are those of a plain exchange.
TEST(FewOwners, EvenOwnersSendForThemselves) {
  const Layout from = block_cyclic(640, 640, {.process_rows = 4, .process_columns = 4, .mb = 32, .nb = 32});
  const Layout rows = Layout::on_mesh(Mesh({4, 4}), {from.row_map(), {0}}, {IndexMap::whole(640), {}});
  const std::vector<Move> moves{{from, rows}};
  EXPECT_EQ(count_all(moves, 16, 1 << 15, 8), count_all(moves, 16, 1 << 15, 8, PassOn::never));
  EXPECT_FALSE(Relays(moves, PassOn::allowed).any(16));
}

}  // namespace
}  // namespace cairn::layout
