#include <algorithm>
#include <complex>

#include "comm/agreement.hpp"
#include "comm/collectives.hpp"
#include "sparse/blocks.hpp"
#include "sparse/dist_sparse.hpp"
#include "sparse/local/operations.hpp"
#include "sparse/parcels.hpp"

namespace cairn::sparse {
namespace {

std::span<const Local> lists_at(const Correspondence& c, int place) {
  return c.among[static_cast<std::size_t>(place)];
}

// The ranks of `other` that have something in common with a block whose indices correspond so.
struct Meeting {
  int rank;
  Position at;  // in the other layout
};
std::vector<Meeting> meetings(const SparseLayout& other, const Correspondence& rows,
                              const Correspondence& columns) {
  std::vector<Meeting> all;
  for (int c = 0; c < other.column_cut().places(); ++c)
    for (int r = 0; r < other.row_cut().places(); ++r)
      if (!lists_at(rows, r).empty() && !lists_at(columns, c).empty())
        all.push_back({other.rank_at({r, c}), {r, c}});
  return all;
}

template <class T>
std::vector<Parcel> parcels_to(const DistSparse<T>& from, const SparseLayout& to, Position at) {
  const Correspondence rows = correspond(from.layout.row_cut(), at.row_place, to.row_cut());
  const Correspondence columns = correspond(from.layout.column_cut(), at.column_place, to.column_cut());
  const int row_parts = to.row_cut().places();
  std::vector<Entries<T>> pieces = deal(
      from.local, {rows.place, columns.place, rows.nth, columns.nth, row_parts, to.column_cut().places()});
  std::vector<Parcel> out;
  for (const Meeting& m : meetings(to, rows, columns)) {
    Entries<T>& piece = pieces[static_cast<std::size_t>(m.at.row_place + row_parts * m.at.column_place)];
    piece.rows = std::ssize(lists_at(rows, m.at.row_place));
    piece.columns = std::ssize(lists_at(columns, m.at.column_place));
    out.push_back({m.rank, pack_entries(piece)});
    piece = {};
  }
  return out;
}

// Entries of one rank's block in the order of its rows; those that stand twice are added up in the order given.
template <class T>
Entries<T> added_up(std::vector<Triple<T>> list, const SparseLayout& layout, int rank) {
  Entries<T> e;
  const auto at = layout.position_of(rank);
  if (!at) return e;
  e.rows = layout.row_cut().size(at->row_place);
  e.columns = layout.column_cut().size(at->column_place);
  std::stable_sort(list.begin(), list.end(), [](const Triple<T>& x, const Triple<T>& y) {
    return std::pair(x.row, x.column) < std::pair(y.row, y.column);
  });
  for (const Triple<T>& t : list) {
    const Index last = e.size() - 1;
    if (last >= 0 && e.row[last] == t.row && e.column[last] == t.column)
      e.value[last] += t.value;
    else
      e.push_back(t.row, t.column, t.value);
  }
  return e;
}

void check_ranks(comm::CommView comm, const SparseLayout& layout) {
  require(layout.last_rank() < comm.size(), "sparse layout {} names rank {}, expected at most {}",
          layout.text(), layout.last_rank(), comm.size() - 1);
}

}  // namespace

template <class T>
Csr<T> empty_block(const SparseLayout& layout, int rank) {
  const auto at = layout.position_of(rank);
  if (!at) return Csr<T>::zero(0, 0);
  return Csr<T>::zero(layout.row_cut().size(at->row_place), layout.column_cut().size(at->column_place));
}

template <class T>
DistSparse<T> convert(comm::CommView comm, const DistSparse<T>& from, const SparseLayout& to) {
  if (from.layout == to) return {to, from.local};
  const auto source = from.layout.position_of(comm.rank()), target = to.position_of(comm.rank());
  std::vector<Parcel> out;
  if (source) out = parcels_to(from, to, *source);
  Correspondence rows, columns;
  std::vector<Meeting> senders;
  if (target) {
    rows = correspond(to.row_cut(), target->row_place, from.layout.row_cut());
    columns = correspond(to.column_cut(), target->column_place, from.layout.column_cut());
    senders = meetings(from.layout, rows, columns);
  }
  std::vector<int> ranks;
  for (const Meeting& m : senders) ranks.push_back(m.rank);
  const std::vector<Bytes> in = exchange_parcels(comm, std::move(out), ranks, packed_entries);
  std::vector<PlacedEntries<T>> pieces;
  for (std::size_t i = 0; i < in.size(); ++i) {
    const auto row_at = lists_at(rows, senders[i].at.row_place);
    const auto column_at = lists_at(columns, senders[i].at.column_place);
    pieces.push_back(
        {unpack_entries<T>(in[i], std::ssize(row_at), std::ssize(column_at)), row_at, column_at});
  }
  const Csr<T> shape = empty_block<T>(to, comm.rank());
  return {to, assemble<T>(shape.rows, shape.columns, pieces)};
}

template <class T>
DistSparse<T> from_triples(comm::CommView comm, const SparseLayout& layout,
                           std::span<const Triple<T>> triples) {
  comm::agree(comm, "sparse matrix from triples",
              [&] {
                check_ranks(comm, layout);
                for (const Triple<T>& t : triples)
                  require(t.row >= 0 && t.row < layout.rows() && t.column >= 0 && t.column < layout.columns(),
                          "entry ({}, {}) of a {} x {} matrix", t.row, t.column, layout.rows(),
                          layout.columns());
              },
              {{"layout", layout.fingerprint(), [&] {
                  return std::vector<comm::Argument>{{"layout", layout.text()}};
                }}});
  std::vector<std::vector<Triple<T>>> by_rank(static_cast<std::size_t>(comm.size()));
  for (const Triple<T>& t : triples) {
    const Position at{layout.row_cut().place_of(t.row), layout.column_cut().place_of(t.column)};
    by_rank[static_cast<std::size_t>(layout.rank_at(at))].push_back(
        {layout.row_cut().local_of(t.row), layout.column_cut().local_of(t.column), t.value});
  }
  std::vector<Parcel> out;
  std::vector<int> from;
  for (int r = 0; r < comm.size(); ++r) {
    out.push_back({r, pack_entries(added_up(std::move(by_rank[static_cast<std::size_t>(r)]), layout, r))});
    from.push_back(r);
  }
  const Csr<T> shape = empty_block<T>(layout, comm.rank());
  std::vector<Triple<T>> mine;
  for (const Bytes& bytes : exchange_parcels(comm, std::move(out), from, packed_entries)) {
    const Entries<T> e = unpack_entries<T>(bytes, shape.rows, shape.columns);
    for (Index x = 0; x < e.size(); ++x) mine.push_back({e.row[x], e.column[x], e.value[x]});
  }
  return {layout, sparse::from_triples<PlusTimes<T>>(std::span<const Triple<T>>(mine),
                                                     {0, 0, shape.rows, shape.columns})};
}

template <class T>
std::vector<Triple<T>> global_triples(const DistSparse<T>& a, int rank) {
  std::vector<Triple<T>> all;
  const auto at = a.layout.position_of(rank);
  if (!at) return all;
  const std::vector<Index> rows = a.layout.row_cut().globals(at->row_place);
  const std::vector<Index> columns = a.layout.column_cut().globals(at->column_place);
  for (Index i = 0; i < a.local.rows; ++i)
    for (Index p = a.local.starts[i]; p < a.local.starts[i + 1]; ++p)
      all.push_back({rows[static_cast<std::size_t>(i)],
                     columns[static_cast<std::size_t>(a.local.columns_of[p])], a.local.values[p]});
  return all;
}

template <class T>
Csr<T> gather_sparse(comm::CommView comm, const DistSparse<T>& a, int root) {
  const SparseLayout whole(Cut::ranges(a.layout.rows(), {root}), Cut::ranges(a.layout.columns(), {0}),
                           "on one rank");
  return convert(comm, a, whole).local;
}

template <class T>
DistSparse<T> transpose_sparse(const DistSparse<T>& a) {
  return {a.layout.transposed(), transpose(a.local)};
}

template <class T>
Index count_entries(comm::CommView comm, const DistSparse<T>& a) {
  return comm::allreduce(comm.unchecked(), a.local.entries(), comm::ReduceOp::sum);
}

#define CAIRN_CONVERT(T)                                                                                   \
  template Csr<T> empty_block<T>(const SparseLayout&, int);                                                \
  template DistSparse<T> convert<T>(comm::CommView, const DistSparse<T>&, const SparseLayout&);            \
  template DistSparse<T> from_triples<T>(comm::CommView, const SparseLayout&, std::span<const Triple<T>>); \
  template std::vector<Triple<T>> global_triples<T>(const DistSparse<T>&, int);                            \
  template Csr<T> gather_sparse<T>(comm::CommView, const DistSparse<T>&, int);                             \
  template DistSparse<T> transpose_sparse<T>(const DistSparse<T>&);                                        \
  template Index count_entries<T>(comm::CommView, const DistSparse<T>&);
CAIRN_FOR_EACH_SCALAR(CAIRN_CONVERT)
#undef CAIRN_CONVERT

}  // namespace cairn::sparse
