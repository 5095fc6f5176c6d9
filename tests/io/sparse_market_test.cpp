#include "io/sparse_market.hpp"

#include <gtest/gtest.h>

#include "cairn/error.hpp"

namespace cairn::io {
namespace {

std::optional<SparseMarketHeader> header_of(std::string_view text) {
  return parse_sparse_market_header(text, true, static_cast<Index>(text.size()) + 1000);
}

void expect_header_error(std::string_view text, std::string_view part) {
  try {
    parse_sparse_market_header(text, true, static_cast<Index>(text.size()));
    FAIL() << "no error: " << text;
  } catch (const IoError& e) {
    EXPECT_NE(std::string_view(e.what()).find(part), std::string_view::npos) << e.what();
  }
}

TEST(SparseMarket, Headers) {
  const auto h =
      header_of("%%MatrixMarket MATRIX Coordinate Real symmetric\n% a comment\n\n 7 7 12 \n1 1 1\n");
  ASSERT_TRUE(h.has_value());
  EXPECT_EQ(*h, (SparseMarketHeader{SparseField::real, Symmetry::symmetric, 7, 7, 12, 70, 5}));
  EXPECT_EQ(parse_sparse_market_header("%%MatrixMarket matrix coo", false, 100), std::nullopt);
  EXPECT_EQ(header_of(make_sparse_market_header(3, 4, 2, true))->field, SparseField::complex);
}

TEST(SparseMarket, BadHeaders) {
  expect_header_error("1 2 3\n", "line 1: found '1 2 3', expected %%MatrixMarket");
  expect_header_error("%%MatrixMarket matrix array real general\n", "'array' is a dense matrix");
  expect_header_error("%%MatrixMarket matrix coordinate quaternion general\n",
                      "expected real, complex, integer or pattern");
  expect_header_error("%%MatrixMarket matrix coordinate real hermitian\n", "expected complex");
  expect_header_error("%%MatrixMarket matrix coordinate pattern skew-symmetric\n", "skew-symmetric pattern");
  expect_header_error("%%MatrixMarket matrix coordinate real general\n3 4\n",
                      "line 2: found '3 4', expected three sizes");
  expect_header_error("%%MatrixMarket matrix coordinate real symmetric\n3 4 0\n", "as many rows as columns");
  expect_header_error("%%MatrixMarket matrix coordinate real general\n3 4 99999999999\n1 1 1\n",
                      "99999999999 entries, expected at most 1");
  expect_header_error("%%MatrixMarket matrix coordinate real general\n% only\n",
                      "line 2: the file ends here");
}

// All triples of the lines, cut at these places and read in pieces of this length.
std::vector<Triple<double>> read_cut(const SparseMarketHeader& h, std::string_view text, std::size_t cut,
                                     std::size_t piece, Index* lines = nullptr) {
  std::vector<Triple<double>> triples;
  EntryParser<double> parser(h);
  const std::size_t cuts[] = {0, std::min(cut, text.size()), text.size()};
  for (int part = 0; part < 2; ++part) {
    const std::size_t begin = cuts[part];
    LineReader reader(begin == 0 || text[begin - 1] == '\n', static_cast<Index>(cuts[part + 1] - begin));
    for (std::size_t at = begin; at < text.size();) {
      const std::string_view here = text.substr(at, piece);
      at += here.size();
      if (!reader.feed(here, at == text.size(), [&](std::string_view line) { parser.parse(line, triples); }))
        break;
    }
    if (lines != nullptr) *lines += reader.lines();
  }
  return triples;
}

TEST(SparseMarket, LinesAreReadHoweverTheyAreCut) {
  const SparseMarketHeader h{SparseField::real, Symmetry::general, 30, 40, 6, 0, 1};
  const std::string text = "1 1 2.5\n\n% comment 1 1 1\n  30\t40 -1e3 \r\n2 2 7\n3 3 +8\n4 4 1\n5 5 9";
  const auto whole = read_cut(h, text, text.size(), text.size());
  ASSERT_EQ(whole.size(), 6U);
  EXPECT_EQ(whole[1], (Triple<double>{29, 39, -1000}));
  EXPECT_EQ(whole[5], (Triple<double>{4, 4, 9}));
  for (std::size_t cut = 0; cut <= text.size(); ++cut)
    for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, std::size_t{7}, std::size_t{100}}) {
      Index lines = 0;
      ASSERT_EQ(read_cut(h, text, cut, piece, &lines), whole) << cut << " " << piece;
      ASSERT_EQ(lines, 7);
    }
}

template <Scalar T>
std::vector<Triple<T>> parse_line(SparseField field, Symmetry symmetry, std::string_view line) {
  std::vector<Triple<T>> triples;
  EntryParser<T>({field, symmetry, 5, 5, 9, 0, 1}).parse(line, triples);
  return triples;
}

TEST(SparseMarket, WhatALineMeans) {
  using C = std::complex<double>;
  EXPECT_EQ(parse_line<C>(SparseField::complex, Symmetry::hermitian, "3 1 2 4"),
            (std::vector<Triple<C>>{{2, 0, {2, 4}}, {0, 2, {2, -4}}}));
  EXPECT_EQ(parse_line<C>(SparseField::real, Symmetry::general, "3 1 2"),
            (std::vector<Triple<C>>{{2, 0, {2, 0}}}));
  EXPECT_EQ(parse_line<float>(SparseField::integer, Symmetry::skew, "3 1 -2"),
            (std::vector<Triple<float>>{{2, 0, -2}, {0, 2, 2}}));
  EXPECT_EQ(parse_line<float>(SparseField::pattern, Symmetry::symmetric, "3 1"),
            (std::vector<Triple<float>>{{2, 0, 1}, {0, 2, 1}}));
  EXPECT_EQ(parse_line<float>(SparseField::pattern, Symmetry::symmetric, "3 3").size(), 1U);
}

TEST(SparseMarket, BadLines) {
  const auto expect_bad = [](SparseField field, Symmetry symmetry, std::string_view line, Index column,
                             std::string_view part) {
    try {
      parse_line<double>(field, symmetry, line);
      FAIL() << "no error: " << line;
    } catch (const LineError& e) {
      EXPECT_EQ(e.column, column) << line;
      EXPECT_NE(e.what.find(part), std::string::npos) << e.what;
    }
  };
  const auto real = SparseField::real;
  const auto general = Symmetry::general;
  expect_bad(real, general, "0 1 1", 1, "found '0', expected a row from 1 to 5");
  expect_bad(real, general, "1  6 1", 4, "found '6', expected a column from 1 to 5");
  expect_bad(real, general, "1 2", 4, "the line ends here, expected a number");
  expect_bad(real, general, "1 2 x", 5, "found 'x', expected a number");
  expect_bad(real, general, "1 2 3 4", 7, "found '4', expected the end of the line");
  expect_bad(SparseField::integer, general, "1 2 3.5", 5, "expected a whole number");
  expect_bad(SparseField::pattern, general, "1 2 3", 5, "expected the end of the line");
  expect_bad(real, Symmetry::skew, "2 2 3", 1, "on the diagonal");
  expect_bad(real, general, "99999999999999999999 1 1", 1, "expected a row");
}

}  // namespace
}  // namespace cairn::io
