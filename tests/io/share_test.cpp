#include "io/share.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "io/format.hpp"
#include "layout/dist_matrix.hpp"
#include "layout/random_layout.hpp"

namespace cairn::io {
namespace {

// Each element of the file exactly once, in the order of the ranks, where the rank's memory has it.
TEST(Share, IsTheFileInStretchesInTheOrderOfTheRanks) {
  for (const Order order : {Order::row_major, Order::column_major})
    for (const auto& [rows, columns] : std::vector<std::pair<Index, Index>>{
             {0, 0}, {0, 5}, {5, 0}, {1, 1}, {1, 17}, {17, 1}, {3, 100}, {100, 3}, {13, 11}})
      for (const int ranks : {1, 2, 3, 7, 16}) {
        const layout::Layout share = share_layout(rows, columns, order, ranks);
        const std::vector<Index> cuts = share_cuts(share, ranks);
        EXPECT_EQ(cuts.back(), rows * columns);
        for (int r = 0; r < ranks; ++r) {
          const auto at = static_cast<std::size_t>(r);
          std::vector<char> memory(static_cast<std::size_t>(share.memory_elements(r)));
          EXPECT_EQ(static_cast<Index>(memory.size()), cuts[at + 1] - cuts[at]);
          const layout::MatrixView<char> view{share, memory.data(), static_cast<Index>(memory.size()), 0};
          const Index line = order == Order::column_major ? rows : columns;
          layout::for_each_element(view, r, [&](Index i, Index j, char& x) {
            const Index in_file = order == Order::column_major ? i + j * line : i * line + j;
            EXPECT_EQ(&x - memory.data(), in_file - cuts[at]);
          });
        }
        for (int r = 0; r < ranks; ++r)  // nobody has much more than the others
          EXPECT_LE(share.elements(r), 2 * rows * columns / ranks + std::max(rows, columns));
      }
}

TEST(Share, BlocksNameTheElementsOfARank) {
  test::Random random(3);
  for (int k = 0; k < 400; ++k) {
    const Index rows = test::pick(random, 0, 30), columns = test::pick(random, 0, 30);
    const int ranks = test::pick_int(random, 1, 8);
    const layout::Layout layout = test::pick_layout(random, rows, columns, ranks);
    const Order order = random() % 2 == 0 ? Order::row_major : Order::column_major;
    std::map<Index, int> written;
    for (int r = 0; r < ranks; ++r) {
      std::map<Index, Index> expected, found;  // element of the file -> of memory
      std::vector<char> memory(static_cast<std::size_t>(layout.memory_elements(r)));
      const layout::MatrixView<char> view{layout, memory.data(), static_cast<Index>(memory.size()), 0};
      layout::for_each_element(view, r, [&](Index i, Index j, char& x) {
        expected[order == Order::column_major ? i + j * rows : i * columns + j] = &x - memory.data();
      });
      const auto list = [&](const FileBlocks& blocks, auto&& f) {
        Index elements = 0;
        blocks.for_each([&](const FileBlock& b) {
          for (Index l = 0; l < b.lines; ++l)
            for (Index e = 0; e < b.run; ++e, ++elements)
              f(b.first + l * b.step + e, b.memory + l * b.across + e * b.along);
        });
        EXPECT_EQ(blocks.elements(), elements);
      };
      list(FileBlocks(layout, 0, r, order, false), [&](Index file, Index at) { found[file] = at; });
      EXPECT_EQ(found, expected) << layout.text();
      list(FileBlocks(layout, 0, r, order, true), [&](Index file, Index) { ++written[file]; });
    }
    EXPECT_EQ(static_cast<Index>(written.size()), rows * columns);
    for (const auto& [element, times] : written) EXPECT_EQ(times, 1) << "element " << element;
  }
}

TEST(Share, CountsStretches) {
  const layout::Layout blocked = layout::blocked(100, 60, 2, 3);
  EXPECT_EQ(FileBlocks(blocked, 0, 0, Order::column_major, false).stretches(), 20);
  EXPECT_EQ(FileBlocks(blocked, 0, 0, Order::row_major, false).stretches(), 50);
  const layout::Layout columns = layout::column_blocks(100, 60, 3);
  EXPECT_EQ(FileBlocks(columns, 0, 1, Order::column_major, false).stretches(), 1);
  const layout::Layout elemental = layout::elemental(100, 60, 2, 2);
  EXPECT_EQ(FileBlocks(elemental, 0, 1, Order::column_major, false).stretches(), 50 * 30);
}

TEST(StoredMatrix, DecodesTypesAndByteOrders) {
  const unsigned char big[] = {0x3f, 0xf8, 0, 0, 0, 0, 0, 0, 0xc0, 0x04, 0, 0, 0, 0, 0, 0};  // 1.5, -2.5
  const auto* bytes = reinterpret_cast<const std::byte*>(big);
  std::complex<float> pair;
  decode(bytes, ScalarType::c64, ByteOrder::big, &pair, 1);
  EXPECT_EQ(pair, std::complex<float>(1.5F, -2.5F));
  std::complex<double> two[2];
  decode(bytes, ScalarType::f64, ByteOrder::big, two, 2);
  EXPECT_EQ(two[0], std::complex<double>(1.5, 0));
  EXPECT_EQ(two[1], std::complex<double>(-2.5, 0));
  double real = 0;
  EXPECT_THROW(decode(bytes, ScalarType::c64, ByteOrder::big, &real, 1), ArgumentError);
}

TEST(StoredMatrix, SizesThatCannotBe) {
  EXPECT_EQ(end_of({3, 4, ScalarType::c64, Order::row_major, ByteOrder::little, 10}), 10 + 192);
  EXPECT_THROW(end_of({-1, 4}), IoError);
  EXPECT_THROW(end_of({Index{1} << 40, Index{1} << 40}), IoError);
  EXPECT_THROW(end_of({Index{1} << 31, Index{1} << 30}), IoError);  // elements fit, bytes do not
  EXPECT_THROW(end_of({1, 1, ScalarType::f64, Order::row_major, ByteOrder::little, INT64_MAX - 3}), IoError);
  EXPECT_THROW(end_of({1, 1, ScalarType::f64, Order::row_major, ByteOrder::little, -8}), IoError);
  EXPECT_THROW(check_fits({3, 4}, 95), IoError);
  EXPECT_NO_THROW(check_fits({3, 4}, 96));
}

TEST(Format, ByNameAndByMagic) {
  EXPECT_EQ(format_by_extension("a/b.NPY"), Format::npy);
  EXPECT_EQ(format_by_extension("x.mtx"), Format::matrix_market);
  EXPECT_EQ(format_by_extension("x.tar.h5"), Format::hdf5);
  EXPECT_EQ(format_by_extension("x.bin"), Format::raw);
  EXPECT_FALSE(format_by_extension("npy").has_value());
  EXPECT_FALSE(format_by_extension("x.txt").has_value());
  const auto magic = [](const std::string& text) { return format_by_magic(std::as_bytes(std::span(text))); };
  EXPECT_EQ(magic("\x93NUMPY"), Format::npy);
  EXPECT_EQ(magic("%%matrixMARKET matrix"), Format::matrix_market);
  EXPECT_EQ(magic("\x89HDF\r\n\x1a\n"), Format::hdf5);
  EXPECT_FALSE(magic("").has_value());
  EXPECT_FALSE(magic("%%Matrix").has_value());
  EXPECT_THROW(magic("PK\x03\x04"), IoError);
  EXPECT_THROW(magic("\x1f\x8b"), IoError);
  for (const Format f : {Format::npy, Format::matrix_market, Format::raw, Format::hdf5})
    EXPECT_EQ(parse_format(name(f)), f);
  EXPECT_THROW(parse_format("xls"), ArgumentError);
  EXPECT_EQ(in_quotes("a\nb'\x80"), "'a\\x0ab\\'\\x80'");
  EXPECT_EQ(in_quotes(std::string(50, 'x')), "'" + std::string(40, 'x') + "'...");
}

}  // namespace
}  // namespace cairn::io
