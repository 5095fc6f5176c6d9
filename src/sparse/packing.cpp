#include "sparse/packing.hpp"

#include <cmath>
#include <complex>

#include "sparse/gap_code.hpp"
#include "sparse/local/semiring.hpp"

namespace cairn::sparse {
namespace {

enum class Values : std::uint8_t { none = 0, one = 1, all = 2 };

template <class T>
void append_raw(Bytes& out, const T* data, Index count) {
  if (count == 0) return;
  const auto* first = reinterpret_cast<const std::byte*>(data);
  out.insert(out.end(), first, first + static_cast<std::size_t>(count) * sizeof(T));
}

template <class T>
void take_raw(std::span<const std::byte>& in, T* data, Index count) {
  if (count == 0) return;
  const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(T);
  require<CommError>(in.size() >= bytes, "a sparse message has {} bytes left, expected {}", in.size(), bytes);
  std::memcpy(data, in.data(), bytes);
  in = in.subspan(bytes);
}

template <class T>
bool all_equal(const Array<T>& values) {
  const auto* first = reinterpret_cast<const std::byte*>(values.data());
  for (Index i = 1; i < values.size(); ++i)
    if (std::memcmp(first, values.data() + i, sizeof(T)) != 0) return false;
  return true;
}

template <class T>
Values kind_of_values(const Array<T>& values, Content content) {
  if (content == Content::places) return Values::none;
  return all_equal(values) ? Values::one : Values::all;
}

template <class T>
void take_values(std::span<const std::byte>& in, Values kind, Array<T>& values) {
  if (kind == Values::all) return take_raw(in, values.data(), values.size());
  T value(1);
  if (kind == Values::one) take_raw(in, &value, 1);
  std::fill(values.begin(), values.end(), value);
}

// The number of an entry's place, row after row.
template <class T>
auto row_places_of(const Entries<T>& e) {
  return [&e](Index i) { return Index{e.row[i]} * e.columns + e.column[i]; };
}

}  // namespace

template <class T>
Bytes pack_entries(const Entries<T>& e, Content content) {
  Bytes out;
  if (e.size() == 0) return out;
  if (content == Content::values) {
    append_raw(out, e.value.data(), e.size());
    return out;
  }
  const Values kind = kind_of_values(e.value, content);
  const GapCode code = best_gap_code(e.size(), row_places_of(e));
  out.reserve(static_cast<std::size_t>(
      code.bytes + 16 + (kind == Values::all ? e.size() * static_cast<Index>(sizeof(T)) : 16)));
  out.push_back(static_cast<std::byte>(static_cast<unsigned>(kind) | static_cast<unsigned>(code.shift) << 2));
  put_count(out, e.size());
  append_raw(out, e.value.data(), kind == Values::all ? e.size() : kind == Values::one ? 1 : 0);
  write_gaps(out, code, e.size(), row_places_of(e));
  return out;
}

template <class T>
Entries<T> unpack_entries(std::span<const std::byte> in, Index rows, Index columns, Content content,
                          const Entries<T>* known) {
  if (content == Content::values) {
    Entries<T> e = *known;
    take_raw(in, e.value.data(), e.size());
    return e;
  }
  Entries<T> e;
  e.rows = rows;
  e.columns = columns;
  if (in.empty()) return e;
  const auto head = static_cast<unsigned>(in[0]);
  in = in.subspan(1);
  const Index count = take_count(in);
  // A wrong count must not make the memory grow beyond what the bytes can hold: every gap takes a bit.
  const auto most = static_cast<Index>(in.size()) * 8;
  require<CommError>(count <= most, "a sparse message of {} bytes claims {} entries", in.size(), count);
  e.row.resize(count);
  e.column.resize(count);
  e.value.resize(count);
  take_values(in, static_cast<Values>(head & 3), e.value);
  Index row = 0, row_begin = 0;
  read_gaps(in, static_cast<int>(head >> 2), count, rows * columns, [&](Index i, Index place) {
    if (place >= row_begin + columns) {
      row = place - row_begin < 2 * columns ? row + 1 : place / columns;
      row_begin = row * columns;
    }
    e.row[i] = static_cast<Local>(row);
    e.column[i] = static_cast<Local>(place - row_begin);
  });
  return e;
}

Index packed_entries(std::span<const std::byte> bytes) {
  if (bytes.empty()) return 0;
  bytes = bytes.subspan(1);
  return take_count(bytes);
}

double expected_packed_bytes(double rows, double columns, double entries, double value_bytes) {
  if (entries < 0.5) return 0;
  const double spread = std::max(1.0, rows * columns / entries);
  // Rice's code of geometric gaps: within a tenth of a bit of log2(mean) + 1.5.
  return 3 + entries * (value_bytes + (std::log2(spread) + 1.5) / 8);
}

#define CAIRN_PACK(T)                                         \
  template Bytes pack_entries<T>(const Entries<T>&, Content); \
  template Entries<T> unpack_entries<T>(std::span<const std::byte>, Index, Index, Content, const Entries<T>*);
CAIRN_FOR_EACH_SCALAR(CAIRN_PACK)
#undef CAIRN_PACK

}  // namespace cairn::sparse
