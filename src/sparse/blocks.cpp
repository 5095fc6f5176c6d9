#include "sparse/blocks.hpp"

#include <complex>
#include <numeric>

#include "sparse/local/semiring.hpp"

namespace cairn::sparse {
namespace {

std::vector<Local> listed(const std::vector<char>& marks) {
  std::vector<Local> list;
  for (std::size_t i = 0; i < marks.size(); ++i)
    if (marks[i] != 0) list.push_back(static_cast<Local>(i));
  return list;
}

template <class T>
void count_rows(Csr<T>& block, std::span<const PlacedEntries<T>> pieces) {
  for (const PlacedEntries<T>& p : pieces)
    for (const Local r : p.entries.row) ++block.starts[p.row_at[static_cast<std::size_t>(r)] + 1];
  for (Index i = 0; i < block.rows; ++i) block.starts[i + 1] += block.starts[i];
  block.columns_of.resize(block.entries());
  block.values.resize(block.entries());
}

}  // namespace

template <class T>
Csr<T> assemble(Index rows, Index columns, std::span<const PlacedEntries<T>> pieces) {
  Csr<T> block = Csr<T>::zero(rows, columns);
  count_rows(block, pieces);
  Array<Index> next(block.starts.begin(), block.starts.end());
  Array<Local> last(rows, Local{-1});
  bool sorted = true;
  for (const PlacedEntries<T>& p : pieces) {
    const Entries<T>& e = p.entries;
    for (Index i = 0; i < e.size(); ++i) {
      const Local row = p.row_at[static_cast<std::size_t>(e.row[i])];
      const Local column = p.column_at[static_cast<std::size_t>(e.column[i])];
      const Index at = next[row]++;
      block.columns_of[at] = column;
      block.values[at] = e.value[i];
      sorted &= last[row] < column;
      last[row] = column;
    }
  }
  block.sorted = sorted;
  if (!sorted) sort_rows(block);
  return block;
}

template <class T>
Entries<T> entries_of(const Csr<T>& a) {
  return marked_entries<T>(a, {}, {});
}

template <class T>
Csr<T> block_of(const Entries<T>& e) {
  std::vector<Local> rows(static_cast<std::size_t>(e.rows)), columns(static_cast<std::size_t>(e.columns));
  std::iota(rows.begin(), rows.end(), 0);
  std::iota(columns.begin(), columns.end(), 0);
  const PlacedEntries<T> piece{e, rows, columns};
  return assemble<T>(e.rows, e.columns, std::span(&piece, 1));
}

template <class T>
Entries<T> marked_entries(const Csr<T>& a, std::span<const char> rows, std::span<const char> columns) {
  Entries<T> e;
  e.rows = a.rows;
  e.columns = a.columns;
  e.row.reserve(a.entries());
  e.column.reserve(a.entries());
  e.value.reserve(a.entries());
  for (Index i = 0; i < a.rows; ++i) {
    if (!rows.empty() && rows[static_cast<std::size_t>(i)] == 0) continue;
    for (Index p = a.starts[i]; p < a.starts[i + 1]; ++p)
      if (columns.empty() || columns[static_cast<std::size_t>(a.columns_of[p])] != 0)
        e.push_back(i, a.columns_of[p], a.values[p]);
  }
  return e;
}

template <class T>
std::vector<Entries<T>> deal(const Csr<T>& a, const Dealing& to) {
  std::vector<Entries<T>> pieces(static_cast<std::size_t>(to.row_parts) *
                                 static_cast<std::size_t>(to.column_parts));
  for (Index i = 0; i < a.rows; ++i) {
    const auto r = static_cast<std::size_t>(i);
    for (Index p = a.starts[i]; p < a.starts[i + 1]; ++p) {
      const auto c = static_cast<std::size_t>(a.columns_of[p]);
      pieces[static_cast<std::size_t>(to.row_part[r] + to.row_parts * to.column_part[c])].push_back(
          to.row_nth[r], to.column_nth[c], a.values[p]);
    }
  }
  return pieces;
}

std::vector<Local> filled_columns(const PatternView& a) {
  std::vector<char> marks(static_cast<std::size_t>(a.columns), 0);
  for (Index p = 0; p < a.entries(); ++p) marks[static_cast<std::size_t>(a.columns_of[p])] = 1;
  return listed(marks);
}

std::vector<Local> filled_rows(const PatternView& a) {
  std::vector<Local> list;
  for (Index i = 0; i < a.rows; ++i)
    if (a.entries_of(i) > 0) list.push_back(static_cast<Local>(i));
  return list;
}

#define CAIRN_BLOCKS(T)                                                                               \
  template Csr<T> assemble<T>(Index, Index, std::span<const PlacedEntries<T>>);                       \
  template Entries<T> entries_of<T>(const Csr<T>&);                                                   \
  template Csr<T> block_of<T>(const Entries<T>&);                                                     \
  template Entries<T> marked_entries<T>(const Csr<T>&, std::span<const char>, std::span<const char>); \
  template std::vector<Entries<T>> deal<T>(const Csr<T>&, const Dealing&);
CAIRN_FOR_EACH_SCALAR(CAIRN_BLOCKS)
#undef CAIRN_BLOCKS

}  // namespace cairn::sparse
