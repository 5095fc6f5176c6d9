// The bodies of spgemm.hpp, for a semiring of one's own.
#pragma once

#include "sparse/local/accumulators.hpp"
#include "sparse/local/row_pieces.hpp"
#include "sparse/local/spgemm.hpp"

namespace cairn::sparse {

struct Sides {
  Index rows = 0, columns = 0;
};
// Throws ArgumentError unless A times B makes sense under the mask.
void check_sides(const Sides& a, const Sides& b, const SpgemmOptions& options);
inline void check_product(const PatternView& a, const PatternView& b, const SpgemmOptions& options) {
  check_sides({a.rows, a.columns}, {b.rows, b.columns}, options);
}

// The columns that row i of the product can have, where they are so few that a place for each is less work than a
// table: the bits of 64 of them are looked at at once, which costs no more than a voxel. All columns, or, where rows of B
// that lie together have columns that lie together, as in meshes and bands, those from the first to the last.
std::optional<Stretch> few_columns(const PatternView& a, const PatternView& b, Index i, Index voxels);

// Rows of B come in any order: they are asked for before entry p of A needs them, first where they start, then
// what stands there. `last` is the last entry of A. Always inline: GCC takes a function that only prefetches for
// one without effect, and leaves out its calls.
template <class T>
[[gnu::always_inline]] inline void look_ahead(const CsrView<T>& a, const CsrView<T>& b, Index p, Index last) {
  constexpr Index far = 24, near = 8;
  __builtin_prefetch(&b.starts[a.columns_of[std::min(p + far, last)]]);
  const Index q = b.starts[a.columns_of[std::min(p + near, last)]];
  __builtin_prefetch(b.columns_of + q);
  __builtin_prefetch(b.values + q);
  __builtin_prefetch(reinterpret_cast<const char*>(b.values + q) + 64);
}

// Rows of C, one after another, on one thread.
template <SemiringType S, MaskMode mode>
class RowMultiplier {
 public:
  using T = typename S::Value;

  RowMultiplier(const CsrView<T>& a, const CsrView<T>& b, const SpgemmOptions& options)
      : a_(a), b_(b), options_(options), sorter_(b.columns), last_(a.starts[a.rows] - 1) {}

  // Row i, made of this many voxels, to columns_of and values, which have room for bound(i, voxels) entries.
  Index row(Index i, Index voxels, Local* columns_of, T* values) {
    if constexpr (mode == MaskMode::none) {
      if (voxels == 0) return 0;
      if (a_.entries_of(i) == 1 && (b_.sorted || !options_.sorted)) return scaled_row(i, columns_of, values);
      if (const auto columns = few_columns(a_, b_, i, voxels)) {
        dense_.start(*columns, columns_of, values);
        put_terms(i, dense_);
        return dense_.finish();
      }
      hash_.start(bound(i, voxels), columns_of, values);
    } else {
      hash_.start(bound(i, voxels), columns_of, values, options_.mask->pattern.row(i));
    }
    put_terms(i, hash_);
    const Index entries = hash_.finish();
    if (options_.sorted) sorter_.sort(columns_of, values, entries);
    return entries;
  }

  // Entries of row i at most.
  Index bound(Index i, Index voxels) const {
    if constexpr (mode == MaskMode::only)
      return std::min(voxels, options_.mask->pattern.entries_of(i));
    else
      return std::min(voxels, b_.columns);
  }

 private:
  template <class Row>
  void put_terms(Index i, Row& row) {
    for (Index p = a_.starts[i]; p < a_.starts[i + 1]; ++p) {
      look_ahead(a_, b_, p, last_);
      const T x = a_.values[p];
      const Index k = a_.columns_of[p], end = b_.starts[k + 1];
      for (Index q = b_.starts[k]; q < end; ++q) row.put(b_.columns_of[q], S::multiply(x, b_.values[q]));
    }
  }

  Index scaled_row(Index i, Local* columns_of, T* values) {
    const Index p = a_.starts[i], k = a_.columns_of[p], begin = b_.starts[k], n = b_.entries_of(k);
    look_ahead(a_, b_, p, last_);
    std::copy_n(b_.columns_of + begin, n, columns_of);
    for (Index q = 0; q < n; ++q) values[q] = S::multiply(a_.values[p], b_.values[begin + q]);
    return n;
  }

  const CsrView<T> a_;
  const CsrView<T> b_;
  const SpgemmOptions& options_;
  HashRow<S, mode> hash_;
  DenseRow<S> dense_;
  RowSorter<T> sorter_;
  Index last_;  // entry of A
};

template <SemiringType S, MaskMode mode>
Csr<typename S::Value> multiply_sparse(const CsrView<typename S::Value>& a,
                                       const CsrView<typename S::Value>& b, const SpgemmOptions& options) {
  using T = typename S::Value;
  const Array<Index> voxels = spgemm_voxels(a, b);
  const std::vector<Index> cuts = cut_rows(voxels.span(), thread_count(options.workers));
  Csr<T> c = Csr<T>::zero(a.rows, b.columns);
  c.sorted = options.sorted;
  std::vector<RowPieces<T>> pieces(cuts.size() - 1);
  on_threads(options.workers, [&](int thread) {
    const auto t = static_cast<std::size_t>(thread);
    RowMultiplier<S, mode> multiplier(a, b, options);
    make_rows(multiplier, voxels, cuts[t], cuts[t + 1], c, pieces[t]);
  });
  join_rows(options.workers, cuts, pieces, c);
  return c;
}

template <SemiringType S>
Csr<typename S::Value> spgemm(const CsrView<typename S::Value>& a, const CsrView<typename S::Value>& b,
                              const SpgemmOptions& options) {
  check_product(a, b, options);
  if (!options.mask) return multiply_sparse<S, MaskMode::none>(a, b, options);
  return options.mask->complement ? multiply_sparse<S, MaskMode::except>(a, b, options)
                                  : multiply_sparse<S, MaskMode::only>(a, b, options);
}

// Row numbers -> their places in the list `row_of`, or -1: by an array where that is no longer than the work
// around it, by halving otherwise.
class RowFinder {
 public:
  RowFinder(std::span<const Local> row_of, Index rows, Index questions);
  Local find(Local row) const;

 private:
  std::span<const Local> row_of_;
  Array<Local> place_;
};

// Rows of a pattern, in the order of the list.
struct PatternRows {
  PatternRows(const PatternView& pattern, std::span<const Local> rows);
  PatternView view;
  Array<Index> starts;
  Array<Local> columns_of;
};

// The filled rows of A with the filled rows of B for columns; what meets an empty row is left out.
template <class T>
Csr<T> meet_filled_rows(const Dcsr<T>& a, const Dcsr<T>& b) {
  const RowFinder finder(b.row_of.span(), b.rows, a.entries());
  Csr<T> c = Csr<T>::zero(a.filled_rows(), b.filled_rows());
  c.sorted = a.sorted;
  for (Index r = 0; r < c.rows; ++r) {
    for (Index p = a.starts[r]; p < a.starts[r + 1]; ++p) {
      const Local k = finder.find(a.columns_of[p]);
      if (k < 0) continue;
      c.columns_of.push_back(k);
      c.values.push_back(a.values[p]);
    }
    c.starts[r + 1] = c.columns_of.size();
  }
  return c;
}

template <SemiringType S>
Dcsr<typename S::Value> spgemm(const Dcsr<typename S::Value>& a, const Dcsr<typename S::Value>& b,
                               const SpgemmOptions& options) {
  check_sides({a.rows, a.columns}, {b.rows, b.columns}, options);
  SpgemmOptions inner = options;
  std::optional<PatternRows> mask;
  if (options.mask) {
    mask.emplace(options.mask->pattern, a.row_of.span());
    inner.mask->pattern = mask->view;
  }
  Dcsr<typename S::Value> c = compress_rows(spgemm<S>(meet_filled_rows(a, b).view(), filled_view(b), inner));
  c.rows = a.rows;
  for (Local& row : c.row_of) row = a.row_of[row];
  return c;
}

// One row of a known pattern: its columns are numbered, then every term is added where its column is.
template <SemiringType S>
void multiply_into_row(const CsrView<typename S::Value>& a, const CsrView<typename S::Value>& b, Index i,
                       ColumnTable& table, Csr<typename S::Value>& c) {
  using T = typename S::Value;
  const Index begin = c.starts[i], entries = c.entries_of(i);
  T* const values = c.values.data() + begin;
  table.start(entries);
  for (Index p = 0; p < entries; ++p) {
    const Local column = c.columns_of[begin + p];
    table.find(column) = {column, static_cast<Local>(p)};
    values[p] = S::zero();
  }
  const Index last = a.starts[a.rows] - 1;
  for (Index p = a.starts[i]; p < a.starts[i + 1]; ++p) {
    look_ahead(a, b, p, last);
    const Index k = a.columns_of[p];
    for (Index q = b.starts[k]; q < b.starts[k + 1]; ++q) {
      const ColumnTable::Slot& slot = table.find(b.columns_of[q]);
      if (slot.column < 0) continue;
      values[slot.place] = S::add(values[slot.place], S::multiply(a.values[p], b.values[q]));
    }
  }
}

template <SemiringType S>
void spgemm_values(const CsrView<typename S::Value>& a, const CsrView<typename S::Value>& b,
                   Csr<typename S::Value>& c, Workers* workers) {
  check_product(a, b, {.mask = Mask{c.pattern()}});
  const Array<Index> voxels = spgemm_voxels(a, b);
  const std::vector<Index> cuts = cut_rows(voxels.span(), thread_count(workers));
  on_threads(workers, [&](int thread) {
    const auto t = static_cast<std::size_t>(thread);
    ColumnTable table;
    for (Index i = cuts[t]; i < cuts[t + 1]; ++i) multiply_into_row<S>(a, b, i, table, c);
  });
}

}  // namespace cairn::sparse
