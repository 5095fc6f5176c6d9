#include "io/npy_header.hpp"

#include <gtest/gtest.h>

namespace cairn::io {
namespace {

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

// A file's header by hand: version, length, dictionary.
std::string header(int version, const std::string& dictionary) {
  std::string h("\x93NUMPY", 6);
  h += static_cast<char>(version);
  h += '\0';
  const std::size_t n = dictionary.size();
  for (int byte = 0; byte < (version == 1 ? 2 : 4); ++byte) h += static_cast<char>(n >> (8 * byte) & 255);
  return h + dictionary;
}

constexpr Index plenty = Index{1} << 40;

StoredMatrix npy_parsed(const std::string& h, Index file_bytes = plenty) {
  const auto prefix = bytes_of(h).first(std::min<std::size_t>(h.size(), npy_prefix_bytes));
  EXPECT_EQ(npy_header_bytes(prefix, file_bytes), static_cast<Index>(h.size()));
  return parse_npy_header(bytes_of(h), file_bytes);
}

std::string npy_error(const std::string& h, Index file_bytes = plenty) {
  try {
    parse_npy_header(bytes_of(h), file_bytes);
  } catch (const IoError& e) {
    return e.what();
  }
  return "(no error)";
}

std::string error_of_dictionary(const std::string& dictionary) { return npy_error(header(1, dictionary)); }

TEST(NpyHeader, AllVersionsTypesAndOrders) {
  const std::pair<std::string, ScalarType> types[] = {
      {"f4", ScalarType::f32}, {"f8", ScalarType::f64}, {"c8", ScalarType::c32}, {"c16", ScalarType::c64}};
  for (const int version : {1, 2, 3})
    for (const auto& [text, type] : types)
      for (const bool little : {true, false})
        for (const bool fortran : {true, false}) {
          const std::string h = header(version, std::string("{'descr': '") + (little ? "<" : ">") + text +
                                                    "', 'fortran_order': " + (fortran ? "True" : "False") +
                                                    ", 'shape': (3, 5), }   \n");
          const StoredMatrix m = npy_parsed(h);
          const StoredMatrix expected{3,
                                      5,
                                      type,
                                      fortran ? Order::column_major : Order::row_major,
                                      little ? ByteOrder::little : ByteOrder::big,
                                      static_cast<Index>(h.size())};
          EXPECT_EQ(m, expected) << h;
        }
}

TEST(NpyHeader, TextAsOtherProgramsWriteIt) {
  const StoredMatrix m = npy_parsed(header(1, "{\"shape\":(7L,),\"fortran_order\":False,\"descr\":\"=f8\"}"));
  EXPECT_EQ(m.rows, 7);
  EXPECT_EQ(m.columns, 1);  // one dimension is a column
  EXPECT_EQ(m.byte_order, native_byte_order);
  EXPECT_EQ(
      npy_parsed(header(1, " { 'descr':'<f4' , 'fortran_order' : True , 'shape' : ( 0 , 12 ) } ")).columns,
      12);
}

TEST(NpyHeader, WhatWeWriteIsWhatNumpyWrites) {
  // numpy.save of a 3 x 4 array of doubles in C order, byte for byte.
  std::string expected("\x93NUMPY\x01\x00\x76\x00", 10);
  expected += "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }";
  expected += std::string(128 - expected.size() - 1, ' ') + "\n";
  StoredMatrix m{3, 4, ScalarType::f64, Order::row_major, ByteOrder::little, 0};
  EXPECT_EQ(make_npy_header(m), expected);
  m = {1234567890123, 99, ScalarType::c32, Order::column_major, ByteOrder::big, 0};
  const std::string h = make_npy_header(m);
  EXPECT_EQ(h.size() % 64, 0U);
  m.offset = static_cast<Index>(h.size());
  EXPECT_EQ(npy_parsed(h, Index{1} << 60), m);
}

TEST(NpyHeader, ErrorsNameThePlaceAndWhatWasExpected) {
  const auto expect = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << "got: " << text << "\nwanted: " << part;
  };
  expect(npy_error(""), "byte 0: found '', expected '\\x93NUMPY'");
  expect(npy_error("PKzip"), "byte 0: found 'PKzip', expected '\\x93NUMPY'");
  expect(npy_error(std::string("\x93NUMPY\x01\x00", 8), 8), "byte 8: the file ends here, inside its header");
  expect(npy_error(header(4, "{}")),
         "byte 6: the version of the .npy format is 4.0, expected 1.0, 2.0 or 3.0");
  expect(npy_error(header(1, "{}"), 11), "byte 11: the file ends here, expected 12 bytes of header");
  expect(npy_error(std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12)),
         "byte 8: the header has 4294967295 bytes");
  expect(error_of_dictionary("{'descr': '<f8', 'fortran_order': False}"),
         "byte 50: the header has no 'shape'");
  expect(error_of_dictionary("{'descr': '<f8', 'shape': (1,2)}"), "no 'fortran_order'");
  expect(error_of_dictionary("{'fortran_order': True, 'shape': (1,2)}"), "no 'descr'");
  const auto with_descr = [](const std::string& d) {
    return error_of_dictionary("{'descr': " + d + ", 'fortran_order': False, 'shape': (3, 4), }");
  };
  expect(with_descr("'|O'"), "byte 20: this is an array of Python objects, expected numbers");
  expect(with_descr("'<i8'"),
         "byte 20: the elements are of type '<i8', expected f4, f8, c8 or c16: NumPy's .astype('f8') "
         "converts them");
  expect(with_descr("'|b1'"), "the elements are of type '|b1'");
  expect(with_descr("'<f16'"), "the elements are of type '<f16'");
  expect(with_descr("''"), "the elements are of type ''");
  expect(with_descr("[('a', '<f8')]"), "byte 20: this is a structured array");
  expect(with_descr("7"), "byte 20: found '7', expected a quoted text");
  const auto with_shape = [](const std::string& s) {
    return error_of_dictionary("{'descr': '<f8', 'fortran_order': False, 'shape': " + s + "}");
  };
  expect(with_shape("()"), "byte 60: the array has 0 dimensions, expected 2 (or 1, a column)");
  expect(with_shape("(2,3,4)"), "the array has 3 dimensions");
  expect(with_shape("(-2,3)"), "byte 61: found '-', expected a size of 0 or more");
  expect(with_shape("(99999999999999999999,3)"), "expected a size of 0 or more that fits 64 bits");
  expect(with_shape("(4294967296,4294967296)"), "expected at most 2^63 bytes in all");
  expect(with_shape("(3,4"), "expected ')'");
  expect(with_shape("(3 4)"), "byte 63: found '4', expected ')'");
  expect(with_shape("(3,4)} extra {"), "expected the end of the header");
  expect(error_of_dictionary("{'descr': '<f8', 'fortran_order': Maybe, 'shape': (1,)}"),
         "byte 44: found 'M', expected True or False");
  expect(error_of_dictionary("{'colour': 3}"), "byte 11: found the key 'colour'");
  expect(error_of_dictionary("{'descr: 3}"), "a quoted text without an end");
  expect(npy_error(header(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }"), 100),
         "byte 100: the file ends here, expected 165 bytes: 96 from byte 69 on for 3 x 4 of double");
}

TEST(NpyHeader, EveryTruncationIsAnError) {
  const std::string h = header(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }");
  for (std::size_t n = 0; n < h.size(); ++n)
    EXPECT_NE(npy_error(h.substr(0, n), static_cast<Index>(n)), "(no error)") << n;
}

}  // namespace
}  // namespace cairn::io
