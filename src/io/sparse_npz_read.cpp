#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "io/format.hpp"
#include "io/inflate.hpp"
#include "io/npy_header.hpp"
#include "io/sparse_npz.hpp"
#include "io/zip_archive.hpp"

namespace cairn::io {
namespace {

// The unpacked bytes of a member, from front to back.
class MemberBytes {
 public:
  MemberBytes(const File& file, Index begin, Index packed_bytes, bool packed)
      : file_(file), at_(begin), end_(begin + packed_bytes) {
    if (packed) inflater_.emplace(file, begin, end_, Packing::deflate);
  }
  void read(std::span<std::byte> to) {
    if (inflater_) {
      const std::size_t count = inflater_->read({reinterpret_cast<char*>(to.data()), to.size()});
      require<IoError>(count == to.size(), "the packed data ends {} bytes early", to.size() - count);
      return;
    }
    require<IoError>(static_cast<Index>(to.size()) <= end_ - at_, "byte {}: the member ends here", end_);
    file_.read_at(at_, to);
    at_ += static_cast<Index>(to.size());
  }
  void skip(Index bytes) {
    if (!inflater_) {
      at_ += bytes;
      return;
    }
    for (std::vector<std::byte> gone(std::size_t{1} << 16); bytes > 0;) {
      const auto count = std::min<std::size_t>(gone.size(), static_cast<std::size_t>(bytes));
      read(std::span(gone).first(count));
      bytes -= static_cast<Index>(count);
    }
  }

 private:
  const File& file_;
  Index at_, end_;
  std::optional<Inflater> inflater_;
};

// The numbers first .. first+count-1 of a vector, one after another: f(bytes of one, in our order).
template <class F>
void for_each_number(const File& file, const NpzVector& v, Index first, Index count, F&& f) {
  MemberBytes member(file, v.begin, v.packed_bytes, v.packed);
  member.skip(v.header + first * v.bytes);
  const Index parts = v.kind == 'c' ? 2 : 1, part = v.bytes / parts;
  std::vector<std::byte> piece;
  for (constexpr Index most = 65536; count > 0;) {
    const Index now = std::min(most, count);
    piece.resize(static_cast<std::size_t>(now * v.bytes));
    member.read(piece);
    if (v.swapped)
      for (Index k = 0; k < now * parts; ++k)
        std::reverse(piece.begin() + k * part, piece.begin() + (k + 1) * part);
    for (Index k = 0; k < now; ++k) f(piece.data() + k * v.bytes);
    count -= now;
  }
}

template <class N>
N number_at(const std::byte* at) {
  N x;
  std::memcpy(&x, at, sizeof(N));
  return x;
}

Index whole_number(const NpzVector& v, const std::byte* at) {
  const bool is_signed = v.kind == 'i';
  switch (v.bytes) {
    case 1:
      return is_signed ? Index{number_at<std::int8_t>(at)} : Index{number_at<std::uint8_t>(at)};
    case 2:
      return is_signed ? Index{number_at<std::int16_t>(at)} : Index{number_at<std::uint16_t>(at)};
    case 4:
      return is_signed ? Index{number_at<std::int32_t>(at)} : Index{number_at<std::uint32_t>(at)};
    default:
      return number_at<Index>(at);
  }
}

template <Scalar T>
T value_at(const NpzVector& v, const std::byte* at) {
  using R = Real<T>;
  const auto real = [&](const std::byte* p, int bytes) {
    return bytes == 4 ? static_cast<R>(number_at<float>(p)) : static_cast<R>(number_at<double>(p));
  };
  if (v.kind == 'f') return T(real(at, v.bytes));
  if constexpr (ScalarTraits<T>::is_complex)
    if (v.kind == 'c') return T(real(at, v.bytes / 2), real(at + v.bytes / 2, v.bytes / 2));
  return T(static_cast<R>(whole_number(v, at)));
}

// ---- the head ----------------------------------------------------------------------------------------
std::vector<ZipMember> members_of(const File& file) {
  const Index bytes = file.size();
  std::vector<std::byte> tail(static_cast<std::size_t>(std::min(bytes, zip_tail_bytes)));
  file.read_at(bytes - static_cast<Index>(tail.size()), tail);
  const ZipDirectory place = find_zip_directory(tail, bytes);
  std::vector<std::byte> directory(static_cast<std::size_t>(place.bytes));
  file.read_at(place.offset, directory);
  return parse_zip_directory(directory, place, bytes);
}

const ZipMember& member_called(const std::vector<ZipMember>& members, std::string_view name) {
  for (const ZipMember& m : members)
    if (m.name == name) return m;
  fail<IoError>("the archive has no member '{}', expected a matrix saved by scipy.sparse.save_npz", name);
}

struct OpenArray {
  NpyArray array;
  NpzVector vector;
};

void set_type(const ZipMember& m, const std::string& descr, NpzVector& v) {
  const bool known = descr.size() >= 3 && std::string_view("<>|=").find(descr[0]) != std::string_view::npos;
  v.kind = known ? descr[1] : '?';
  v.bytes = 0;
  for (std::size_t k = 2; known && k < descr.size() && k < 5; ++k)
    v.bytes = descr[k] >= '0' && descr[k] <= '9' ? 10 * v.bytes + (descr[k] - '0') : -1000000;
  const char foreign = std::endian::native == std::endian::little ? '>' : '<';
  v.swapped = known && descr[0] == foreign;
  require<IoError>(known && v.bytes > 0, "member '{}': the elements are of type {}", m.name,
                   in_quotes(descr));
}

OpenArray open_array(const File& file, const ZipMember& m) {
  OpenArray open;
  NpzVector& v = open.vector;
  std::vector<std::byte> local(static_cast<std::size_t>(zip_local_bytes));
  file.read_at(m.local_offset, local);
  v.begin = m.local_offset + zip_local_header_bytes(local, m);
  require<IoError>(m.packed_bytes <= file.size() - v.begin, "member '{}' goes beyond the end of the file",
                   m.name);
  v.packed_bytes = m.packed_bytes;
  v.packed = m.packed;
  std::vector<std::byte> head(static_cast<std::size_t>(std::min(m.bytes, npy_prefix_bytes)));
  MemberBytes(file, v.begin, v.packed_bytes, v.packed).read(head);
  head.resize(static_cast<std::size_t>(npy_header_bytes(head, m.bytes)));
  MemberBytes(file, v.begin, v.packed_bytes, v.packed).read(head);
  open.array = parse_npy_array(head, m.bytes);
  v.header = open.array.offset;
  v.count = 1;
  for (const Index side : open.array.shape) v.count = checked_mul(v.count, side, "elements of a member");
  set_type(m, open.array.descr, v);
  require<IoError>(v.count <= (m.bytes - v.header) / v.bytes,
                   "member '{}' has {} elements of {} bytes, expected at most {} bytes", m.name, v.count,
                   v.bytes, m.bytes - v.header);
  return open;
}

NpzVector open_vector(const File& file, const std::vector<ZipMember>& members, std::string_view name,
                      std::string_view kinds) {
  const OpenArray open = open_array(file, member_called(members, name));
  const NpzVector& v = open.vector;
  require<IoError>(open.array.shape.size() == 1, "member '{}' has {} dimensions, expected 1", name,
                   open.array.shape.size());
  const bool whole = v.bytes == 1 || v.bytes == 2 || v.bytes == 4 || v.bytes == 8;
  const bool real = v.bytes == 4 || v.bytes == 8, complex = v.bytes == 8 || v.bytes == 16;
  const bool known = kinds.find(v.kind) != std::string_view::npos && (v.kind == 'f'   ? real
                                                                      : v.kind == 'c' ? complex
                                                                      : v.kind == 'b' ? v.bytes == 1
                                                                                      : whole);
  require<IoError>(known, "member '{}': the elements are of type {}, expected numbers of kind {}", name,
                   in_quotes(open.array.descr), kinds);
  return v;
}

bool is_by_columns(const File& file, const std::vector<ZipMember>& members) {
  const ZipMember& m = member_called(members, "format.npy");
  const OpenArray open = open_array(file, m);
  const Index width = open.vector.kind == 'U' ? 4 * open.vector.bytes : open.vector.bytes;
  require<IoError>(open.vector.count == 1 && width <= 64 && width <= m.bytes - open.vector.header,
                   "member 'format.npy' is not a word of at most 16 letters");
  std::vector<std::byte> bytes(static_cast<std::size_t>(width));
  MemberBytes member(file, open.vector.begin, open.vector.packed_bytes, open.vector.packed);
  member.skip(open.vector.header);
  member.read(bytes);
  std::string word;
  for (const std::byte b : bytes)
    if (b != std::byte{0}) word += static_cast<char>(b);
  require<IoError>(word == "csr" || word == "csc", "the format is {}, expected csr or csc", in_quotes(word));
  return word == "csc";
}

void check_header(const NpzHeader& h) {
  require<IoError>(h.rows >= 0 && h.columns >= 0, "the shape is {} x {}, expected 0 or more", h.rows,
                   h.columns);
  require<IoError>(h.starts.count - 1 == h.lines(),
                   "indptr has {} elements, expected {} for a {} x {} matrix", h.starts.count, h.lines() + 1,
                   h.rows, h.columns);
  require<IoError>(h.indices.count == h.values.count, "indices has {} elements and data {}, expected as many",
                   h.indices.count, h.values.count);
}

}  // namespace

ScalarType NpzHeader::type() const {
  if (values.kind == 'c') return values.bytes == 8 ? ScalarType::c32 : ScalarType::c64;
  return values.kind == 'f' && values.bytes == 4 ? ScalarType::f32 : ScalarType::f64;
}

NpzHeader read_npz_header(const File& file) {
  const std::vector<ZipMember> members = members_of(file);
  NpzHeader h;
  h.by_columns = is_by_columns(file, members);
  const NpzVector shape = open_vector(file, members, "shape.npy", "iu");
  require<IoError>(shape.count == 2, "the shape has {} numbers, expected 2", shape.count);
  std::vector<Index> sides;
  for_each_number(file, shape, 0, 2, [&](const std::byte* at) { sides.push_back(whole_number(shape, at)); });
  h.rows = sides[0];
  h.columns = sides[1];
  h.starts = open_vector(file, members, "indptr.npy", "iu");
  h.indices = open_vector(file, members, "indices.npy", "iu");
  h.values = open_vector(file, members, "data.npy", "fciub");
  h.entries = h.indices.count;
  check_header(h);
  return h;
}

namespace {

// The line of each of the entries first .. first+n-1, to f(entry, line).
template <class F>
void for_each_line(const File& file, const NpzHeader& h, Index first, Index n, F&& f) {
  Index line = -1, before = 0;
  for_each_number(file, h.starts, 0, h.starts.count, [&](const std::byte* at) {
    const Index start = whole_number(h.starts, at);
    const bool good = line < 0 ? start == 0 : start >= before && start <= h.entries;
    require<IoError>(good, "indptr: element {} is {}, expected {} to {}", line + 1, start, before,
                     line < 0 ? 0 : h.entries);
    for (Index p = std::max(before, first); p < std::min(start, first + n); ++p) f(p - first, line);
    before = start;
    ++line;
  });
  require<IoError>(before == h.entries, "indptr ends with {}, expected the {} entries", before, h.entries);
}

}  // namespace

template <Scalar T>
std::vector<Triple<T>> read_npz_part(const File& file, const NpzHeader& h, Index first, Index n) {
  std::vector<Triple<T>> triples(static_cast<std::size_t>(n));
  std::size_t at = 0;
  for_each_number(file, h.indices, first, n, [&](const std::byte* number) {
    const Index place = whole_number(h.indices, number);
    require<IoError>(place >= 0 && place < h.places(), "indices: element {} is {}, expected 0 to {}",
                     first + static_cast<Index>(at), place, h.places() - 1);
    triples[at++].column = place;
  });
  at = 0;
  for_each_number(file, h.values, first, n,
                  [&](const std::byte* number) { triples[at++].value = value_at<T>(h.values, number); });
  for_each_line(file, h, first, n,
                [&](Index entry, Index line) { triples[static_cast<std::size_t>(entry)].row = line; });
  if (h.by_columns)
    for (Triple<T>& t : triples) std::swap(t.row, t.column);
  return triples;
}

#define CAIRN_INSTANTIATE(T) \
  template std::vector<Triple<T>> read_npz_part(const File&, const NpzHeader&, Index, Index);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::io
