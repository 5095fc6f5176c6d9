#include "gemm/fast/sums.hpp"

#include <map>
#include <tuple>

namespace cairn::gemm::fast {
namespace {

using Row = std::map<int, Rational>;  // coefficients by value

// x + ratio y, with x before y.
struct Pair {
  int x = 0;
  int y = 0;
  Rational ratio;
};
using PairKey = std::tuple<int, int, Index, Index>;

PairKey key_of(const Pair& p) { return {p.x, p.y, p.ratio.numerator(), p.ratio.denominator()}; }

// The pair that occurs most often, if any occurs twice.
bool most_shared(const std::vector<Row>& rows, Pair& best) {
  std::map<PairKey, int> seen;
  int most = 1;
  for (const Row& row : rows)
    for (auto x = row.begin(); x != row.end(); ++x)
      for (auto y = std::next(x); y != row.end(); ++y) {
        const Pair pair{x->first, y->first, y->second / x->second};
        if (const int count = ++seen[key_of(pair)]; count > most) {
          most = count;
          best = pair;
        }
      }
  return most > 1;
}

void replace(std::vector<Row>& rows, const Pair& pair, int value) {
  for (Row& row : rows) {
    const auto x = row.find(pair.x), y = row.find(pair.y);
    if (x == row.end() || y == row.end() || !(y->second / x->second == pair.ratio)) continue;
    const Rational factor = x->second;
    row.erase(x);
    row.erase(y);
    row.emplace(value, factor);
  }
}

int append(Sums& sums, const SumStep& step) {
  sums.steps.push_back(step);
  return sums.inputs + static_cast<int>(sums.steps.size()) - 1;
}

// What is left of one output, summed from left to right. A step that comes first with a coefficient of 1 needs
// no scaling.
int finish(Sums& sums, const Row& row) {
  if (row.empty()) return -1;
  auto next = row.begin();
  int value = next->first;
  Rational factor = next->second;
  for (++next; next != row.end(); ++next) {
    value = append(sums, {value, next->first, factor, next->second});
    factor = 1;
  }
  return factor == Rational(1) ? value : append(sums, {value, -1, factor, 0});
}

}  // namespace

int Sums::additions() const {
  int count = 0;
  for (const SumStep& s : steps) count += s.y >= 0 ? 1 : 0;
  return count;
}

Sums eliminate(std::span<const std::vector<Rational>> rows, int inputs) {
  Sums sums{inputs, {}, {}};
  std::vector<Row> left;
  for (const std::vector<Rational>& row : rows) {
    Row sparse;
    for (std::size_t j = 0; j < row.size(); ++j)
      if (!row[j].is_zero()) sparse.emplace(static_cast<int>(j), row[j]);
    left.push_back(std::move(sparse));
  }
  for (Pair pair; most_shared(left, pair);)
    replace(left, pair, append(sums, {pair.x, pair.y, 1, pair.ratio}));
  for (const Row& row : left) sums.outputs.push_back(finish(sums, row));
  return sums;
}

}  // namespace cairn::gemm::fast
