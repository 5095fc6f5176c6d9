#include "factor/lu_pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cairn::factor {
namespace {

void insert_sorted(std::vector<int>& set, int x) {
  const auto place = std::ranges::lower_bound(set, x);
  if (place == set.end() || *place != x) set.insert(place, x);
}

double mean_size(const std::vector<std::vector<int>>& sets, int classes) {
  Index sum = 0;
  for (const auto& s : sets) sum += std::ssize(s);
  return static_cast<double>(sum) / classes;
}

}  // namespace

LuPattern::LuPattern(int row_classes, int column_classes, std::vector<int> owner, std::string text, int turn)
    : row_classes_(row_classes),
      column_classes_(column_classes),
      turn_(turn > 0 ? turn : column_classes),
      owner_(std::move(owner)),
      text_(std::move(text)) {
  positions_ = *std::ranges::max_element(owner_) + 1;
  rows_of_.resize(at_index(positions_));
  columns_of_.resize(at_index(positions_));
  for (int b = 0; b < column_classes_; ++b)
    for (int a = 0; a < row_classes_; ++a) {
      insert_sorted(rows_of_[at_index(at(a, b))], a);
      insert_sorted(columns_of_[at_index(at(a, b))], b);
    }
}

double LuPattern::positions_per_row() const { return mean_size(rows_of_, row_classes_); }
double LuPattern::positions_per_column() const { return mean_size(columns_of_, column_classes_); }

LuPattern LuPattern::grid(int rows, int columns) {
  require(rows >= 1 && columns >= 1, "grid is {} x {}, expected 1 x 1 or more", rows, columns);
  std::vector<int> owner(at_index(rows * columns));
  for (int q = 0; q < rows * columns; ++q) owner[at_index(q)] = q;
  return LuPattern(rows, columns, std::move(owner), fmt::format("{}x{}", rows, columns));
}

LuPattern LuPattern::grid_of(int rows, int columns, std::vector<int> owners) {
  return LuPattern(rows, columns, std::move(owners), fmt::format("{}x{} where A lies", rows, columns));
}

// Words are N^2/(2P) (x + y - 2): with s groups y = s, and x is the mean of their positions, rows counted.
LuPattern LuPattern::rectangles(int positions) {
  require(positions >= 1, "positions is {}, expected 1 or more", positions);
  const auto wider = [&](int s) { return positions % s; };  // groups with one position more
  const auto words = [&](int s) {
    const double p = positions / s;
    return s + ((s - wider(s)) * p * p + wider(s) * (p + 1) * (p + 1)) / positions;
  };
  int s = 1;
  for (int other = 2; other <= positions; ++other)
    if (words(other) < words(s)) s = other;
  const int p = positions / s;
  if (wider(s) == 0) return grid(s, p);
  const int columns = p * (p + 1);
  std::vector<int> owner(at_index(positions * columns));
  std::string text;
  int first = 0;  // position and class of rows: a group has as many of either
  for (int group = 0; group < s; ++group) {
    const int wide = group < s - wider(s) ? p : p + 1;
    for (int b = 0; b < columns; ++b)
      for (int a = first; a < first + wide; ++a) owner[at_index(a + b * positions)] = first + b % wide;
    first += wide;
    text += fmt::format("{}{}", group > 0 ? "+" : "", wide);
  }
  return LuPattern(positions, columns, std::move(owner), std::move(text), p);
}

// b rows of a positions each, the last `missing` of the last row not there. A class of columns that has b
// positions is repeated b times and one with b - 1 as often as that, so that all have the same load; where the
// last row has nobody, the row of its repetition steps in. Each position then has a product of classes.
LuPattern LuPattern::generalised(int positions) {
  require(positions >= 1, "positions is {}, expected 1 or more", positions);
  const int a = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(positions)) - 1e-9));
  const int b = (positions + a - 1) / a, missing = a * b - positions, full = a - missing;
  if (missing == 0) return grid(b, a);
  if (b == 1) return grid(1, positions);
  std::vector<int> columns;
  for (int repetition = 0; repetition < b; ++repetition)
    for (int j = 0; j < a; ++j)
      if (j < full || repetition < b - 1) columns.push_back(j);
  const int row_classes = b * (b - 1);
  std::vector<int> owner;
  for (const int j : columns)
    for (int i = 0; i < b - 1; ++i)
      for (int r = 0; r < b; ++r) owner.push_back((r < b - 1 || j < full ? r : i) * a + j);
  return LuPattern(row_classes, static_cast<int>(columns.size()), std::move(owner),
                   fmt::format("G{}", positions));
}

}  // namespace cairn::factor
