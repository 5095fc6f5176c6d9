// The directory of a zip archive, and one of its own: as much as .npz files need. Pure functions of bytes.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/size.hpp"

namespace cairn::io {

struct ZipMember {
  std::string name;
  bool packed = false;     // by deflate; otherwise stored as it is
  Index packed_bytes = 0;  // in the archive
  Index bytes = 0;         // unpacked
  Index local_offset = 0;  // of its local header
  std::uint32_t crc = 0;
};

// Where the directory is.
struct ZipDirectory {
  Index offset = 0;
  Index bytes = 0;
  Index members = 0;
};

inline constexpr Index zip_tail_bytes = 65536 + 22 + 20 + 56;  // the longest end of an archive
inline constexpr Index zip_local_bytes = 30;                   // of a local header without its name

// From the last bytes of the archive. If it is a large archive (zip64) whose record is not among them, throws.
// Throws IoError that names the byte; also where the directory is not within the archive.
ZipDirectory find_zip_directory(std::span<const std::byte> tail, Index archive_bytes);

// Throws IoError also for members that are encrypted, packed in other ways, or larger than the archive could
// hold.
std::vector<ZipMember> parse_zip_directory(std::span<const std::byte> bytes, const ZipDirectory& place,
                                           Index archive_bytes);

// Bytes from a member's local header to its data; `local` has zip_local_bytes.
Index zip_local_header_bytes(std::span<const std::byte> local, const ZipMember& member);

// With 64-bit sizes throughout.
std::string make_zip_local_header(const ZipMember& member);
std::string make_zip_directory(std::span<const ZipMember> members, Index offset);

}  // namespace cairn::io
