#include "io/matrix_market_words.hpp"

#include <charconv>

#include "io/number_text.hpp"

namespace cairn::io {

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

std::vector<std::string_view> words_of(std::string_view line, std::size_t most) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < line.size() && words.size() <= most;) {
    std::size_t end = at;
    while (end < line.size() && !is_space(line[end])) ++end;
    if (end > at) words.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

Index parse_size(std::string_view word, Index line) {
  Index value = 0;
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  require<IoError>(error == std::errc() && stop == word.data() + word.size() && value >= 0,
                   "line {}: found {}, expected a size of 0 or more that fits 64 bits", line,
                   in_quotes(word));
  return value;
}

}  // namespace cairn::io
