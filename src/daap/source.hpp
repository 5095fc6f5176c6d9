// The text of a loop program, and errors that point into it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cairn::daap {

struct Position {
  int line = 1;
  int column = 1;
};

class Source {
 public:
  Source(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  const std::string& text() const noexcept { return text_; }
  const std::string& name() const noexcept { return name_; }
  Position position(std::size_t offset) const;

  // Throws an ArgumentError: `name:line:column: message`, the line, and a caret under the column.
  [[noreturn]] void fail_at(std::size_t offset, std::string_view message) const;

 private:
  std::string line_around(std::size_t offset, std::size_t& column) const;

  std::string text_;
  std::string name_;
};

}  // namespace cairn::daap
