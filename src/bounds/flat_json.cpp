#include "bounds/flat_json.hpp"

#include <charconv>
#include <cmath>
#include <cstddef>
#include <utility>

#include "base/error.hpp"

namespace cairn::bounds {
namespace {

constexpr std::string_view escape_letters = "\"\\/bfnrt";
constexpr std::string_view escaped_characters = "\"\\/\b\f\n\r\t";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The UTF-8 of a character below 0x10000.
std::string utf8(unsigned code) {
  const auto byte = [](unsigned bits) { return static_cast<char>(bits); };
  if (code < 0x80) return {byte(code)};
  if (code < 0x800) return {byte(0xC0 | code >> 6), byte(0x80 | (code & 0x3F))};
  return {byte(0xE0 | code >> 12), byte(0x80 | (code >> 6 & 0x3F)), byte(0x80 | (code & 0x3F))};
}

class FlatJsonReader {
 public:
  explicit FlatJsonReader(std::string_view text) : text_(text) {}

  FlatObject object() {
    FlatObject result;
    expect('{');
    if (!taken('}')) {
      do {
        member(result);
      } while (taken(','));
      expect('}');
    }
    skip_blanks();
    if (at_ != text_.size()) refuse("the end");
    return result;
  }

 private:
  [[noreturn]] void refuse(std::string_view expected) const {
    fail<IoError>("not a JSON object of texts and numbers: at byte {} expected {}", at_, expected);
  }

  char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip_blanks() {
    while (next() != '\0' && std::string_view(" \t\n\r").find(next()) != std::string_view::npos) ++at_;
  }

  bool taken(char c) {
    skip_blanks();
    if (next() != c) return false;
    ++at_;
    return true;
  }

  void expect(char c) {
    if (!taken(c)) refuse(std::string{'\'', c, '\''});
  }

  void member(FlatObject& object) {
    expect('"');
    std::string key = text_until_quote();
    expect(':');
    if (object.contains(key)) refuse("another key than '" + key + "', which was there before");
    FlatValue read = value();
    object.emplace(std::move(key), std::move(read));
  }

  FlatValue value() {
    if (taken('"')) return text_until_quote();
    if (word("true")) return true;
    if (word("false")) return false;
    if (word("null")) return std::monostate{};
    return number();
  }

  bool word(std::string_view name) {
    if (!text_.substr(at_).starts_with(name)) return false;
    at_ += name.size();
    return true;
  }

  std::string text_until_quote() {
    std::string result;
    for (; next() != '"'; ++at_) {
      if (static_cast<unsigned char>(next()) < 0x20) refuse("the '\"' that ends a text");
      result += next() == '\\' ? escape() : std::string(1, next());
    }
    ++at_;
    return result;
  }

  // From the backslash to the last character that belongs to it.
  std::string escape() {
    ++at_;
    if (next() == 'u') return unicode();
    const std::size_t which = next() == '\0' ? std::string_view::npos : escape_letters.find(next());
    if (which == std::string_view::npos) refuse("one of \" \\ / b f n r t u after '\\'");
    return {escaped_characters[which]};
  }

  std::string unicode() {
    const std::string_view digits = text_.substr(at_ + 1, 4);
    unsigned code = 0;
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    const bool whole = error == std::errc{} && stop == digits.data() + 4;
    if (!whole || (code >= 0xD800 && code < 0xE000)) refuse("four hexadecimal digits of a character");
    at_ += 4;
    return utf8(code);
  }

  void digits() {
    if (!is_digit(next())) refuse("a text, a number, true, false or null");
    while (is_digit(next())) ++at_;
  }

  // JSON's own grammar first: from_chars also takes 01, .5, inf and nan.
  double number() {
    const std::size_t begin = at_;
    if (next() == '-') ++at_;
    if (next() == '0') {
      ++at_;
    } else {
      digits();
    }
    if (next() == '.') ++at_, digits();
    if (next() == 'e' || next() == 'E') exponent();
    double result = 0;
    const auto [stop, error] = std::from_chars(text_.data() + begin, text_.data() + at_, result);
    if (error != std::errc{} || stop != text_.data() + at_) refuse("a number that a double can hold");
    return result;
  }

  void exponent() {
    ++at_;
    if (next() == '+' || next() == '-') ++at_;
    digits();
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const std::size_t which = escaped_characters.find(c);
    if (which != std::string_view::npos && c != '/') {
      result += {'\\', escape_letters[which]};
    } else if (static_cast<unsigned char>(c) < 0x20) {
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      result += c;
    }
  }
  return result + '"';
}

struct FlatValueText {
  std::string operator()(std::monostate) const { return "null"; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(double value) const {
    return std::isfinite(value) ? fmt::format("{}", value) : "null";
  }
  std::string operator()(const std::string& value) const { return quoted(value); }
};

}  // namespace

FlatObject parse_flat_json(std::string_view text) { return FlatJsonReader(text).object(); }

std::string flat_json_text(const FlatObject& object) {
  std::string result = "{";
  for (const auto& [key, value] : object)
    result += fmt::format("{}\n  {}: {}", result.size() > 1 ? "," : "", quoted(key),
                          std::visit(FlatValueText{}, value));
  return result + "\n}\n";
}

}  // namespace cairn::bounds
