#include <array>
#include <utility>

#include "comm/collectives.hpp"
#include "io/files.hpp"
#include "io/hdf5.hpp"
#include "io/npy_header.hpp"
#include "io/together.hpp"

namespace cairn::io {
namespace {

std::vector<std::byte> first_bytes(const File& file, Index file_bytes, Index wanted) {
  std::vector<std::byte> head(static_cast<std::size_t>(std::min(file_bytes, wanted)));
  file.read_at(0, head);
  return head;
}

// An HDF5 file may have a block of the user's in front: its mark then stands at byte 512, 1024, 2048 ...
bool has_late_hdf5_mark(const File& file, Index file_bytes) {
  std::array<std::byte, 8> mark{};
  for (Index at = 512; at <= file_bytes - 8; at *= 2) {
    file.read_at(at, mark);
    if (format_by_magic(mark) == Format::hdf5) return true;
  }
  return false;
}

Format find_format(const File& file, Index file_bytes, const std::string& path, const ReadOptions& options) {
  if (options.format) return *options.format;
  if (options.raw) return Format::raw;
  const std::optional<Format> by_name = format_by_extension(path);
  if (by_name == Format::raw) return Format::raw;
  if (const auto by_magic = format_by_magic(first_bytes(file, file_bytes, 16))) return *by_magic;
  if (by_name == Format::hdf5 && has_late_hdf5_mark(file, file_bytes)) return Format::hdf5;
  require<IoError>(
      by_name.has_value(),
      "byte 0: found {}, expected .npy, Matrix Market or HDF5; a raw file needs its rows, columns "
      "and type",
      in_quotes({reinterpret_cast<const char*>(first_bytes(file, file_bytes, 8).data()),
                 static_cast<std::size_t>(std::min<Index>(8, file_bytes))}));
  return *by_name;  // its parser says what is missing
}

StoredMatrix probe_npy(const File& file, Index file_bytes) {
  const Index bytes = npy_header_bytes(first_bytes(file, file_bytes, npy_prefix_bytes), file_bytes);
  return parse_npy_header(first_bytes(file, file_bytes, bytes), file_bytes);
}

MatrixMarketHeader probe_matrix_market(const File& file, Index file_bytes) {
  for (Index bytes = 4096; bytes <= longest_matrix_market_head; bytes *= 8) {
    const std::vector<std::byte> head = first_bytes(file, file_bytes, bytes);
    const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
    if (const auto header = parse_matrix_market_header(text, file_bytes)) return *header;
  }
  fail<IoError>("byte {}: still no line with the sizes after that many bytes of comments",
                longest_matrix_market_head);
}

// Nothing but the length tells whether a raw file is what the caller believes.
void check_raw(const std::optional<StoredMatrix>& raw, Index file_bytes) {
  require(raw.has_value(), "a raw file does not describe itself: give its rows, columns, type and order");
  check_fits(*raw, file_bytes);
  require<IoError>(
      end_of(*raw) == file_bytes,
      "byte {}: {} x {} of {} from byte {} on end here, expected the end of the file, which is at {}",
      end_of(*raw), raw->rows, raw->columns, name(raw->type), raw->offset, file_bytes);
}

void probe_head(const File& file, const std::string& path, const ReadOptions& options, MatrixInfo& info) {
  switch (info.format) {
    case Format::npy:
      info.matrix = probe_npy(file, info.file_bytes);
      break;
    case Format::raw:
      check_raw(options.raw, info.file_bytes);
      info.matrix = *options.raw;
      break;
    case Format::matrix_market:
      info.market = probe_matrix_market(file, info.file_bytes);
      info.matrix = {.rows = info.market.rows, .columns = info.market.columns, .type = info.market.type()};
      info.is_plain = false;
      break;
    case Format::hdf5: {
      const Hdf5Dataset dataset = probe_hdf5(path, options.dataset);
      std::tie(info.matrix, info.is_plain, info.dataset) =
          std::tie(dataset.matrix, dataset.is_plain, dataset.name);
      if (info.is_plain) check_fits(info.matrix, info.file_bytes);
    }
  }
}

Index fingerprint(const ReadOptions& o) {
  const StoredMatrix raw = o.raw.value_or(StoredMatrix{});
  const std::array<Index, 9> values{o.format ? static_cast<Index>(*o.format) : -1,
                                    o.raw ? 1 : 0,
                                    raw.rows,
                                    raw.columns,
                                    static_cast<Index>(raw.type),
                                    static_cast<Index>(raw.order),
                                    static_cast<Index>(raw.byte_order),
                                    raw.offset,
                                    comm::fingerprint(o.dataset)};
  return comm::fingerprint(values);
}

std::vector<comm::Argument> arguments_of(const ReadOptions& o) {
  const StoredMatrix raw = o.raw.value_or(StoredMatrix{});
  return {{"format", o.format ? std::to_string(static_cast<int>(*o.format)) : "not given"},
          {"raw", o.raw ? "given" : "not given"},
          {"rows of raw", std::to_string(raw.rows)},
          {"columns of raw", std::to_string(raw.columns)},
          {"type of raw", std::string(name(raw.type))},
          {"order of raw", raw.order == Order::row_major ? "row-major" : "column-major"},
          {"byte order of raw", raw.byte_order == ByteOrder::little ? "little" : "big"},
          {"offset of raw", std::to_string(raw.offset)},
          {"dataset", fmt::format("'{}'", o.dataset)}};
}

}  // namespace

MatrixInfo probe(comm::CommView comm, const std::string& path, const ReadOptions& options) {
  agree_on_name(comm, "read a file", path);
  MatrixInfo info;
  together(comm, fmt::format("read '{}'", path),
           [&] {
             if (comm.rank() != 0) return;
             const File file = File::open_to_read(path);
             info.file_bytes = file.size();
             info.format = find_format(file, info.file_bytes, path, options);
             probe_head(file, path, options, info);
           },
           {{"options", fingerprint(options), [&] { return arguments_of(options); }}});
  FileFacts& facts = info;
  comm::broadcast(comm.unchecked(), std::span(&facts, 1), 0);
  info.dataset = broadcast_text(comm, info.dataset);
  return info;
}

}  // namespace cairn::io
