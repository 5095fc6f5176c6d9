// Words of the head of a Matrix Market file, dense or sparse.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/size.hpp"
#include "io/format.hpp"

namespace cairn::io {

std::string lower_case(std::string_view text);
// Not more than one beyond `most`.
std::vector<std::string_view> words_of(std::string_view line, std::size_t most);
// A size of 0 or more. Throws IoError that names the line.
Index parse_size(std::string_view word, Index line);

// The place of the word among the names, as an E. Throws IoError that names line 1.
template <class E, std::size_t N>
E choose_word(std::string_view word, const std::array<std::string_view, N>& names,
              std::string_view expected) {
  for (std::size_t i = 0; i < N; ++i)
    if (lower_case(word) == names[i]) return static_cast<E>(i);
  fail<IoError>("line 1: found {}, expected {}", in_quotes(word), expected);
}

inline constexpr std::array<std::string_view, 4> symmetry_words{"general", "symmetric", "skew-symmetric",
                                                                "hermitian"};

}  // namespace cairn::io
