#include "sparse/local/triples.hpp"

namespace cairn::sparse {
namespace {

template <class T>
void check_triples(std::span<const Triple<T>> triples, const Block& b) {
  require(b.rows >= 0 && b.rows <= largest_side && b.columns >= 0 && b.columns <= largest_side,
          "the block has {} x {} elements, expected sides of 0 to {}", b.rows, b.columns, largest_side);
  for (const Triple<T>& t : triples)
    require(
        t.row >= b.row && t.row - b.row < b.rows && t.column >= b.column && t.column - b.column < b.columns,
        "an entry is at ({}, {}), expected rows from {} and columns from {} of a block of {} x {}", t.row,
        t.column, b.row, b.column, b.rows, b.columns);
}

// The rows in the order given, columns as they come.
template <class T>
Csr<T> bucket_by_row(std::span<const Triple<T>> triples, const Block& b) {
  Csr<T> c = Csr<T>::zero(b.rows, b.columns);
  for (const Triple<T>& t : triples) ++c.starts[t.row - b.row + 1];
  for (Index i = 0; i < b.rows; ++i) c.starts[i + 1] += c.starts[i];
  c.columns_of.resize(c.entries());
  c.values.resize(c.entries());
  Array<Index> next(c.starts.begin(), c.starts.end());
  for (const Triple<T>& t : triples) {
    const Index p = next[t.row - b.row]++;
    c.columns_of[p] = static_cast<Local>(t.column - b.column);
    c.values[p] = t.value;
  }
  return c;
}

// Equal columns of a sorted row stand beside each other.
template <SemiringType S>
void combine_neighbours(Csr<typename S::Value>& c) {
  Index out = 0, begin = 0;
  for (Index i = 0; i < c.rows; ++i) {
    const Index row_begin = out, end = c.starts[i + 1];
    for (Index p = begin; p < end; ++p) {
      if (out > row_begin && c.columns_of[out - 1] == c.columns_of[p]) {
        c.values[out - 1] = S::add(c.values[out - 1], c.values[p]);
      } else {
        c.columns_of[out] = c.columns_of[p];
        c.values[out++] = c.values[p];
      }
    }
    begin = end;
    c.starts[i + 1] = out;
  }
  c.columns_of.resize(out);
  c.values.resize(out);
  c.columns_of.trim();
  c.values.trim();
}

}  // namespace

template <SemiringType S>
Csr<typename S::Value> from_triples(std::span<const Triple<typename S::Value>> triples, const Block& block) {
  check_triples(triples, block);
  Csr<typename S::Value> c = bucket_by_row(triples, block);
  c.sorted = false;
  sort_rows(c);  // equal columns keep their order
  combine_neighbours<S>(c);
  return c;
}

template <class T>
std::vector<Triple<T>> to_triples(const Csr<T>& a, Index first_row, Index first_column) {
  std::vector<Triple<T>> triples;
  triples.reserve(static_cast<std::size_t>(a.entries()));
  for (Index i = 0; i < a.rows; ++i)
    for (Index p = a.starts[i]; p < a.starts[i + 1]; ++p)
      triples.push_back({first_row + i, first_column + a.columns_of[p], a.values[p]});
  return triples;
}

#define CAIRN_INSTANTIATE(S) \
  template Csr<S::Value> from_triples<S>(std::span<const Triple<S::Value>>, const Block&);
CAIRN_FOR_EACH_SEMIRING(CAIRN_INSTANTIATE)
#undef CAIRN_INSTANTIATE
#define CAIRN_INSTANTIATE(T) template std::vector<Triple<T>> to_triples(const Csr<T>&, Index, Index);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::sparse
