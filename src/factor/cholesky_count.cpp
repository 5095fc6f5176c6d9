#include "factor/cholesky_count.hpp"

#include <map>
#include <set>

namespace cairn::factor {
namespace {

// What of column k each position has: words of the tiles below the diagonal, and the diagonal's triangle.
std::map<int, Index> panel_words(const CholeskyShape& s, int k) {
  std::map<int, Index> words;
  words[s.owner(k, k)] += s.triangle(k);
  for (int i = k + 1; i < s.tiles(); ++i) words[s.owner(i, k)] += s.width(i) * s.width(k);
  return words;
}

void count_step(const CholeskyShape& s, int k, RankWords& words) {
  const int layer = s.layer(k), diagonal = s.owner(k, k);
  for (const int x : s.contributors(k))
    for (const auto& [q, n] : panel_words(s, k)) words.move(s.rank(x, q), s.rank(layer, q), n);
  std::set<int> panel;
  std::map<std::pair<int, int>, Index> sent;
  for (int i = k + 1; i < s.tiles(); ++i) {
    const int o = s.owner(i, k);
    panel.insert(o);
    for (const CholeskyShape::Need& need : s.needs(i))
      if (need.last > k && need.position != o) sent[{o, need.position}] += s.width(i) * s.width(k);
  }
  for (const int q : panel) words.move(s.rank(layer, diagonal), s.rank(layer, q), s.triangle(k));
  for (const auto& [pair, n] : sent) words.move(s.rank(layer, pair.first), s.rank(layer, pair.second), n);
}

}  // namespace

RankWords count_cholesky(const CholeskyShape& shape) {
  RankWords words(shape.ranks());
  for (int k = 0; k < shape.tiles(); ++k) count_step(shape, k, words);
  return words;
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
