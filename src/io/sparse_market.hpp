// Sparse Matrix Market files as text: the head, the lines, and what an entry means. Pure functions of text.
//   %%MatrixMarket matrix coordinate real|complex|integer|pattern general|symmetric|skew-symmetric|hermitian
//   % comments
//   rows columns entries
//   row column [value [imaginary part]]      one line per entry, counted from 1
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/scalar.hpp"
#include "base/size.hpp"
#include "io/matrix_market_header.hpp"
#include "io/sparse_triple.hpp"

namespace cairn::io {

enum class SparseField { real, complex, integer, pattern };

struct SparseMarketHeader {
  SparseField field = SparseField::real;
  Symmetry symmetry = Symmetry::general;
  Index rows = 0;
  Index columns = 0;
  Index entries = 0;      // that stand in the file
  Index data_offset = 0;  // the byte behind the line with the sizes
  Index data_line = 0;    // its line, counted from 1
  friend bool operator==(const SparseMarketHeader&, const SparseMarketHeader&) = default;
};

// `head` is the beginning of a text of at most `text_bytes` bytes; `whole`: it is all of it. Nothing: the head
// ends beyond it; try again with more. Throws IoError that names the line and what was expected, also where so
// many entries cannot stand in the text.
std::optional<SparseMarketHeader> parse_sparse_market_header(std::string_view head, bool whole,
                                                             Index text_bytes);

std::string make_sparse_market_header(Index rows, Index columns, Index entries, bool is_complex);

// A mistake in a line, counted within the stretch of a rank.
struct LineError {
  Index line = 0;    // lines of the stretch before it
  Index column = 0;  // counted from 1
  std::string what;
};

// The lines that begin in one stretch of the text; the last may end beyond it.
class LineReader {
 public:
  static constexpr std::size_t longest = 1024;

  // `at_line_start`: the character before the stretch ends a line. `bytes` of it.
  LineReader(bool at_line_start, Index bytes) : skipping_(!at_line_start), left_(bytes) {}

  // f(line) for each line that ends in this piece (or with it, at the end of the text). The pieces follow each
  // other from the beginning of the stretch on. False: no more are needed. Throws LineError.
  template <class F>
  bool feed(std::string_view piece, bool at_end, F&& f);
  Index lines() const { return lines_; }  // that ended within the stretch

 private:
  bool skipping_;  // the rest of a line that began before
  Index left_;     // bytes of the stretch that are still to come
  Index lines_ = 0;
  std::string begun_;
};

// One line -> the triples it stands for, appended: none (blank, comment), one, or two with symmetry. Throws
// LineError without a line.
template <Scalar T>
class EntryParser {
 public:
  explicit EntryParser(const SparseMarketHeader& header) : header_(header) {}
  void parse(std::string_view line, std::vector<Triple<T>>& triples);
  Index entries() const { return entries_; }  // found so far

 private:
  void append(const Triple<T>& entry, std::vector<Triple<T>>& triples) const;

  SparseMarketHeader header_;
  Index entries_ = 0;
};

// ---- bodies -----------------------------------------------------------------------------------------
template <class F>
bool LineReader::feed(std::string_view piece, bool at_end, F&& f) {
  for (std::size_t at = 0; at < piece.size() || at_end;) {
    const bool begins_here = left_ > 0;
    if (!begins_here && begun_.empty()) return false;
    const std::size_t stop = piece.find('\n', at);
    const bool ends = stop != std::string_view::npos;
    const std::string_view part = piece.substr(at, ends ? stop - at : std::string_view::npos);
    const std::size_t used = part.size() + (ends ? 1 : 0);
    left_ -= static_cast<Index>(used);
    at += used;
    if (!skipping_ && begun_.size() + part.size() > longest)
      throw LineError{lines_, static_cast<Index>(longest),
                      "the line goes on, expected at most 1024 characters"};
    if (!ends && !at_end) {
      if (!skipping_) begun_ += part;
      return true;
    }
    if (!skipping_) {
      if (begun_.empty()) {
        f(part);
      } else {
        begun_ += part;
        f(std::string_view(begun_));
        begun_.clear();
      }
    }
    if (ends && left_ >= 0) ++lines_;
    skipping_ = false;
    if (!ends) return false;  // the end of the text
  }
  return left_ > 0 || !begun_.empty();
}

}  // namespace cairn::io
