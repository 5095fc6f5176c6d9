// libFuzzer target: any bytes give a matrix that lies within the file, or an error that names a place.
#include <algorithm>
#include <cstdlib>

#include "cairn/error.hpp"
#include "io/format.hpp"
#include "io/npy_header.hpp"

namespace cairn::io {
namespace {

void must(bool condition) {
  if (!condition) std::abort();
}

// What was understood is written again, and understood the same.
void write_again(StoredMatrix m) {
  const std::string header = make_npy_header(m);
  m.offset = static_cast<Index>(header.size());
  must(parse_npy_header(std::as_bytes(std::span(header)), INT64_MAX) == m);
}

void run(std::span<const std::byte> bytes, Index file_bytes) {
  try {
    const Index head =
        npy_header_bytes(bytes.first(std::min<std::size_t>(bytes.size(), npy_prefix_bytes)), file_bytes);
    must(head >= 10 && head <= file_bytes);
    const StoredMatrix m = parse_npy_header(bytes, file_bytes);
    must(m.rows >= 0 && m.columns >= 0 && m.offset == head && end_of(m) <= file_bytes);
    if (end_of(m) < INT64_MAX - 4096) write_again(m);
  } catch (const IoError& error) {
    must(std::string_view(error.what()).size() > 10 && std::string_view(error.what()).size() < 400);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  run(bytes, static_cast<Index>(size));
  run(bytes, Index{1} << 50);  // the rest of a long file
  try {
    format_by_magic(bytes);
  } catch (const IoError&) {
  }
  return 0;
}

}  // namespace cairn::io
