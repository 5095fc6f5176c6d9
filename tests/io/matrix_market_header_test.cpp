#include "io/matrix_market_header.hpp"

#include <gtest/gtest.h>

namespace cairn::io {
namespace {

MatrixMarketHeader parsed(const std::string& text, Index file_bytes = Index{1} << 40) {
  const auto h = parse_matrix_market_header(text, std::max(file_bytes, static_cast<Index>(text.size())));
  if (!h) throw std::runtime_error("the head is not complete");
  return *h;
}

std::string error_of(const std::string& text, Index file_bytes = -1) {
  try {
    parse_matrix_market_header(text, file_bytes < 0 ? static_cast<Index>(text.size()) : file_bytes);
  } catch (const IoError& e) {
    return e.what();
  }
  return "(no error)";
}

TEST(MatrixMarketHeader, FieldsAndSymmetries) {
  const std::string fields[] = {"real", "complex", "integer"};
  const std::string symmetries[] = {"general", "symmetric", "skew-symmetric", "hermitian"};
  for (int f = 0; f < 3; ++f)
    for (int s = 0; s < 4; ++s) {
      if (s == 3 && f != 1) continue;
      const std::string text = "%%MatrixMarket matrix array " + fields[f] + " " + symmetries[s] + "\n6 6\n";
      const MatrixMarketHeader h = parsed(text);
      EXPECT_EQ(h.field, static_cast<Field>(f));
      EXPECT_EQ(h.symmetry, static_cast<Symmetry>(s));
      EXPECT_EQ(h.data_offset, static_cast<Index>(text.size()));
      EXPECT_EQ(h.data_line, 3);
    }
}

TEST(MatrixMarketHeader, CommentsBlankLinesAndCapitals) {
  const std::string text =
      "%%matrixmarket MATRIX Array Real GENERAL\r\n%\n% a comment 3 4\n\n   \r\n  12\t 7 \r\n1\n2\n";
  const MatrixMarketHeader h = parsed(text);
  EXPECT_EQ(h.rows, 12);
  EXPECT_EQ(h.columns, 7);
  EXPECT_EQ(h.data_line, 7);
  EXPECT_EQ(text.substr(static_cast<std::size_t>(h.data_offset)), "1\n2\n");
}

// Entries in front of each column, counted one by one.
TEST(MatrixMarketHeader, EntriesOfEachColumn) {
  for (const Symmetry s : {Symmetry::general, Symmetry::symmetric, Symmetry::skew, Symmetry::hermitian})
    for (Index n = 0; n < 12; ++n) {
      MatrixMarketHeader h;
      h.symmetry = s;
      h.rows = h.columns = n;
      Index count = 0;
      for (Index j = 0; j < n; ++j) {
        EXPECT_EQ(h.entries_before(j), count);
        for (Index i = 0; i < n; ++i)
          count += s == Symmetry::general || i > j || (i == j && s != Symmetry::skew) ? 1 : 0;
      }
      EXPECT_EQ(h.entries(), count);
    }
}

TEST(MatrixMarketHeader, AHeadThatIsNotThereYetIsNoError) {
  const std::string text = "%%MatrixMarket matrix array real general\n% comment\n2 3\n";
  for (std::size_t n = 0; n < text.size(); ++n)
    EXPECT_FALSE(parse_matrix_market_header(text.substr(0, n), 1000).has_value()) << n;
  EXPECT_TRUE(parse_matrix_market_header(text, 1000).has_value());
}

TEST(MatrixMarketHeader, ErrorsNameTheLineAndWhatWasExpected) {
  const auto expect = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << "got: " << text << "\nwanted: " << part;
  };
  const std::string banner = "%%MatrixMarket matrix array real general\n";
  expect(error_of(""), "line 1: found '', expected %%MatrixMarket");
  expect(error_of("1 2 3\n"), "line 1: found '1 2 3', expected %%MatrixMarket");
  expect(error_of("%%MatrixMarket matrix array real\n"), "expected five words");
  expect(error_of("%%MatrixMarket vector array real general\n"), "line 1: found 'vector', expected matrix");
  expect(error_of("%%MatrixMarket matrix coordinate real general\n"),
         "line 1: 'coordinate' is a sparse matrix, expected 'array'");
  expect(error_of("%%MatrixMarket matrix list real general\n"), "line 1: found 'list', expected array");
  expect(error_of("%%MatrixMarket matrix array pattern general\n"), "line 1: a 'pattern' has no values");
  expect(error_of("%%MatrixMarket matrix array quaternion general\n"),
         "line 1: found 'quaternion', expected real");
  expect(error_of("%%MatrixMarket matrix array real diagonal\n"),
         "line 1: found 'diagonal', expected general");
  expect(error_of("%%MatrixMarket matrix array real hermitian\n"), "a hermitian matrix of real numbers");
  expect(error_of(banner), "line 1: the file ends here, expected a line with the sizes");
  expect(error_of(banner + "% c\n"), "line 2: the file ends here");
  expect(error_of(banner + "3\n"), "line 2: found '3', expected two sizes");
  expect(error_of(banner + "3 4 12\n"), "line 2: found '3 4 12', expected two sizes");
  expect(error_of(banner + "3 x\n"), "line 2: found 'x', expected a size");
  expect(error_of(banner + "3 -1\n"), "line 2: found '-1', expected a size");
  expect(error_of(banner + "99999999999999999999 1\n"), "that fits 64 bits");
  expect(error_of("%%MatrixMarket matrix array real symmetric\n3 4\n"), "line 2: the matrix is 3 x 4");
  // 12 bytes hold at most six numbers.
  expect(error_of(banner + "7 1\n1 2 3 4 5 6 "),
         "line 2: the matrix is 7 x 1, expected at most 6 elements in the 12");
  EXPECT_EQ(error_of(banner + "6 1\n1 2 3 4 5 6"), "(no error)");
  expect(error_of(banner + "4294967296 4294967296\n"), "expected at most 0 elements");
}

}  // namespace
}  // namespace cairn::io
