// Sparse matrices as maps, and every operation by its definition.
#pragma once

#include <map>
#include <random>
#include <utility>
#include <vector>

#include "sparse/local/csr.hpp"
#include "sparse/local/semiring.hpp"
#include "sparse/local/triples.hpp"

namespace cairn::sparse::test {

template <class T>
using Entries = std::map<std::pair<Index, Index>, T>;

template <class T>
Entries<T> entries_of(const Csr<T>& a) {
  Entries<T> e;
  for (Index i = 0; i < a.rows; ++i)
    for (Index p = a.starts[i]; p < a.starts[i + 1]; ++p) e[{i, a.columns_of[p]}] = a.values[p];
  return e;
}

template <class T>
Csr<T> matrix_of(const Entries<T>& e, Index rows, Index columns) {
  Csr<T> a = Csr<T>::zero(rows, columns);
  for (const auto& [place, value] : e) {
    ++a.starts[place.first + 1];
    a.columns_of.push_back(static_cast<Local>(place.second));
    a.values.push_back(value);
  }
  for (Index i = 0; i < rows; ++i) a.starts[i + 1] += a.starts[i];
  return a;
}

template <SemiringType S>
void put(Entries<typename S::Value>& e, Index i, Index j, typename S::Value x) {
  const auto [at, fresh] = e.emplace(std::pair{i, j}, x);
  if (!fresh) at->second = S::add(at->second, x);
}

template <SemiringType S>
Entries<typename S::Value> product(const Entries<typename S::Value>& a, const Entries<typename S::Value>& b) {
  Entries<typename S::Value> c;
  for (const auto& [ik, x] : a)
    for (auto at = b.lower_bound({ik.second, 0}); at != b.end() && at->first.first == ik.second; ++at)
      put<S>(c, ik.first, at->first.second, S::multiply(x, at->second));
  return c;
}

// Small whole numbers: sums are exact in every order, so results are compared bit by bit.
template <class T, class Random>
T small_number(Random& random) {
  const auto draw = [&] { return static_cast<int>(random() % 9) - 4; };
  if constexpr (requires(T x) { x.imag(); })
    return T(static_cast<typename T::value_type>(draw()), static_cast<typename T::value_type>(draw()));
  else
    return static_cast<T>(draw());
}

enum class Shape { sparse, dense, empty_rows, dense_row, empty };

template <class T, class Random>
Csr<T> random_matrix(Random& random, Index rows, Index columns, Shape shape) {
  Entries<T> e;
  const Index full = static_cast<Index>(random() % static_cast<std::uint64_t>(rows + 1));
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j) {
      const bool hit = random() % 8 == 0;
      const bool here = shape == Shape::dense                    ? random() % 8 != 0
                        : shape == Shape::empty_rows             ? i % 5 == 3 && random() % 2 == 0
                        : shape == Shape::dense_row && i == full ? true
                        : shape == Shape::empty                  ? false
                                                                 : hit;
      if (here) e[{i, j}] = small_number<T>(random);
    }
  return matrix_of(e, rows, columns);
}

// The same matrix with the entries of each row in another order.
template <class T, class Random>
Csr<T> shuffled(Csr<T> a, Random& random) {
  for (Index i = 0; i < a.rows; ++i)
    for (Index p = a.starts[i + 1] - 1; p > a.starts[i]; --p) {
      const Index q =
          a.starts[i] + static_cast<Index>(random() % static_cast<std::uint64_t>(p - a.starts[i] + 1));
      std::swap(a.columns_of[p], a.columns_of[q]);
      std::swap(a.values[p], a.values[q]);
    }
  a.sorted = false;
  return a;
}

}  // namespace cairn::sparse::test
