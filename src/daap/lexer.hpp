// Words and signs of the loop language.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/size.hpp"
#include "daap/source.hpp"

namespace cairn::daap {

enum class TokenKind { name, integer, keyword_for, keyword_in, sign, end };

struct Token {
  TokenKind kind = TokenKind::end;
  std::string text;        // "" at the end of the program
  Index value = 0;         // of an integer
  std::size_t offset = 0;  // in the source
};

// All tokens, the last one of kind end. Blanks and comments (# to the end of the line) are dropped.
std::vector<Token> tokenize(const Source& source);

}  // namespace cairn::daap
