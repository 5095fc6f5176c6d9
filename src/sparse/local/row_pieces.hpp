// Rows that are made one after another, their lengths known only when they are done; by several threads, each
// a piece of the rows, joined in the end.
#pragma once

#include "sparse/local/csr.hpp"
#include "sparse/local/threads.hpp"

namespace cairn::sparse {

// Entries of consecutive rows.
template <class T>
struct RowPieces {
  Array<Local> columns_of;
  Array<T> values;

  // Room for `entries` more behind the first `count`, which stay.
  void make_room(Index count, Index entries) {
    if (count + entries <= columns_of.capacity()) return;
    columns_of.resize(count);
    values.resize(count);
    columns_of.reserve(std::max(count + entries, count + count / 2));
    values.reserve(columns_of.capacity());
  }
};

// The rows first .. last-1 of c: starts[i+1] gets the entries of row i. maker.bound(i, work[i]) is how many row
// i can have; maker.row(i, work[i], columns_of, values) makes it. Memory for the entries that are possible is
// set aside where that is little, and grows otherwise: pages that are never written are never taken.
template <class T, class Maker>
void make_rows(Maker& maker, const Array<Index>& work, Index first, Index last, Csr<T>& c,
               RowPieces<T>& piece) {
  constexpr Index little = Index{1} << 26;
  Index possible = 0, count = 0;
  for (Index i = first; i < last; ++i) possible += maker.bound(i, work[i]);
  piece.make_room(0, std::min(possible, little));
  for (Index i = first; i < last; ++i) {
    piece.make_room(count, maker.bound(i, work[i]));
    const Index entries = maker.row(i, work[i], piece.columns_of.data() + count, piece.values.data() + count);
    c.starts[i + 1] = entries;
    count += entries;
  }
  piece.columns_of.resize(count);
  piece.values.resize(count);
}

// What the threads made, one below the other.
template <class T>
void join_rows(Workers* workers, const std::vector<Index>& cuts, std::vector<RowPieces<T>>& pieces,
               Csr<T>& c) {
  for (Index i = 0; i < c.rows; ++i) c.starts[i + 1] += c.starts[i];
  if (pieces.size() == 1) {
    c.columns_of = std::move(pieces[0].columns_of);
    c.values = std::move(pieces[0].values);
    c.columns_of.trim();
    c.values.trim();
    return;
  }
  c.columns_of.resize(c.entries());
  c.values.resize(c.entries());
  on_threads(workers, [&](int thread) {
    const auto t = static_cast<std::size_t>(thread);
    std::copy(pieces[t].columns_of.begin(), pieces[t].columns_of.end(),
              c.columns_of.data() + c.starts[cuts[t]]);
    std::copy(pieces[t].values.begin(), pieces[t].values.end(), c.values.data() + c.starts[cuts[t]]);
  });
}

}  // namespace cairn::sparse
