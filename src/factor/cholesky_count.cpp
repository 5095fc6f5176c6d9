#include "factor/cholesky_count.hpp"

#include <algorithm>
#include <map>

namespace cairn::factor {
namespace {

// What of column k each position has: words of the tiles below the diagonal, and the diagonal's triangle.
std::map<int, Index> panel_words(const CholeskyShape& s, int k) {
  std::map<int, Index> words;
  words[s.owner(k, k)] += s.triangle(k);
  for (int i = k + 1; i < s.tiles(); ++i) words[s.owner(i, k)] += s.width(i) * s.width(k);
  return words;
}

void count_step(const CholeskyShape& s, int k, const CholeskyMoves& moves, RankWords& words) {
  const int layer = s.layer(k), diagonal = s.owner(k, k);
  const std::map<int, Index> have = panel_words(s, k);
  for (const int x : s.contributors(k))
    for (const auto& [q, n] : have) words.move(s.rank(x, q), s.rank(layer, q), n);
  for (const auto& [q, n] : have) words.move(s.rank(layer, diagonal), s.rank(layer, q), s.triangle(k));
  for (const ColumnMove& m : moves.of_step(k))
    words.move(s.rank(layer, m.from), s.rank(layer, m.to), m.words);
}

// The most that one position sends in the moves that `counts`.
Index most_sent(const std::vector<ColumnMove>& moves, const auto& counts) {
  std::map<int, Index> sent;
  Index most = 0;
  for (const ColumnMove& m : moves)
    if (counts(m)) most = std::max(most, sent[m.from] += m.words);
  return most;
}

}  // namespace

RankWords count_cholesky(const CholeskyShape& shape) { return count_cholesky(shape, CholeskyMoves(shape)); }

RankWords count_cholesky(const CholeskyShape& shape, const CholeskyMoves& moves) {
  RankWords words(shape.ranks());
  for (int k = 0; k < shape.tiles(); ++k) count_step(shape, k, moves, words);
  return words;
}

Index cholesky_chain(const CholeskyShape& shape, const CholeskyMoves& moves) {
  Index before = 0, first = 0, panels = 0;
  for (int k = 0; k < shape.tiles(); ++k) {
    const std::map<int, Index> have = panel_words(shape, k);
    if (!shape.contributors(k).empty())
      before += std::ranges::max_element(have, {}, &std::pair<const int, Index>::second)->second;
    before += shape.triangle(k) * (std::ssize(have) - 1);
    first += most_sent(moves.of_step(k), [](const ColumnMove& m) { return m.first; });
    panels += most_sent(moves.of_step(k), [](const ColumnMove&) { return true; });
  }
  return before + std::max(first, panels / 2);
}

double cholesky_flop_imbalance(const CholeskyShape& shape) {
  std::vector<double> flops(static_cast<std::size_t>(shape.ranks()), 0);
  double sum = 0;
  std::vector<double> steps(static_cast<std::size_t>(shape.layers()), 0);  // of each layer before column j
  for (int j = 0; j < shape.tiles(); ++j) {
    for (int i = j; i < shape.tiles(); ++i)
      for (int layer = 0; layer < shape.layers(); ++layer) {
        const double work = (i == j ? 1 : 2) * steps[static_cast<std::size_t>(layer)];
        flops[static_cast<std::size_t>(shape.rank(layer, shape.owner(i, j)))] += work;
        sum += work;
      }
    ++steps[static_cast<std::size_t>(shape.layer(j))];
  }
  return sum == 0 ? 1 : *std::ranges::max_element(flops) * shape.ranks() / sum;
}

}  // namespace cairn::factor
