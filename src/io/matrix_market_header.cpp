#include "io/matrix_market_header.hpp"

#include "io/matrix_market_words.hpp"

namespace cairn::io {
namespace {

MatrixMarketHeader parse_banner(std::string_view line) {
  const std::vector<std::string_view> words = words_of(line, 5);
  require<IoError>(!words.empty() && lower_case(words[0]) == "%%matrixmarket",
                   "line 1: found {}, expected %%MatrixMarket", in_quotes(line));
  require<IoError>(words.size() == 5,
                   "line 1: found {}, expected five words: %%MatrixMarket matrix array FIELD SYMMETRY",
                   in_quotes(line));
  require<IoError>(lower_case(words[1]) == "matrix", "line 1: found {}, expected matrix",
                   in_quotes(words[1]));
  require<IoError>(lower_case(words[2]) != "coordinate",
                   "line 1: 'coordinate' is a sparse matrix, expected 'array', a dense one");
  require<IoError>(lower_case(words[2]) == "array", "line 1: found {}, expected array", in_quotes(words[2]));
  require<IoError>(lower_case(words[3]) != "pattern",
                   "line 1: a 'pattern' has no values, expected real, complex or "
                   "integer");
  MatrixMarketHeader h;
  h.field = choose_word<Field>(words[3], std::array<std::string_view, 3>{"real", "complex", "integer"},
                               "real, complex or integer");
  h.symmetry =
      choose_word<Symmetry>(words[4], symmetry_words, "general, symmetric, skew-symmetric or hermitian");
  require<IoError>(h.symmetry != Symmetry::hermitian || h.field == Field::complex,
                   "line 1: a hermitian matrix of {} numbers, expected complex", words[3]);
  return h;
}

void parse_sizes(std::string_view line, Index number, MatrixMarketHeader& h) {
  const std::vector<std::string_view> words = words_of(line, 2);
  require<IoError>(words.size() == 2, "line {}: found {}, expected two sizes: rows and columns", number,
                   in_quotes(line));
  h.rows = parse_size(words[0], number);
  h.columns = parse_size(words[1], number);
  require<IoError>(h.symmetry == Symmetry::general || h.rows == h.columns,
                   "line {}: the matrix is {} x {}, expected as many rows as columns where half is stored",
                   number, h.rows, h.columns);
}

// Every number takes a digit and a space, the last no space.
void check_room(const MatrixMarketHeader& h, Index line, Index file_bytes) {
  const Index left = file_bytes - h.data_offset;
  const Index most = (left + 1) / 2 / h.numbers_an_entry();
  Index all = 0;
  const bool fits = !__builtin_mul_overflow(h.rows, h.columns, &all) && h.entries() <= most;
  require<IoError>(fits,
                   "line {}: the matrix is {} x {}, expected at most {} elements in the {} bytes that follow",
                   line, h.rows, h.columns, most, left);
}

}  // namespace

Index MatrixMarketHeader::entries_before(Index column) const {
  if (symmetry == Symmetry::general) return rows * column;
  // Column j has n-j, or without the diagonal n-j-1. One of two factors is even.
  const Index full = rows - (symmetry == Symmetry::skew ? 1 : 0), twice = 2 * full - column + 1;
  return column % 2 == 0 ? column / 2 * twice : twice / 2 * column;
}

Index MatrixMarketHeader::entries() const { return entries_before(columns); }

std::optional<MatrixMarketHeader> parse_matrix_market_header(std::string_view head, Index file_bytes) {
  const bool whole = std::cmp_greater_equal(head.size(), file_bytes);
  std::optional<MatrixMarketHeader> h;
  Index number = 1;
  for (std::size_t at = 0;; ++number) {
    const std::size_t end = head.find('\n', at);
    if (end == std::string_view::npos && !whole) return {};
    const std::string_view line = head.substr(at, end == std::string_view::npos ? end : end - at);
    at = end == std::string_view::npos ? head.size() : end + 1;
    if (!h) {
      h = parse_banner(line);
    } else if (!line.starts_with('%') && !words_of(line, 1).empty()) {
      parse_sizes(line, number, *h);
      h->data_offset = static_cast<Index>(at);
      h->data_line = number + 1;
      check_room(*h, number, file_bytes);
      return h;
    }
    require<IoError>(at < head.size() || !whole,
                     "line {}: the file ends here, expected a line with the sizes", number);
  }
}

std::string make_matrix_market_header(Index rows, Index columns, bool is_complex) {
  return fmt::format("%%MatrixMarket matrix array {} general\n{} {}\n", is_complex ? "complex" : "real", rows,
                     columns);
}

}  // namespace cairn::io
