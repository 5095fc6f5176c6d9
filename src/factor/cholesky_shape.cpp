#include "factor/cholesky_shape.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cairn::factor {
namespace {

// Which positions touch which class.
std::vector<std::vector<bool>> touched(const SymmetricCells& cells) {
  std::vector<std::vector<bool>> t(at_index(cells.positions),
                                   std::vector<bool>(at_index(cells.classes), false));
  for (int a = 0; a < cells.classes; ++a)
    for (int b = 0; b < cells.classes; ++b)
      t[at_index(cells.at(a, b))][at_index(a)] = t[at_index(cells.at(a, b))][at_index(b)] = true;
  return t;
}

}  // namespace

CholeskyShape::CholeskyShape(Index n, Index step, SymmetricCells cells, int layers)
    : n_(n),
      v_(step),
      cells_(std::move(cells)),
      layers_(layers),
      tiles_(static_cast<int>(ceil_div(n, step))),
      rotation_(cells_.classes <= 16 ? cells_.classes : 1),
      needs_(at_index(tiles_)) {
  std::vector<int> last(at_index(cells_.positions));
  for (int i = 0; i < tiles_; ++i) {
    std::ranges::fill(last, -1);
    // Owners come again after as many tiles as there are classes.
    for (int j = std::max(0, i - cells_.classes + 1); j <= i; ++j) last[at_index(owner(i, j))] = j;
    for (int j = i; j < std::min(tiles_, i + cells_.classes); ++j) last[at_index(owner(j, i))] = i;
    for (int q = 0; q < cells_.positions; ++q)
      if (last[at_index(q)] > 0) needs_[at_index(i)].push_back({q, last[at_index(q)]});
  }
}

std::vector<int> CholeskyShape::contributors(int step) const {
  std::vector<int> seen;
  for (int k = 0; k < step && std::ssize(seen) < layers_; ++k)
    if (std::ranges::find(seen, layer(k)) == seen.end()) seen.push_back(layer(k));
  std::erase(seen, layer(step));
  std::ranges::sort(seen);
  return seen;
}

bool CholeskyShape::needs(int position, int i, int step) const {
  const auto found = std::ranges::lower_bound(needs(i), position, {}, &Need::position);
  return found != needs(i).end() && found->position == position && found->last > step;
}

Index CholeskyShape::class_rows(int a, int from) const {
  const int first = first_tile(a, from);
  if (first >= tiles_) return 0;
  const int count = (tiles_ - 1 - first) / classes() + 1, last = first + (count - 1) * classes();
  return (count - 1) * v_ + width(last);
}

std::string CholeskyShape::text() const {
  return fmt::format("symmetric r={} on {} x {} layers, step {}", classes(), positions(), layers_, v_);
}

SymmetricCells evened(const SymmetricCells& cells, int repetitions) {
  const auto touch = touched(cells);
  const int r = cells.classes, wide = r * repetitions;
  SymmetricCells result{wide, cells.positions, std::vector<int>(at_index(wide * wide), -1)};
  std::vector<Index> load(at_index(cells.positions), 0);
  struct Free {
    int a, b;
    std::vector<int> who;
  };
  std::vector<Free> free;
  for (int a = 0; a < wide; ++a)
    for (int b = 0; b < wide; ++b) {
      Free cell{a, b, {}};
      for (int q = 0; q < cells.positions; ++q)
        if (touch[at_index(q)][at_index(a % r)] && touch[at_index(q)][at_index(b % r)]) cell.who.push_back(q);
      if (cell.who.size() > 1) {
        free.push_back(std::move(cell));
        continue;
      }
      result.owner[at_index(a * wide + b)] = cell.who.front();
      ++load[at_index(cell.who.front())];
    }
  std::ranges::stable_sort(free, {}, [](const Free& f) { return f.who.size(); });
  for (const Free& f : free) {
    const int q = *std::ranges::min_element(f.who, {}, [&](int x) { return load[at_index(x)]; });
    result.owner[at_index(f.a * wide + f.b)] = q;
    ++load[at_index(q)];
  }
  return result;
}

}  // namespace cairn::factor
