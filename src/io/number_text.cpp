#include "io/number_text.hpp"

#include <charconv>

#include "io/format.hpp"

namespace cairn::io {

TextCounts count_tokens(std::string_view text, char before) {
  TextCounts counts;
  bool space = is_space(before);
  for (const char c : text) {
    const bool now = is_space(c);
    counts.tokens += space && !now ? 1 : 0;
    counts.lines += c == '\n' ? 1 : 0;
    space = now;
  }
  return counts;
}

std::size_t Tokens::end_of_token(std::string_view piece, std::size_t at) {
  while (at < piece.size() && !is_space(piece[at])) ++at;
  return at;
}

void Tokens::check_length(std::string_view more) const {
  require<IoError>(begun_.size() + more.size() <= longest,
                   "line {}: a word of more than {} characters, expected a number", line_, longest);
}

void Tokens::keep(std::string_view part) {
  check_length(part);
  begun_ += part;
}

namespace {

[[noreturn]] void no_number(const Token& token, std::string_view expected) {
  fail<IoError>("line {} (byte {}): found {}, expected {}", token.line, token.byte, in_quotes(token.text),
                expected);
}

// The text without a plus sign, which from_chars does not take.
std::string_view unsigned_text(const Token& token) {
  const std::string_view text = token.text;
  const bool plus = text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+';
  return plus ? text.substr(1) : text;
}

template <class R>
std::errc parse_all(std::string_view text, R& value) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && stop != text.data() + text.size() ? std::errc::invalid_argument : error;
}

}  // namespace

template <class R>
R parse_real(const Token& token) {
  const std::string_view text = unsigned_text(token);
  R value{};
  std::errc error = parse_all(text, value);
  if (error == std::errc::result_out_of_range) {  // rounds to infinity or zero, as a conversion would
    long double wide = 0;
    error = parse_all(text, wide);
    value = static_cast<R>(wide);
  }
  if (error == std::errc::result_out_of_range) no_number(token, "a number that fits");
  if (error != std::errc()) no_number(token, "a number");
  return value;
}

template float parse_real(const Token&);
template double parse_real(const Token&);

void require_whole(const Token& token) {
  const std::string_view text = token.text;
  const std::size_t sign = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  if (text.size() == sign || text.find_first_not_of("0123456789", sign) != std::string_view::npos)
    no_number(token, "a whole number, as line 1 says");
}

}  // namespace cairn::io
