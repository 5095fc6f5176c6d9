// Numbers as text, read from any part of a file and in pieces of any length. Pure: bytes in, numbers out.
#pragma once

#include <string>
#include <string_view>

#include "base/size.hpp"

namespace cairn::io {

constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

struct TextCounts {
  Index tokens = 0;  // that start here
  Index lines = 0;   // that end here
};
// `before` is the character in front of the text; a space at the beginning of the file.
TextCounts count_tokens(std::string_view text, char before);

struct Token {
  std::string_view text;
  Index byte = 0;
  Index line = 0;
};

// Cuts a stream of pieces into tokens; one may begin in one piece and end in another.
class Tokens {
 public:
  static constexpr std::size_t longest = 1024;

  // The stream begins at this byte and line of the file; `inside` a token, which is then passed over.
  Tokens(Index byte, Index line, bool inside) : byte_(byte), line_(line), skipping_(inside) {}

  // f(Token) -> bool for each token that ends in this piece (or with it, at the end of the stream), until f
  // says false. Throws IoError at a token that is longer than the longest.
  template <class F>
  void feed(std::string_view piece, bool at_end, F&& f);

 private:
  // The end of the token that begins at `at`.
  static std::size_t end_of_token(std::string_view piece, std::size_t at);
  void check_length(std::string_view more) const;
  void keep(std::string_view part);
  template <class F>
  bool give(std::string_view last_part, std::size_t at, F&& f);

  Index byte_;
  Index line_;
  bool skipping_;
  std::string begun_;  // of a token whose end is not there yet
};

// One number. Throws IoError with the line where the text is none, or does not fit at all.
template <class R>
R parse_real(const Token& token);
// Only digits and a sign.
void require_whole(const Token& token);

// The numbers of one rank: those that start in its stretch of the file, and the rest of the last group where
// that is cut (the imaginary part of a complex number).
struct NumberStretch {
  Index begin = 0, end = 0;  // bytes
  Index line = 1;            // of the byte `begin`
  char before = ' ';         // the character in front of it
  Index skip = 0;            // this many numbers belong to the group of the stretch before
  Index group = 1;           // numbers that stay together
  bool whole = false;        // integers only
};

template <class R>
class NumberReader {
 public:
  explicit NumberReader(const NumberStretch& s)
      : stretch_(s), tokens_(s.begin, s.line, !is_space(s.before)) {}

  // f(number) for each; false when all are there. The pieces follow each other from stretch.begin on.
  template <class F>
  bool feed(std::string_view piece, bool at_end, F&& f);

 private:
  NumberStretch stretch_;
  Tokens tokens_;
  Index taken_ = 0;
  bool done_ = false;
};

// ---- bodies -----------------------------------------------------------------------------------------
template <class F>
void Tokens::feed(std::string_view piece, bool at_end, F&& f) {
  std::size_t at = 0;
  if (skipping_ || !begun_.empty()) {  // the first word here goes on
    at = end_of_token(piece, 0);
    if (!skipping_) {
      if (at == piece.size() && !at_end) {
        keep(piece);
        byte_ += static_cast<Index>(piece.size());
        return;
      }
      if (!give(piece.substr(0, at), 0, f)) return;
    }
    skipping_ = skipping_ && at == piece.size();
  }
  while (at < piece.size()) {
    if (is_space(piece[at])) {
      line_ += piece[at++] == '\n' ? 1 : 0;
      continue;
    }
    const std::size_t end = end_of_token(piece, at);
    if (end == piece.size() && !at_end) {
      keep(piece.substr(at));
      break;
    }
    if (!give(piece.substr(at, end - at), at, f)) return;
    at = end;
  }
  byte_ += static_cast<Index>(piece.size());
}

template <class F>
bool Tokens::give(std::string_view last_part, std::size_t at, F&& f) {
  check_length(last_part);
  if (begun_.empty()) return f(Token{last_part, byte_ + static_cast<Index>(at), line_});
  const Index byte = byte_ - static_cast<Index>(begun_.size());
  begun_ += last_part;
  const bool more = f(Token{begun_, byte, line_});
  begun_.clear();
  return more;
}

template <class R>
template <class F>
bool NumberReader<R>::feed(std::string_view piece, bool at_end, F&& f) {
  tokens_.feed(piece, at_end, [&](const Token& token) {
    if (stretch_.skip > 0 && token.byte < stretch_.end) {
      --stretch_.skip;
      return true;
    }
    done_ = token.byte >= stretch_.end && taken_ % stretch_.group == 0;
    if (done_) return false;
    if (stretch_.whole) require_whole(token);
    f(parse_real<R>(token));
    ++taken_;
    return true;
  });
  done_ = done_ || at_end;
  return !done_;
}

}  // namespace cairn::io
