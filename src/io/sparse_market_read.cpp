#include <algorithm>
#include <array>
#include <deque>

#include "comm/collectives.hpp"
#include "comm/partition.hpp"
#include "io/inflate.hpp"
#include "io/sparse_market_file.hpp"
#include "io/together.hpp"

namespace cairn::io {
namespace {

constexpr Index market_piece = Index{1} << 20;

// What one rank found.
template <Scalar T>
struct Part {
  explicit Part(const SparseMarketHeader& header) : parser(header) {}

  EntryParser<T> parser;
  std::vector<Triple<T>> triples;
  Index lines = 0;  // that end in its part of the text
  std::optional<LineError> error;

  // False: nothing more is needed. first_line is added to the line of an error.
  bool feed(LineReader& reader, std::string_view piece, bool at_end, Index first_line) {
    try {
      return reader.feed(piece, at_end, [&](std::string_view line) { parser.parse(line, triples); });
    } catch (LineError& e) {
      e.line = first_line + reader.lines();
      error = e;
      return false;
    }
  }
};

template <Scalar T>
void read_stretch(comm::CommView comm, const File& file, const SparseMarketHeader& header, Part<T>& part) {
  const Index file_bytes = file.size();
  const auto cut =
      comm::Partition::balanced(comm.size(), std::max<Index>(0, file_bytes - header.data_offset));
  const Index begin = header.data_offset + cut.offset(comm.rank()), bytes = cut.count(comm.rank());
  char before = '\n';
  if (begin > header.data_offset) file.read_at(begin - 1, std::as_writable_bytes(std::span(&before, 1)));
  LineReader reader(before == '\n', bytes);
  std::vector<char> buffer;
  for (Index at = begin; bytes > 0;) {
    const Index wanted = at < begin + bytes ? std::min(market_piece, begin + bytes - at) : 512;
    buffer.resize(static_cast<std::size_t>(std::min(wanted, file_bytes - at)));
    file.read_at(at, std::as_writable_bytes(std::span(buffer)));
    at += static_cast<Index>(buffer.size());
    if (!part.feed(reader, {buffer.data(), buffer.size()}, at == file_bytes, 0) || at == file_bytes) break;
  }
  part.lines = reader.lines();
}

// Passes over the first bytes of what is unpacked.
void skip(Inflater& from, Index bytes, std::vector<char>& buffer) {
  while (bytes > 0) {
    const auto count = static_cast<std::size_t>(std::min(bytes, static_cast<Index>(buffer.size())));
    require<IoError>(from.read(std::span(buffer).first(count)) == count, "it changed while it was read");
    bytes -= static_cast<Index>(count);
  }
}

// Every p-th piece is this rank's; a line that goes on beyond it needs the next one as well.
template <Scalar T>
void read_pieces(comm::CommView comm, const File& file, const SparseMarketHeader& header, Part<T>& part) {
  struct Open {
    LineReader reader;
    Index first_line;
  };
  Inflater inflater(file, 0, file.size(), Packing::gzip);
  std::vector<char> buffer(static_cast<std::size_t>(market_piece));
  skip(inflater, header.data_offset, buffer);
  std::deque<Open> open;
  Index lines = 0;
  bool at_line_start = true;
  for (Index number = 0;; ++number) {
    const std::size_t count = inflater.read(buffer);
    const std::string_view piece(buffer.data(), count);
    const bool at_end = count < buffer.size();
    if (number % comm.size() == comm.rank()) open.push_back({LineReader(at_line_start, market_piece), lines});
    std::erase_if(open, [&](Open& o) { return !part.feed(o.reader, piece, at_end, o.first_line); });
    if (part.error || at_end) break;
    lines += std::count(piece.begin(), piece.end(), '\n');
    at_line_start = piece.back() == '\n';
  }
}

// Collective. Errors of any rank, and whether all entries are there. `lines_add_up`: the lines of an error are
// counted from the beginning of the rank's stretch.
template <Scalar T>
void check_parts(comm::CommView comm, const std::string& operation, const SparseMarketHeader& header,
                 const Part<T>& part, bool lines_add_up) {
  const std::array<Index, 2> mine{part.lines, part.parser.entries()};
  std::vector<Index> all(2 * static_cast<std::size_t>(comm.size()));
  comm::allgather(comm.unchecked(), std::span<const Index>(mine), std::span(all));
  Index lines = header.data_line, entries = 0;
  for (std::size_t r = 0; r < static_cast<std::size_t>(comm.size()); ++r) {
    if (lines_add_up && std::cmp_less(r, comm.rank())) lines += all[2 * r];
    entries += all[2 * r + 1];
  }
  together(comm, operation, [&] {
    if (part.error)
      fail<IoError>("line {}, column {}: {}", lines + part.error->line, part.error->column, part.error->what);
  });
  require<IoError>(entries == header.entries, "{}: the file has {} entries, expected {} as line {} says",
                   operation, entries, header.entries, header.data_line - 1);
}

}  // namespace

SparseMarketHeader read_sparse_market_head(const File& file, bool packed) {
  const Index bytes = file.size();
  // deflate makes at most 1032 bytes of one
  const Index text_bytes = packed ? checked_mul(bytes, 1032, "bytes of the text") : bytes;
  for (Index length = 4096;; length *= 8) {
    std::string head(static_cast<std::size_t>(std::min(length, text_bytes)), '\0');
    if (packed)
      head.resize(Inflater(file, 0, bytes, Packing::gzip).read(head));
    else
      file.read_at(0, std::as_writable_bytes(std::span(head)));
    const bool whole = std::cmp_less(head.size(), length) || std::cmp_greater_equal(head.size(), text_bytes);
    if (const auto header = parse_sparse_market_header(head, whole, text_bytes)) return *header;
    require<IoError>(length < longest_matrix_market_head, "the header is longer than {} bytes",
                     longest_matrix_market_head);
  }
}

template <Scalar T>
std::vector<Triple<T>> read_sparse_market(comm::CommView comm, const std::string& operation, const File& file,
                                          const SparseMarketHeader& header, bool packed) {
  Part<T> part(header);
  together(comm, operation, [&] {
    if (packed)
      read_pieces(comm, file, header, part);
    else
      read_stretch(comm, file, header, part);
  });
  check_parts(comm, operation, header, part, !packed);
  return std::move(part.triples);
}

#define CAIRN_INSTANTIATE(T)                                                                          \
  template std::vector<Triple<T>> read_sparse_market(comm::CommView, const std::string&, const File&, \
                                                     const SparseMarketHeader&, bool);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::io
