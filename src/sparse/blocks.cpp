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
void count_placed_rows(Csr<T>& block, std::span<const PlacedEntries<T>> pieces, const PlacedBlock<T>* own) {
  for (const PlacedEntries<T>& p : pieces)
    for (const Local r : p.entries.row) ++block.starts[p.row_at[static_cast<std::size_t>(r)] + 1];
  for (Index i = 0; own != nullptr && i < own->block.rows; ++i)
    block.starts[own->row_at[static_cast<std::size_t>(i)] + 1] += own->block.entries_of(i);
  for (Index i = 0; i < block.rows; ++i) block.starts[i + 1] += block.starts[i];
  block.columns_of.resize(block.entries());
  block.values.resize(block.entries());
}

// A block that pieces are put into, one after another.
template <class T>
struct Assembly {
  Csr<T>& block;
  Array<Index> next;
  bool sorted = true;

  void put(Local row, Local column, T value) {
    const Index at = next[row]++;
    sorted &= at == block.starts[row] || block.columns_of[at - 1] < column;
    block.columns_of[at] = column;
    block.values[at] = value;
  }
  void put(const PlacedEntries<T>& p) {
    const Entries<T>& e = p.entries;
    for (Index i = 0; i < e.size(); ++i)
      put(p.row_at[static_cast<std::size_t>(e.row[i])], p.column_at[static_cast<std::size_t>(e.column[i])],
          e.value[i]);
  }
  void put(const PlacedBlock<T>& p) {
    for (Index i = 0; i < p.block.rows; ++i)
      for (Index x = p.block.starts[i]; x < p.block.starts[i + 1]; ++x)
        put(p.row_at[static_cast<std::size_t>(i)],
            p.column_at[static_cast<std::size_t>(p.block.columns_of[x])], p.block.values[x]);
  }
};

}  // namespace

template <class T>
Csr<T> assemble(Index rows, Index columns, std::span<const PlacedEntries<T>> pieces,
                const PlacedBlock<T>* own) {
  Csr<T> block = Csr<T>::zero(rows, columns);
  count_placed_rows(block, pieces, own);
  Assembly<T> assembly{block, Array<Index>(block.starts.begin(), block.starts.end())};
  const auto before = own == nullptr ? pieces.size() : static_cast<std::size_t>(own->position);
  for (const PlacedEntries<T>& p : pieces.first(before)) assembly.put(p);
  if (own != nullptr) assembly.put(*own);
  for (const PlacedEntries<T>& p : pieces.subspan(before)) assembly.put(p);
  block.sorted = assembly.sorted;
  if (!block.sorted) sort_rows(block);
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

#define CAIRN_BLOCKS(T)                                                                                \
  template Csr<T> assemble<T>(Index, Index, std::span<const PlacedEntries<T>>, const PlacedBlock<T>*); \
  template Entries<T> entries_of<T>(const Csr<T>&);                                                    \
  template Csr<T> block_of<T>(const Entries<T>&);                                                      \
  template Entries<T> marked_entries<T>(const Csr<T>&, std::span<const char>, std::span<const char>);  \
  template std::vector<Entries<T>> deal<T>(const Csr<T>&, const Dealing&);
CAIRN_FOR_EACH_SCALAR(CAIRN_BLOCKS)
#undef CAIRN_BLOCKS

}  // namespace cairn::sparse
