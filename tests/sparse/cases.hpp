// Small matrices of many kinds, and the product of two of them by the definition: an independent reference.
#pragma once

#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "sparse/dist_sparse.hpp"
#include "sparse/local/generators.hpp"
#include "sparse/local/semiring.hpp"

namespace cairn::test {

template <class T>
using Entry = std::map<std::pair<Index, Index>, T>;

template <class T>
struct WholeMatrix {
  Index rows = 0;
  Index columns = 0;
  Entry<T> entries;
};

enum class Kind { random, skewed, stencil, empty_rows, dense_row, empty, full, diagonal };
inline constexpr Kind all_kinds[] = {Kind::random,    Kind::skewed, Kind::stencil, Kind::empty_rows,
                                     Kind::dense_row, Kind::empty,  Kind::full,    Kind::diagonal};

// Whole numbers of few bits, so that sums are exact in any order.
template <class T>
T small_value(std::mt19937& random) {
  const auto draw = [&] { return static_cast<Real<T>>(static_cast<int>(random() % 9) + 1); };
  if constexpr (ScalarTraits<T>::is_complex) {
    const Real<T> re = draw(), im = draw();
    return {re, im};
  } else {
    return draw();
  }
}

inline bool has_entry(Kind kind, Index i, Index j, Index rows, Index columns, std::mt19937& random) {
  const auto chance = [&](double p) { return static_cast<double>(random() % 10000) < p * 10000; };
  const auto share = [](Index x, Index of) { return static_cast<double>(x + 1) / static_cast<double>(of); };
  switch (kind) {
    case Kind::random:
      return chance(std::min(1.0, 3.0 / static_cast<double>(columns)));
    case Kind::skewed:
      return chance(0.3 * (1 - share(i, rows)) * (1 - share(j, columns)) + 0.02);
    case Kind::stencil:
      return i == j || i == j + 1 || j == i + 1 || i == j + 5 || j == i + 5;
    case Kind::empty_rows:
      return i % 3 == 0 && j % 4 != 1 && chance(0.2);
    case Kind::dense_row:
      return i == rows / 2 || j == columns / 3 || chance(0.03);
    case Kind::empty:
      return false;
    case Kind::full:
      return true;
    case Kind::diagonal:
      return i == j;
  }
  return false;
}

template <class T>
WholeMatrix<T> make_whole(Kind kind, Index rows, Index columns, unsigned seed) {
  std::mt19937 random(seed);
  WholeMatrix<T> m{rows, columns, {}};
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j)
      if (has_entry(kind, i, j, rows, columns, random)) m.entries[{i, j}] = small_value<T>(random);
  return m;
}

// A generator's places with whole numbers of few bits.
template <class T>
WholeMatrix<T> made_by(const std::string& generator, unsigned seed) {
  const auto csr = sparse::generate<T>(sparse::parse_generator(generator));
  std::mt19937 random(seed);
  WholeMatrix<T> m{csr.rows, csr.columns, {}};
  for (Index i = 0; i < csr.rows; ++i)
    for (const sparse::Local j : csr.pattern().row(i)) m.entries[{i, j}] = small_value<T>(random);
  return m;
}

// By the definition, over the semiring; only where the mask allows it.
template <class S, class T = typename S::Value>
WholeMatrix<T> reference_product(const WholeMatrix<T>& a, const WholeMatrix<T>& b,
                                 const WholeMatrix<T>* mask = nullptr, bool complement = false) {
  WholeMatrix<T> c{a.rows, b.columns, {}};
  for (const auto& [at, x] : a.entries)
    for (auto it = b.entries.lower_bound({at.second, 0});
         it != b.entries.end() && it->first.first == at.second; ++it) {
      const std::pair<Index, Index> place{at.first, it->first.second};
      if (mask != nullptr && mask->entries.contains(place) == complement) continue;
      const T product = S::multiply(x, it->second);
      const auto [slot, fresh] = c.entries.try_emplace(place, product);
      if (!fresh) slot->second = S::add(slot->second, product);
    }
  return c;
}

// This rank's part.
template <class T>
sparse::DistSparse<T> spread(const WholeMatrix<T>& m, const sparse::SparseLayout& layout, int rank) {
  sparse::DistSparse<T> mine{layout, sparse::empty_block<T>(layout, rank)};
  const auto at = layout.position_of(rank);
  if (!at) return mine;
  const auto rows = layout.row_cut().globals(at->row_place);
  const auto columns = layout.column_cut().globals(at->column_place);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const auto found = m.entries.find({rows[i], columns[j]});
      if (found == m.entries.end()) continue;
      mine.local.columns_of.push_back(static_cast<sparse::Local>(j));
      mine.local.values.push_back(found->second);
    }
    mine.local.starts[static_cast<Index>(i) + 1] = mine.local.columns_of.size();
  }
  return mine;
}

}  // namespace cairn::test
