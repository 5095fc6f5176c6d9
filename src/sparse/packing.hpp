// Entries as bytes, few of them. The places of a block's entries are numbered row after row; what is written
// are the gaps between the numbers of entries that follow each other, by Rice's or by Elias' gamma code,
// whichever is shorter here. About log2(rows columns / entries) + 1.5 bits an entry, row lengths included.
// Values follow as they are; one value for all of them is written once; semirings that do not read values
// send none.
#pragma once

#include "sparse/bits.hpp"
#include "sparse/local/csr.hpp"

namespace cairn::sparse {

// Entries of a rows x columns block, sorted by row, then column.
template <class T>
struct Entries {
  Index rows = 0;
  Index columns = 0;
  Array<Local> row;
  Array<Local> column;
  Array<T> value;

  Index size() const { return row.size(); }
  void push_back(Index r, Index c, T v) {
    row.push_back(static_cast<Local>(r));
    column.push_back(static_cast<Local>(c));
    value.push_back(v);
  }
  friend bool operator==(const Entries&, const Entries&) = default;
};

// What of the entries travels: all, the places alone (every value arrives as 1), or the values alone, where
// the receiver has kept the places.
enum class Content { all, places, values };

// No entries: no bytes.
template <class T>
Bytes pack_entries(const Entries<T>& entries, Content content = Content::all);
// `known` gives the places where content is values.
template <class T>
Entries<T> unpack_entries(std::span<const std::byte> bytes, Index rows, Index columns,
                          Content content = Content::all, const Entries<T>* known = nullptr);
// Entries in a message, without unpacking it; 0 for no bytes.
Index packed_entries(std::span<const std::byte> bytes);

// Ascending numbers below `limit`: as a bitmap, or as gaps of those that are there or of those that are not.
Bytes pack_positions(std::span<const Local> positions, Index limit);
std::vector<Local> unpack_positions(std::span<const std::byte> bytes, Index limit);

// Bytes that `entries` entries of a rows x columns block take when they lie at random: what planning reckons.
double expected_packed_bytes(double rows, double columns, double entries, double value_bytes);
double expected_position_bytes(double limit, double positions);

}  // namespace cairn::sparse
