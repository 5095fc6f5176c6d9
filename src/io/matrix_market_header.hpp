// The head of a dense Matrix Market file: the banner, comments, and the line with the sizes.
//   %%MatrixMarket matrix array real|complex|integer general|symmetric|skew-symmetric|hermitian
//   % comments
//   rows columns
// Behind it the elements follow as text, column by column; of a symmetric matrix only those on and below the
// diagonal, of a skew-symmetric one only those below. Pure functions of text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/scalar.hpp"
#include "base/size.hpp"

namespace cairn::io {

enum class Field { real, complex, integer };
enum class Symmetry { general, symmetric, skew, hermitian };

struct MatrixMarketHeader {
  Field field = Field::real;
  Symmetry symmetry = Symmetry::general;
  Index rows = 0;
  Index columns = 0;
  Index data_offset = 0;  // the byte behind the line with the sizes
  Index data_line = 0;    // its line, counted from 1

  Index entries() const;                     // that stand in the file
  Index entries_before(Index column) const;  // of the columns before this one
  Index numbers_an_entry() const { return field == Field::complex ? 2 : 1; }
  Index numbers() const { return entries() * numbers_an_entry(); }
  ScalarType type() const { return field == Field::complex ? ScalarType::c64 : ScalarType::f64; }
  friend bool operator==(const MatrixMarketHeader&, const MatrixMarketHeader&) = default;
};

inline constexpr Index longest_matrix_market_head = 16 << 20;  // comments included

// `head` is the beginning of a file of `file_bytes` bytes. Nothing: the head ends beyond it; try again with
// more. Throws IoError that names the line and what was expected; also where this many elements cannot stand in
// the file.
std::optional<MatrixMarketHeader> parse_matrix_market_header(std::string_view head, Index file_bytes);

// Of a general matrix.
std::string make_matrix_market_header(Index rows, Index columns, bool is_complex);

}  // namespace cairn::io
