#include "factor/lu_count.hpp"

#include <algorithm>
#include <numeric>

namespace cairn::factor {
namespace {

// Column by column: bids go up the tree of the tournament and the winner comes down, then its row from its owner on.
void count_election(const LuShape& s, int t, const RowsLeft& left, std::span<const Index> pivots,
                    const Tournament& tournament, RankWords& words) {
  const auto rank_at = [&](int q) { return s.rank(s.layer(t), q); };
  for (const Index row : pivots) {
    for (const auto& round : tournament.rounds)
      for (const Tournament::Match& m : round) {
        const int winner = rank_at(tournament.order[static_cast<std::size_t>(m.winner)]),
                  loser = rank_at(tournament.order[static_cast<std::size_t>(m.loser)]);
        words.move(loser, winner, 2);
        words.move(winner, loser, 1);
      }
    const std::vector<int> order = row_tree(s, t, left, row);
    for (std::size_t i = 1; i < order.size(); ++i)
      words.move(rank_at(order[(i - 1) / 2]), rank_at(order[i]), s.width(t));
  }
}

void count_choice(const LuShape& s, int t, const RowsLeft& left, std::span<const Index> pivots,
                  PivotChoice pivoting, RankWords& words) {
  const Tournament tournament = tournament_of(s, t, left);
  const int layer = s.layer(t);
  const Index w = s.width(t);
  for (const int x : s.contributors(t))
    for (const int q : tournament.order)
      words.move(s.rank(x, q), s.rank(layer, q), left.of_position(s, q) * w);
  const auto rank_at = [&](int number) {
    return s.rank(layer, tournament.order[static_cast<std::size_t>(number)]);
  };
  if (pivoting == PivotChoice::partial)
    count_election(s, t, left, pivots, tournament, words);
  else
    for (const auto& round : tournament.rounds)
      for (const Tournament::Match& m : round)
        words.move(rank_at(m.loser), rank_at(m.winner), m.rows * (w + 1));
  const Spread spread = spread_of(s, t, tournament, pivoting);
  for (std::size_t i = 1; i < spread.stops.size(); ++i)
    words.move(spread.stops[(i - 1) / 2].rank, spread.stops[i].rank, spread.stops[i].words);
}

void count_panels(const LuShape& s, int t, const RowsLeft& left, std::span<const Index> pivots,
                  RankWords& words) {
  const int layer = s.layer(t);
  const std::vector<Index> have = pivots_of_positions(s, pivots);
  for (const int x : s.contributors(t))
    for (int q = 0; q < s.positions(); ++q)
      words.move(s.rank(x, q), s.rank(layer, q),
                 have[at_index(q)] * (s.local_columns(q) - s.local_column(q, t + 1)));
  for (const PartMove& m : panel_moves(s, t, left))
    words.move(s.rank(layer, m.from), s.rank(layer, m.to), m.rows * m.columns);
  for (const PartMove& m : pivot_row_moves(s, t, left, pivots))
    words.move(s.rank(layer, m.from), s.rank(layer, m.to), m.rows * m.columns);
}

}  // namespace

RankWords count_lu(const LuShape& shape, std::span<const Index> order, PivotChoice pivoting) {
  RankWords words(shape.ranks());
  RowsLeft left(shape);
  for (int t = 0; t < shape.steps(); ++t) {
    const auto pivots =
        order.subspan(static_cast<std::size_t>(shape.start(t)), static_cast<std::size_t>(shape.width(t)));
    count_choice(shape, t, left, pivots, pivoting, words);
    left.consume(shape, pivots);
    count_panels(shape, t, left, pivots, words);
  }
  return words;
}

std::vector<Index> expected_order(Index rows) {
  std::vector<Index> order(static_cast<std::size_t>(rows));
  std::iota(order.begin(), order.end(), Index{0});
  std::uint64_t state = 0x9E3779B97F4A7C15ULL;
  for (std::size_t i = order.size(); i > 1; --i) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    std::swap(order[i - 1], order[state % i]);
  }
  return order;
}

double lu_flop_imbalance(const LuShape& shape, std::span<const Index> order) {
  std::vector<double> flops(static_cast<std::size_t>(shape.ranks()), 0);
  RowsLeft left(shape);
  for (int t = 0; t < shape.steps(); ++t) {
    left.consume(shape, order.subspan(static_cast<std::size_t>(shape.start(t)),
                                      static_cast<std::size_t>(shape.width(t))));
    for (int q = 0; q < shape.positions(); ++q)
      flops[static_cast<std::size_t>(shape.rank(shape.layer(t), q))] +=
          static_cast<double>(left.of_position(shape, q) * shape.width(t)) *
          static_cast<double>(shape.local_columns(q) - shape.local_column(q, t + 1));
  }
  const double sum = std::accumulate(flops.begin(), flops.end(), 0.0);
  return sum == 0 ? 1 : *std::ranges::max_element(flops) * shape.ranks() / sum;
}

}  // namespace cairn::factor
