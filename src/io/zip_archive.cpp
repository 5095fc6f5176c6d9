#include "io/zip_archive.hpp"

#include <algorithm>
#include <limits>

#include "io/format.hpp"

namespace cairn::io {
namespace {

constexpr std::uint32_t local_mark = 0x04034b50, entry_mark = 0x02014b50, end_mark = 0x06054b50,
                        end64_mark = 0x06064b50, locator_mark = 0x07064b50;
constexpr std::uint64_t in_extra = 0xffffffff;  // a 32-bit size that stands in the extra field instead
constexpr Index end_bytes = 22, locator_bytes = 20, end64_bytes = 56, entry_bytes = 46;

// Little-endian numbers of a stretch of the archive that begins at byte `first`.
class Numbers {
 public:
  Numbers(std::span<const std::byte> bytes, Index first) : bytes_(bytes), first_(first) {}

  bool has(Index at, Index count) const { return at >= 0 && count <= size() && at <= size() - count; }
  std::uint64_t get(Index at, int count) const {
    require<IoError>(has(at, count), "byte {}: the archive ends inside its directory", first_ + at);
    std::uint64_t value = 0;
    for (int k = count - 1; k >= 0; --k)
      value = value << 8 | std::to_integer<std::uint64_t>(bytes_[static_cast<std::size_t>(at + k)]);
    return value;
  }
  Index size_at(Index at, int count, std::string_view what) const {
    const std::uint64_t value = get(at, count);
    require<IoError>(value <= static_cast<std::uint64_t>(INT64_MAX), "byte {}: {} is {}, which is too large",
                     first_ + at, what, value);
    return static_cast<Index>(value);
  }
  std::string text(Index at, Index count) const {
    require<IoError>(has(at, count), "byte {}: the archive ends inside its directory", first_ + at);
    return {reinterpret_cast<const char*>(bytes_.data()) + at, static_cast<std::size_t>(count)};
  }
  Index size() const { return static_cast<Index>(bytes_.size()); }
  Index byte(Index at) const { return first_ + at; }

 private:
  std::span<const std::byte> bytes_;
  Index first_;
};

Index find_end(const Numbers& tail) {
  for (Index at = tail.size() - end_bytes; at >= 0; --at)
    if (tail.get(at, 4) == end_mark) return at;
  fail<IoError>("byte {}: the archive has no directory, expected a .npz (zip) file", tail.byte(0));
}

// Sizes that do not fit 32 bits stand in field 1 of the extra fields, in this order.
void read_extra(const Numbers& n, Index at, Index bytes, ZipMember& m, bool offset_too) {
  for (const Index end = at + bytes; at + 4 <= end;) {
    const Index length = n.size_at(at + 2, 2, "length of a field");
    if (n.get(at, 2) == 1) {
      Index next = at + 4;
      const auto take = [&](Index& size, bool wanted) {
        if (!wanted) return;
        require<IoError>(next + 8 <= at + 4 + length, "byte {}: a size of 64 bits is missing", n.byte(next));
        size = n.size_at(next, 8, "a size");
        next += 8;
      };
      take(m.bytes, m.bytes == static_cast<Index>(in_extra));
      take(m.packed_bytes, m.packed_bytes == static_cast<Index>(in_extra));
      take(m.local_offset, offset_too && m.local_offset == static_cast<Index>(in_extra));
      return;
    }
    at += 4 + length;
  }
}

void check_member(const ZipMember& m, Index method, Index flags, Index archive_bytes) {
  const std::string name = in_quotes(m.name);
  require<IoError>((flags & 1) == 0, "member {} is encrypted", name);
  require<IoError>(method == 0 || method == 8, "member {} is packed by method {}, expected 0 or 8", name,
                   method);
  require<IoError>(m.local_offset <= archive_bytes && m.packed_bytes <= archive_bytes - m.local_offset,
                   "member {} has {} bytes from byte {} on, expected at most the {} of the archive", name,
                   m.packed_bytes, m.local_offset, archive_bytes);
  // deflate makes at most 1032 bytes of one
  const bool fits = m.packed ? m.bytes / 1032 <= m.packed_bytes : m.bytes == m.packed_bytes;
  require<IoError>(fits, "member {} of {} bytes claims to be {} bytes unpacked, which is impossible", name,
                   m.packed_bytes, m.bytes);
}

void append_number(std::string& to, std::uint64_t value, int bytes) {
  for (int k = 0; k < bytes; ++k) to += static_cast<char>(value >> (8 * k) & 255);
}

// What a local header and an entry of the directory have in common, from the version on.
void append_common(std::string& to, const ZipMember& m) {
  append_number(to, 45, 2);  // the version that knows 64-bit sizes
  append_number(to, 0, 2);
  append_number(to, 0, 2);       // stored
  append_number(to, 0, 2);       // time
  append_number(to, 0x0021, 2);  // 1 January 1980
  append_number(to, m.crc, 4);
  append_number(to, in_extra, 4);
  append_number(to, in_extra, 4);
  append_number(to, m.name.size(), 2);
}

}  // namespace

ZipDirectory find_zip_directory(std::span<const std::byte> tail, Index archive_bytes) {
  const Index first = archive_bytes - static_cast<Index>(tail.size());
  const Numbers n(tail, first);
  const Index end = find_end(n);
  ZipDirectory d{n.size_at(end + 16, 4, "offset"), n.size_at(end + 12, 4, "size"),
                 n.size_at(end + 10, 2, "count")};
  const Index locator = end - locator_bytes;
  if (n.has(locator, 4) && n.get(locator, 4) == locator_mark) {
    const Index at = n.size_at(locator + 8, 8, "place of the end") - first;
    require<IoError>(n.has(at, end64_bytes) && n.get(at, 4) == end64_mark,
                     "byte {}: this is not the end of a large archive", n.byte(locator));
    d = {n.size_at(at + 48, 8, "offset"), n.size_at(at + 40, 8, "size"), n.size_at(at + 32, 8, "count")};
  }
  require<IoError>(
      d.offset <= archive_bytes && d.bytes <= archive_bytes - d.offset,
      "byte {}: the directory has {} bytes from byte {} on, expected at most the {} of the archive",
      n.byte(end), d.bytes, d.offset, archive_bytes);
  return d;
}

std::vector<ZipMember> parse_zip_directory(std::span<const std::byte> bytes, const ZipDirectory& place,
                                           Index archive_bytes) {
  const Numbers n(bytes, place.offset);
  std::vector<ZipMember> members;
  Index at = 0;
  for (Index k = 0; k < place.members; ++k) {
    require<IoError>(n.get(at, 4) == entry_mark, "byte {}: expected an entry of the directory", n.byte(at));
    const Index name = n.size_at(at + 28, 2, "length"), extra = n.size_at(at + 30, 2, "length"),
                comment = n.size_at(at + 32, 2, "length");
    ZipMember m;
    m.name = n.text(at + entry_bytes, name);
    m.packed = n.get(at + 10, 2) == 8;
    m.crc = static_cast<std::uint32_t>(n.get(at + 16, 4));
    m.packed_bytes = n.size_at(at + 20, 4, "size");
    m.bytes = n.size_at(at + 24, 4, "size");
    m.local_offset = n.size_at(at + 42, 4, "offset");
    read_extra(n, at + entry_bytes + name, extra, m, true);
    check_member(m, n.size_at(at + 10, 2, "method"), n.size_at(at + 8, 2, "flags"), archive_bytes);
    members.push_back(std::move(m));
    at += entry_bytes + name + extra + comment;
  }
  return members;
}

Index zip_local_header_bytes(std::span<const std::byte> local, const ZipMember& member) {
  const Numbers n(local, member.local_offset);
  require<IoError>(n.get(0, 4) == local_mark, "byte {}: expected the header of member {}", n.byte(0),
                   in_quotes(member.name));
  return zip_local_bytes + n.size_at(26, 2, "length") + n.size_at(28, 2, "length");
}

std::string make_zip_local_header(const ZipMember& member) {
  std::string h;
  append_number(h, local_mark, 4);
  append_common(h, member);
  append_number(h, 20, 2);  // of the extra field
  h += member.name;
  append_number(h, 1, 2);
  append_number(h, 16, 2);
  append_number(h, static_cast<std::uint64_t>(member.bytes), 8);
  append_number(h, static_cast<std::uint64_t>(member.packed_bytes), 8);
  return h;
}

std::string make_zip_directory(std::span<const ZipMember> members, Index offset) {
  std::string d;
  for (const ZipMember& m : members) {
    append_number(d, entry_mark, 4);
    append_number(d, 45, 2);
    append_common(d, m);
    append_number(d, 28, 2);  // of the extra field
    append_number(d, 0, 2);   // no comment
    append_number(d, 0, 2);   // disk
    append_number(d, 0, 2);
    append_number(d, 0, 4);
    append_number(d, in_extra, 4);
    d += m.name;
    append_number(d, 1, 2);
    append_number(d, 24, 2);
    for (const Index size : {m.bytes, m.packed_bytes, m.local_offset})
      append_number(d, static_cast<std::uint64_t>(size), 8);
  }
  const auto bytes = static_cast<std::uint64_t>(d.size()), begin = static_cast<std::uint64_t>(offset);
  append_number(d, end64_mark, 4);
  append_number(d, end64_bytes - 12, 8);
  append_number(d, 45, 2);
  append_number(d, 45, 2);
  append_number(d, 0, 8);  // disks
  append_number(d, members.size(), 8);
  append_number(d, members.size(), 8);
  append_number(d, bytes, 8);
  append_number(d, begin, 8);
  append_number(d, locator_mark, 4);
  append_number(d, 0, 4);
  append_number(d, begin + bytes, 8);
  append_number(d, 1, 4);
  append_number(d, end_mark, 4);
  append_number(d, 0, 4);  // disks
  append_number(d, members.size(), 2);
  append_number(d, members.size(), 2);
  append_number(d, in_extra, 4);
  append_number(d, in_extra, 4);
  append_number(d, 0, 2);
  return d;
}

}  // namespace cairn::io
