#include "daap/source.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace cairn::daap {
namespace {

constexpr std::size_t widest_line = 120;  // longer lines are shown around the place only

char printable(char c) { return c >= ' ' && c <= '~' ? c : (c == '\t' ? ' ' : '?'); }

}  // namespace

Position Source::position(std::size_t offset) const {
  Position at;
  for (std::size_t i = 0; i < std::min(offset, text_.size()); ++i) {
    at.column = text_[i] == '\n' ? 1 : at.column + 1;
    at.line += text_[i] == '\n' ? 1 : 0;
  }
  return at;
}

// The line that holds `offset`, cut to a window if it is long; `column` is the place inside the result.
std::string Source::line_around(std::size_t offset, std::size_t& column) const {
  offset = std::min(offset, text_.size());
  const std::size_t before = offset == 0 ? std::string::npos : text_.rfind('\n', offset - 1);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  const std::size_t end = std::min(text_.find('\n', offset), text_.size());
  const std::size_t first =
      std::max(begin, offset > begin + widest_line / 2 ? offset - widest_line / 2 : begin);
  column = offset - first;
  std::string line = text_.substr(first, std::min(end - first, widest_line));
  std::transform(line.begin(), line.end(), line.begin(), printable);
  return line;
}

void Source::fail_at(std::size_t offset, std::string_view message) const {
  const Position at = position(offset);
  std::size_t column = 0;
  const std::string line = line_around(offset, column);
  fail("{}:{}:{}: {}\n  {}\n  {}^", name_, at.line, at.column, message, line, std::string(column, ' '));
}

}  // namespace cairn::daap
