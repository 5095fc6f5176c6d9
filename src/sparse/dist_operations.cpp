#include "sparse/dist_operations.hpp"

#include <algorithm>
#include <complex>

#include "comm/agreement.hpp"
#include "sparse/local/operations.hpp"

namespace cairn::sparse {
namespace {

template <class T>
void check_pair(comm::CommView comm, const char* what, const DistSparse<T>& a, const DistSparse<T>& b,
                Semiring semiring) {
  comm::agree(comm, what,
              [&] {
                require(a.layout.rows() == b.layout.rows() && a.layout.columns() == b.layout.columns(),
                        "A is {} x {} and B is {} x {}, expected the same shape", a.layout.rows(),
                        a.layout.columns(), b.layout.rows(), b.layout.columns());
                dispatch<T>(semiring, []<class S>() {});
              },
              {{"A's layout", a.layout.fingerprint(),
                [&] {
                  return std::vector<comm::Argument>{{"layout of A", a.layout.text()}};
                }},
               {"B's layout", b.layout.fingerprint(),
                [&] {
                  return std::vector<comm::Argument>{{"layout of B", b.layout.text()}};
                }},
               {"semiring", static_cast<Index>(semiring)}});
}

// Where an index stands in a list; several times, if it does.
class Places {
 public:
  explicit Places(std::span<const Index> list) {
    for (std::size_t p = 0; p < list.size(); ++p) at_.emplace_back(list[p], static_cast<Index>(p));
    std::ranges::sort(at_);
  }
  auto of(Index i) const { return std::ranges::equal_range(at_, i, {}, &std::pair<Index, Index>::first); }

 private:
  std::vector<std::pair<Index, Index>> at_;
};

void check_list(std::span<const Index> list, Index size, std::string_view name) {
  for (std::size_t x = 0; x < list.size(); ++x)
    require(list[x] >= 0 && list[x] < size, "{}[{}] is {}, expected 0 to {}", name, x, list[x], size - 1);
}

// Every entry to where `to` says, in the same layout.
template <class T, class To>
DistSparse<T> moved_entries(comm::CommView comm, const DistSparse<T>& a, To&& to) {
  std::vector<Triple<T>> mine = global_triples(a, comm.rank());
  for (Triple<T>& t : mine) to(t.row, t.column);
  return from_triples<T>(comm, a.layout, mine);
}

}  // namespace

template <class T>
DistSparse<T> add_sparse(comm::CommView comm, const DistSparse<T>& a, const DistSparse<T>& b,
                         Semiring semiring) {
  check_pair(comm, "sum of sparse matrices", a, b, semiring);
  const DistSparse<T> like = convert(comm, b, a.layout);
  return {a.layout, dispatch<T>(semiring, [&]<class S>() { return add<S>(a.local, like.local); })};
}

template <class T>
DistSparse<T> multiply_elements_sparse(comm::CommView comm, const DistSparse<T>& a, const DistSparse<T>& b,
                                       Semiring semiring) {
  check_pair(comm, "element-wise product of sparse matrices", a, b, semiring);
  const DistSparse<T> like = convert(comm, b, a.layout);
  return {a.layout,
          dispatch<T>(semiring, [&]<class S>() { return multiply_elements<S>(a.local, like.local); })};
}

template <class T>
DistSparse<T> select_sparse(const DistSparse<T>& a, int rank,
                            const std::function<bool(Index, Index, const T&)>& keep) {
  const auto at = a.layout.position_of(rank);
  if (!at) return a;
  const std::vector<Index> rows = a.layout.row_cut().globals(at->row_place);
  const std::vector<Index> columns = a.layout.column_cut().globals(at->column_place);
  return {a.layout, select(a.local, [&](Index i, Index j, const T& x) {
            return keep(rows[static_cast<std::size_t>(i)], columns[static_cast<std::size_t>(j)], x);
          })};
}

template <class T>
DistSparse<T> extract_sparse(comm::CommView comm, const DistSparse<T>& a, std::span<const Index> rows,
                             std::span<const Index> columns) {
  comm::agree(comm, "rows and columns of a sparse matrix",
              [&] {
                check_list(rows, a.layout.rows(), "rows");
                check_list(columns, a.layout.columns(), "columns");
              },
              {{"A's layout", a.layout.fingerprint(),
                [&] {
                  return std::vector<comm::Argument>{{"layout of A", a.layout.text()}};
                }},
               {"rows", comm::fingerprint(rows),
                [&] {
                  return std::vector<comm::Argument>{{"rows", comm::list_text(rows)}};
                }},
               {"columns", comm::fingerprint(columns), [&] {
                  return std::vector<comm::Argument>{{"columns", comm::list_text(columns)}};
                }}});
  const Places row_places(rows), column_places(columns);
  std::vector<Triple<T>> mine;
  for (const Triple<T>& t : global_triples(a, comm.rank()))
    for (const auto& [i, r] : row_places.of(t.row))
      for (const auto& [j, c] : column_places.of(t.column)) mine.push_back({r, c, t.value});
  return from_triples<T>(comm, SparseLayout::row_blocks(std::ssize(rows), std::ssize(columns), comm.size()),
                         mine);
}

template <class T>
DistSparse<T> permute_sparse(comm::CommView comm, const DistSparse<T>& a, std::span<const Index> new_row,
                             std::span<const Index> new_column) {
  comm::agree(comm, "permutation of a sparse matrix",
              [&] {
                if (!new_row.empty()) check_permutation(new_row, a.layout.rows(), "new_row");
                if (!new_column.empty()) check_permutation(new_column, a.layout.columns(), "new_column");
              },
              {{"A's layout", a.layout.fingerprint(),
                [&] {
                  return std::vector<comm::Argument>{{"layout of A", a.layout.text()}};
                }},
               {"new_row", comm::fingerprint(new_row),
                [&] {
                  return std::vector<comm::Argument>{{"new_row", comm::list_text(new_row)}};
                }},
               {"new_column", comm::fingerprint(new_column), [&] {
                  return std::vector<comm::Argument>{{"new_column", comm::list_text(new_column)}};
                }}});
  return moved_entries(comm, a, [&](Index& i, Index& j) {
    if (!new_row.empty()) i = new_row[static_cast<std::size_t>(i)];
    if (!new_column.empty()) j = new_column[static_cast<std::size_t>(j)];
  });
}

template <class T>
DistSparse<T> shuffle_sparse(comm::CommView comm, const DistSparse<T>& a, const Shuffle& rows,
                             const Shuffle& columns, bool back) {
  return moved_entries(comm, a, [&](Index& i, Index& j) {
    i = back ? rows.back(i) : rows(i);
    j = back ? columns.back(j) : columns(j);
  });
}

#define CAIRN_OPERATIONS(T)                                                                              \
  template DistSparse<T> add_sparse<T>(comm::CommView, const DistSparse<T>&, const DistSparse<T>&,       \
                                       Semiring);                                                        \
  template DistSparse<T> multiply_elements_sparse<T>(comm::CommView, const DistSparse<T>&,               \
                                                     const DistSparse<T>&, Semiring);                    \
  template DistSparse<T> select_sparse<T>(const DistSparse<T>&, int,                                     \
                                          const std::function<bool(Index, Index, const T&)>&);           \
  template DistSparse<T> extract_sparse<T>(comm::CommView, const DistSparse<T>&, std::span<const Index>, \
                                           std::span<const Index>);                                      \
  template DistSparse<T> permute_sparse<T>(comm::CommView, const DistSparse<T>&, std::span<const Index>, \
                                           std::span<const Index>);                                      \
  template DistSparse<T> shuffle_sparse<T>(comm::CommView, const DistSparse<T>&, const Shuffle&,         \
                                           const Shuffle&, bool);
CAIRN_FOR_EACH_SCALAR(CAIRN_OPERATIONS)
#undef CAIRN_OPERATIONS

}  // namespace cairn::sparse
