#include "io/sparse_market.hpp"

#include <charconv>

#include "io/matrix_market_words.hpp"
#include "io/number_text.hpp"

namespace cairn::io {
namespace {

SparseMarketHeader parse_sparse_banner(std::string_view line) {
  const std::vector<std::string_view> words = words_of(line, 5);
  require<IoError>(!words.empty() && lower_case(words[0]) == "%%matrixmarket",
                   "line 1: found {}, expected %%MatrixMarket", in_quotes(line));
  require<IoError>(words.size() == 5,
                   "line 1: found {}, expected five words: %%MatrixMarket matrix coordinate FIELD SYMMETRY",
                   in_quotes(line));
  require<IoError>(lower_case(words[1]) == "matrix", "line 1: found {}, expected matrix",
                   in_quotes(words[1]));
  require<IoError>(lower_case(words[2]) != "array",
                   "line 1: 'array' is a dense matrix, expected 'coordinate', a sparse one");
  require<IoError>(lower_case(words[2]) == "coordinate", "line 1: found {}, expected coordinate",
                   in_quotes(words[2]));
  SparseMarketHeader h;
  h.field = choose_word<SparseField>(words[3],
                                     std::array<std::string_view, 4>{"real", "complex", "integer", "pattern"},
                                     "real, complex, integer or pattern");
  h.symmetry =
      choose_word<Symmetry>(words[4], symmetry_words, "general, symmetric, skew-symmetric or hermitian");
  require<IoError>(h.symmetry != Symmetry::hermitian || h.field == SparseField::complex,
                   "line 1: a hermitian matrix of {} numbers, expected complex", words[3]);
  require<IoError>(h.symmetry != Symmetry::skew || h.field != SparseField::pattern,
                   "line 1: a skew-symmetric pattern, expected general or symmetric");
  return h;
}

// The shortest line of an entry is "1 1" or "1 1 1" and its end.
Index shortest_line(SparseField field) {
  return field == SparseField::pattern ? 4 : field == SparseField::complex ? 8 : 6;
}

void parse_sparse_sizes(std::string_view line, Index number, Index text_bytes, SparseMarketHeader& h) {
  const std::vector<std::string_view> words = words_of(line, 3);
  require<IoError>(words.size() == 3, "line {}: found {}, expected three sizes: rows, columns and entries",
                   number, in_quotes(line));
  h.rows = parse_size(words[0], number);
  h.columns = parse_size(words[1], number);
  h.entries = parse_size(words[2], number);
  require<IoError>(h.symmetry == Symmetry::general || h.rows == h.columns,
                   "line {}: the matrix is {} x {}, expected as many rows as columns where half is stored",
                   number, h.rows, h.columns);
  const Index left = text_bytes - h.data_offset, most = (left + 1) / shortest_line(h.field);
  require<IoError>(h.entries <= most, "line {}: {} entries, expected at most {} in the {} bytes that follow",
                   number, h.entries, most, left);
}

// Words of a line, with the columns where they stand.
class LineWords {
 public:
  explicit LineWords(std::string_view line) : line_(line) {}

  Index column() const { return static_cast<Index>(begin_) + 1; }
  std::string_view next() {
    begin_ = end_;
    while (begin_ < line_.size() && is_space(line_[begin_])) ++begin_;
    end_ = begin_;
    while (end_ < line_.size() && !is_space(line_[end_])) ++end_;
    return line_.substr(begin_, end_ - begin_);
  }
  [[noreturn]] void complain(std::string_view word, std::string_view expected) const {
    throw LineError{0, column(),
                    word.empty() ? fmt::format("the line ends here, expected {}", expected)
                                 : fmt::format("found {}, expected {}", in_quotes(word), expected)};
  }
  // A place of 1 to size, counted from 0 then.
  Index place(Index size, std::string_view name) {
    const std::string_view word = next();
    Index value = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    const bool good =
        error == std::errc() && stop == word.data() + word.size() && value >= 1 && value <= size;
    if (!good) complain(word, fmt::format("a {} from 1 to {}", name, size));
    return value - 1;
  }
  template <class R>
  R number(bool whole) {
    const Token token{next(), 0, 0};
    if (token.text.empty()) complain(token.text, "a number");
    try {
      if (whole) require_whole(token);
      return parse_real<R>(token);
    } catch (const IoError& e) {  // "line 0: found ..."
      const std::string_view what = e.what();
      throw LineError{0, column(), std::string(what.substr(std::min(what.size(), what.find(": ") + 2)))};
    }
  }

 private:
  std::string_view line_;
  std::size_t begin_ = 0, end_ = 0;
};

template <Scalar T>
T parse_value(LineWords& words, SparseField field) {
  using R = Real<T>;
  if (field == SparseField::pattern) return T(1);
  const R real = words.number<R>(field == SparseField::integer);
  if constexpr (ScalarTraits<T>::is_complex)
    return T(real, field == SparseField::complex ? words.number<R>(false) : R(0));
  else
    return real;
}

}  // namespace

std::optional<SparseMarketHeader> parse_sparse_market_header(std::string_view head, bool whole,
                                                             Index text_bytes) {
  std::optional<SparseMarketHeader> h;
  Index number = 1;
  for (std::size_t at = 0;; ++number) {
    const std::size_t end = head.find('\n', at);
    if (end == std::string_view::npos && !whole) return {};
    const std::string_view line = head.substr(at, end == std::string_view::npos ? end : end - at);
    at = end == std::string_view::npos ? head.size() : end + 1;
    if (!h) {
      h = parse_sparse_banner(line);
    } else if (!line.starts_with('%') && !words_of(line, 1).empty()) {
      h->data_offset = static_cast<Index>(at);
      h->data_line = number + 1;
      parse_sparse_sizes(line, number, text_bytes, *h);
      return h;
    }
    require<IoError>(at < head.size() || !whole,
                     "line {}: the file ends here, expected a line with the sizes", number);
  }
}

std::string make_sparse_market_header(Index rows, Index columns, Index entries, bool is_complex) {
  return fmt::format("%%MatrixMarket matrix coordinate {} general\n{} {} {}\n",
                     is_complex ? "complex" : "real", rows, columns, entries);
}

template <Scalar T>
void EntryParser<T>::parse(std::string_view line, std::vector<Triple<T>>& triples) {
  LineWords words(line);
  if (line.starts_with('%') || LineWords(line).next().empty()) return;
  Triple<T> entry;
  entry.row = words.place(header_.rows, "row");
  entry.column = words.place(header_.columns, "column");
  entry.value = parse_value<T>(words, header_.field);
  if (const std::string_view more = words.next(); !more.empty()) words.complain(more, "the end of the line");
  if (header_.symmetry == Symmetry::skew && entry.row == entry.column)
    throw LineError{0, 1, "an entry on the diagonal of a skew-symmetric matrix, expected none"};
  if (entries_ == header_.entries)
    throw LineError{0, 1, fmt::format("one more entry, expected {} in all", header_.entries)};
  ++entries_;
  append(entry, triples);
}

template <Scalar T>
void EntryParser<T>::append(const Triple<T>& entry, std::vector<Triple<T>>& triples) const {
  triples.push_back(entry);
  if (header_.symmetry == Symmetry::general || entry.row == entry.column) return;
  T mirrored = entry.value;
  if (header_.symmetry == Symmetry::skew) mirrored = -mirrored;
  if (header_.symmetry == Symmetry::hermitian) mirrored = cairn::conj(mirrored);
  triples.push_back({entry.column, entry.row, mirrored});
}

template class EntryParser<float>;
template class EntryParser<double>;
template class EntryParser<std::complex<float>>;
template class EntryParser<std::complex<double>>;

}  // namespace cairn::io
