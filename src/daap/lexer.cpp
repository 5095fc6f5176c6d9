#include "daap/lexer.hpp"

#include <fmt/format.h>

#include "daap/limits.hpp"

namespace cairn::daap {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

class Lexer {
 public:
  explicit Lexer(const Source& source) : source_(source), text_(source.text()) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    for (skip(); at_ < text_.size(); skip()) tokens.push_back(next());
    tokens.push_back({TokenKind::end, "", 0, text_.size()});
    return tokens;
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void skip() {
    while (at_ < text_.size() && (is_blank(text_[at_]) || text_[at_] == '#')) {
      if (text_[at_] == '#')
        at_ = std::min(text_.find('\n', at_), text_.size());
      else
        ++at_;
    }
  }

  Token next() {
    if (is_letter(peek())) return name();
    if (is_digit(peek())) return integer();
    return sign();
  }

  Token name() {
    const std::size_t begin = at_;
    while (is_letter(peek()) || is_digit(peek())) ++at_;
    std::string word = text_.substr(begin, at_ - begin);
    if (word.size() > most_name)
      source_.fail_at(begin,
                      fmt::format("a name has {} characters, expected at most {}", word.size(), most_name));
    const TokenKind kind = word == "for"  ? TokenKind::keyword_for
                           : word == "in" ? TokenKind::keyword_in
                                          : TokenKind::name;
    return {kind, std::move(word), 0, begin};
  }

  Token integer() {
    const std::size_t begin = at_;
    Index value = 0;
    for (; is_digit(peek()); ++at_) {
      value = 10 * value + (peek() - '0');
      if (value > most_integer)
        source_.fail_at(begin, fmt::format("an integer is larger than {}", most_integer));
    }
    if (is_letter(peek())) source_.fail_at(at_, "a name must not begin with a digit");
    return {TokenKind::integer, text_.substr(begin, at_ - begin), value, begin};
  }

  Token sign() {
    const std::size_t begin = at_;
    if (peek() == '.' && peek(1) == '.') {
      at_ += 2;
      return {TokenKind::sign, "..", 0, begin};
    }
    if (std::string_view("{}[](),;:=+-*").find(peek()) == std::string_view::npos)
      source_.fail_at(begin, "this character does not belong to the language");
    return {TokenKind::sign, std::string(1, text_[at_++]), 0, begin};
  }

  const Source& source_;
  const std::string& text_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<Token> tokenize(const Source& source) {
  if (source.text().size() > most_bytes)
    source.fail_at(most_bytes, fmt::format("the program has {} bytes, expected at most {}",
                                           source.text().size(), most_bytes));
  return Lexer(source).run();
}

}  // namespace cairn::daap
