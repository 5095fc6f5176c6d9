// Random layouts of every kind, for tests of everything that takes a layout.
#pragma once

#include <algorithm>
#include <numeric>
#include <random>

#include "layout/kinds.hpp"

namespace cairn::test {

using layout::Layout;
using Random = std::mt19937_64;

inline Index pick(Random& random, Index least, Index most) {
  return std::uniform_int_distribution<Index>(least, most)(random);
}
inline int pick_int(Random& random, int least, int most) {
  return static_cast<int>(pick(random, least, most));
}

// `count` distinct ranks of p, in any order.
inline std::vector<int> pick_ranks(Random& random, int count, int p) {
  std::vector<int> ranks(static_cast<std::size_t>(p));
  std::iota(ranks.begin(), ranks.end(), 0);
  std::shuffle(ranks.begin(), ranks.end(), random);
  ranks.resize(static_cast<std::size_t>(count));
  return ranks;
}

// Two extents with a product of at most p.
inline std::pair<int, int> pick_mesh(Random& random, int p) {
  const int d0 = pick_int(random, 1, p);
  return {d0, pick_int(random, 1, p / d0)};
}

inline std::vector<Index> pick_cuts(Random& random, Index n, int parts) {
  std::vector<Index> cuts{0, n};
  for (int i = 1; i < parts; ++i) cuts.push_back(pick(random, 0, n));
  std::sort(cuts.begin(), cuts.end());
  return cuts;
}

inline layout::IndexMap pick_intervals(Random& random, Index n, int parts) {
  const int intervals = pick_int(random, 1, 3 * parts);
  std::vector<int> owners;
  for (int i = 0; i < intervals; ++i) owners.push_back(pick_int(random, 0, parts - 1));
  return layout::IndexMap::of_intervals(pick_cuts(random, n, intervals), owners, parts);
}

// Rectangles of a grid of cuts, some joined, with owners of their own; a rank keeps its rectangles one after
// the other.
inline Layout pick_free(Random& random, Index rows, Index columns, int p, layout::Order order) {
  const std::vector<Index> row_cuts = pick_cuts(random, rows, pick_int(random, 1, 4));
  const std::vector<Index> column_cuts = pick_cuts(random, columns, pick_int(random, 1, 4));
  std::vector<layout::Rectangle> rectangles;
  std::vector<Index> next(static_cast<std::size_t>(p), 0);
  for (std::size_t c = 0; c + 1 < column_cuts.size(); ++c)
    for (std::size_t r = 0; r + 1 < row_cuts.size(); ++r) {
      layout::Rectangle q{row_cuts[r], row_cuts[r + 1], column_cuts[c], column_cuts[c + 1], {}, 0, 1};
      q.owners = pick_ranks(random, random() % 4 == 0 ? pick_int(random, 1, p) : 1, p);
      const Index m = q.end_row - q.first_row, n = q.end_column - q.first_column;
      const bool by_columns = order == layout::Order::column_major;
      q.leading_dimension = std::max<Index>(1, by_columns ? m : n) + pick(random, 0, 3);
      for (const int owner : q.owners) q.offset = std::max(q.offset, next[static_cast<std::size_t>(owner)]);
      for (const int owner : q.owners)
        next[static_cast<std::size_t>(owner)] = q.offset + q.leading_dimension * (by_columns ? n : m);
      rectangles.push_back(q);
    }
  return Layout::of_rectangles(rows, columns, rectangles, order);
}

inline Layout pick_block_cyclic(Random& random, Index rows, Index columns, int p) {
  const auto [d0, d1] = pick_mesh(random, p);
  const Index up = pick(random, 0, 9), left = pick(random, 0, 9);
  return layout::block_cyclic(rows + up + 3, columns + left + 2,
                              {.process_rows = d0,
                               .process_columns = d1,
                               .mb = pick(random, 1, 40),
                               .nb = pick(random, 1, 40),
                               .row_source = pick_int(random, 0, d0 - 1),
                               .column_source = pick_int(random, 0, d1 - 1),
                               .mesh_order = random() % 2 == 0 ? layout::MeshOrder::row_major
                                                               : layout::MeshOrder::column_major})
      .sub_matrix(up, left, rows, columns);
}

inline Layout pick_notation(Random& random, Index rows, Index columns, int p) {
  static const std::vector<std::string> notations{"[(0),(1)]",  "[(1),(0)]",  "[(0,1),()]", "[(1,0),()]",
                                                  "[(),(0,1)]", "[(),(1,0)]", "[(0),()]",   "[(),(1)]",
                                                  "[(1),()]",   "[(),()]"};
  const auto [d0, d1] = pick_mesh(random, p);
  const std::string& notation = notations[static_cast<std::size_t>(pick(random, 0, 9))];
  return layout::by_notation(rows, columns, notation, layout::Mesh({d0, d1}), pick(random, 1, 3));
}

// On a communicator of p ranks.
inline Layout pick_layout(Random& random, Index rows, Index columns, int p) {
  const layout::Order order = random() % 3 == 0 ? layout::Order::row_major : layout::Order::column_major;
  const auto [d0, d1] = pick_mesh(random, p);
  Layout made = [&, d0 = d0, d1 = d1]() -> Layout {
    switch (random() % 9) {
      case 0:
      case 1:
        return pick_block_cyclic(random, rows, columns, p);
      case 2:
        return pick_notation(random, rows, columns, p);
      case 3:
        return layout::blocked(rows, columns, d0, d1);
      case 4:
        return layout::row_blocks(rows, columns, pick_int(random, 1, p));
      case 5:
        return layout::on_one_rank(rows, columns, 0);
      case 6:
        return Layout::on_mesh(layout::Mesh({d0, d1}), {pick_intervals(random, rows, d0), {0}},
                               {pick_intervals(random, columns, d1), {1}})
            .sub_matrix(0, 0, rows, columns);
      default:
        return pick_free(random, rows, columns, p, order);
    }
  }();
  if (made.mesh() == nullptr) return made;
  Layout ordered = made.in_order(order);
  if (random() % 3 != 0) return ordered;
  return ordered.on_ranks(pick_ranks(random, made.mesh()->positions(), p));
}

}  // namespace cairn::test
