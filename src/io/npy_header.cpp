#include "io/npy_header.hpp"

#include <fmt/ranges.h>

#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

#include "io/format.hpp"

namespace cairn::io {
namespace {

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

struct Prefix {
  Index text_begin;
  Index text_bytes;
};

Prefix parse_prefix(std::span<const std::byte> head, Index file_bytes) {
  require<IoError>(as_text(head).starts_with("\x93NUMPY"), "byte 0: found {}, expected '\\x93NUMPY'",
                   in_quotes(as_text(head).substr(0, 6)));
  const auto byte = [&](std::size_t at) { return at < head.size() ? std::to_integer<Index>(head[at]) : 0; };
  require<IoError>(head.size() >= 10, "byte {}: the file ends here, inside its header", file_bytes);
  require<IoError>(byte(6) >= 1 && byte(6) <= 3 && byte(7) == 0,
                   "byte 6: the version of the .npy format is {}.{}, expected 1.0, 2.0 or 3.0", byte(6),
                   byte(7));
  const bool wide = byte(6) > 1;
  const Index length = byte(8) | byte(9) << 8 | (wide ? byte(10) << 16 | byte(11) << 24 : 0);
  const Index begin = wide ? 12 : 10;
  require<IoError>(length <= npy_longest_header, "byte 8: the header has {} bytes, expected at most {}",
                   length, npy_longest_header);
  require<IoError>(begin + length <= file_bytes, "byte {}: the file ends here, expected {} bytes of header",
                   file_bytes, begin + length);
  return {begin, length};
}

// The dictionary: {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
class Dictionary {
 public:
  Dictionary(std::string_view text, Index first_byte) : text_(text), first_(first_byte) { parse(); }

  NpyArray array() const {
    require_all();
    return {std::string(*descr_), *fortran_, *shape_};
  }

  StoredMatrix matrix() const {
    require_all();
    StoredMatrix m;
    set_type(m);
    const std::size_t dimensions = shape_->size();
    require<IoError>(dimensions == 1 || dimensions == 2,
                     "byte {}: the array has {} dimensions, expected 2 (or 1, a column)", shape_byte_,
                     dimensions);
    m.rows = (*shape_)[0];
    m.columns = dimensions == 2 ? (*shape_)[1] : 1;
    m.order = *fortran_ ? Order::column_major : Order::row_major;
    return m;
  }

 private:
  void require_all() const {
    const Index end = first_ + static_cast<Index>(text_.size());
    require<IoError>(descr_.has_value(), "byte {}: the header has no 'descr'", end);
    require<IoError>(fortran_.has_value(), "byte {}: the header has no 'fortran_order'", end);
    require<IoError>(shape_.has_value(), "byte {}: the header has no 'shape'", end);
  }

  void parse() {
    expect('{');
    while (!take('}')) {
      const Index key_byte = here();
      const std::string_view key = string();
      expect(':');
      value_of(key, key_byte);
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    skip_space();
    require<IoError>(at_ == text_.size(), "byte {}: found {}, expected the end of the header", here(),
                     found());
  }

  void value_of(std::string_view key, Index key_byte) {
    skip_space();
    if (key == "descr")
      descr_byte_ = here(), descr_ = descr();
    else if (key == "fortran_order")
      fortran_ = boolean();
    else if (key == "shape")
      shape_byte_ = here(), shape_ = shape();
    else
      fail<IoError>("byte {}: found the key {}, expected 'descr', 'fortran_order' or 'shape'", key_byte,
                    in_quotes(key));
  }

  std::string_view descr() {
    require<IoError>(found() != "'['" && found() != "'{'",
                     "byte {}: this is a structured array, expected float or complex numbers", here());
    return string();
  }

  void set_type(StoredMatrix& m) const {
    const std::string_view d = *descr_;
    const char order = d.empty() ? '?' : d[0];
    const std::string_view kind = d.substr(std::min<std::size_t>(1, d.size()));
    require<IoError>(!kind.starts_with('O'), "byte {}: this is an array of Python objects, expected numbers",
                     descr_byte_);
    const bool known_order = order == '<' || order == '>' || order == '=';
    const auto type = known_order ? type_of(kind) : std::nullopt;
    require<IoError>(type.has_value(),
                     "byte {}: the elements are of type {}, expected f4, f8, c8 or c16: NumPy's "
                     ".astype('f8') converts them",
                     descr_byte_, in_quotes(d));
    m.type = *type;
    m.byte_order = order == '=' ? native_byte_order : order == '<' ? ByteOrder::little : ByteOrder::big;
  }
  static std::optional<ScalarType> type_of(std::string_view kind) {
    if (kind == "f4") return ScalarType::f32;
    if (kind == "f8") return ScalarType::f64;
    if (kind == "c8") return ScalarType::c32;
    if (kind == "c16") return ScalarType::c64;
    return {};
  }

  bool boolean() {
    for (const bool value : {true, false}) {
      const std::string_view word = value ? "True" : "False";
      if (!text_.substr(at_).starts_with(word)) continue;
      at_ += word.size();
      return value;
    }
    fail<IoError>("byte {}: found {}, expected True or False", here(), found());
  }

  std::vector<Index> shape() {
    constexpr std::size_t most = 64;  // dimensions of any NumPy array
    std::vector<Index> result;
    expect('(');
    while (!take(')')) {
      require<IoError>(result.size() < most, "byte {}: the shape has more than {} numbers", here(), most);
      result.push_back(number());
      if (!take(',')) {
        expect(')');
        break;
      }
    }
    return result;
  }

  Index number() {
    skip_space();
    Index value = 0;
    const char* const begin = text_.data() + at_;
    const auto [stop, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    require<IoError>(error == std::errc() && value >= 0,
                     "byte {}: found {}, expected a size of 0 or more that fits 64 bits", here(), found());
    at_ += static_cast<std::size_t>(stop - begin);
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // Python 2 wrote 3L
    return value;
  }

  std::string_view string() {
    skip_space();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    require<IoError>(quote == '\'' || quote == '"', "byte {}: found {}, expected a quoted text", here(),
                     found());
    const std::size_t end = text_.find(quote, at_ + 1);
    require<IoError>(end != std::string_view::npos, "byte {}: a quoted text without an end", here());
    const std::string_view result = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return result;
  }

  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
  }
  bool take(char c) {
    skip_space();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) { require<IoError>(take(c), "byte {}: found {}, expected '{}'", here(), found(), c); }
  Index here() const { return first_ + static_cast<Index>(at_); }
  std::string found() const {
    return at_ == text_.size() ? "the end of the header" : in_quotes(text_.substr(at_, 1));
  }

  std::string_view text_;
  Index first_;
  std::size_t at_ = 0;
  std::optional<std::string_view> descr_;
  std::optional<bool> fortran_;
  std::optional<std::vector<Index>> shape_;
  Index descr_byte_ = 0, shape_byte_ = 0;
};

std::string_view descr_of(ScalarType type) {
  switch (type) {
    case ScalarType::f32:
      return "f4";
    case ScalarType::f64:
      return "f8";
    case ScalarType::c32:
      return "c8";
    case ScalarType::c64:
      break;
  }
  return "c16";
}

}  // namespace

Index npy_header_bytes(std::span<const std::byte> head, Index file_bytes) {
  const Prefix p = parse_prefix(head, file_bytes);
  return p.text_begin + p.text_bytes;
}

namespace {

struct HeaderText {
  std::string_view text;
  Prefix prefix;
  Index end() const { return prefix.text_begin + prefix.text_bytes; }
  Dictionary dictionary() const { return {text, prefix.text_begin}; }
};

HeaderText header_text(std::span<const std::byte> header, Index file_bytes) {
  const Prefix p = parse_prefix(header, file_bytes);
  require<IoError>(std::cmp_greater_equal(header.size(), p.text_begin + p.text_bytes),
                   "byte {}: the file ends here, expected {} bytes of header", header.size(),
                   p.text_begin + p.text_bytes);
  return {
      as_text(header).substr(static_cast<std::size_t>(p.text_begin), static_cast<std::size_t>(p.text_bytes)),
      p};
}

// Version 1.0, padded to 64 bytes.
std::string with_prefix(std::string text) {
  constexpr std::size_t prefix = 10, alignment = 64;
  const std::size_t used = prefix + text.size() + 1;
  text.append((alignment - used % alignment) % alignment, ' ');
  text += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(text.size() & 255);
  header += static_cast<char>(text.size() >> 8);
  return header + text;
}

}  // namespace

NpyArray parse_npy_array(std::span<const std::byte> header, Index file_bytes) {
  const HeaderText h = header_text(header, file_bytes);
  NpyArray array = h.dictionary().array();
  array.offset = h.end();
  return array;
}

StoredMatrix parse_npy_header(std::span<const std::byte> header, Index file_bytes) {
  const HeaderText h = header_text(header, file_bytes);
  StoredMatrix m = h.dictionary().matrix();
  m.offset = h.end();
  check_fits(m, file_bytes);
  return m;
}

std::string make_npy_array_header(const NpyArray& array) {
  return with_prefix(fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", array.descr,
                                 fmt::join(array.shape, ", "), array.shape.size() == 1 ? "," : ""));
}

std::string make_npy_header(const StoredMatrix& m) {
  return with_prefix(fmt::format("{{'descr': '{}{}', 'fortran_order': {}, 'shape': ({}, {}), }}",
                                 m.byte_order == ByteOrder::little ? '<' : '>', descr_of(m.type),
                                 m.order == Order::column_major ? "True" : "False", m.rows, m.columns));
}

}  // namespace cairn::io
