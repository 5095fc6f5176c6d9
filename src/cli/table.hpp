// Plain tables on a terminal.
#pragma once

#include <string>
#include <vector>

namespace cairn::cli {

class Table {
 public:
  explicit Table(std::vector<std::string> header) : rows_{std::move(header)} {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  // The first column is flush left, the others flush right; the last one, too, if it holds sentences.
  std::string text() const;
  void last_is_text() { last_is_text_ = true; }
  // One more column at the end, of sentences.
  void add_column(std::string name) {
    rows_.front().push_back(std::move(name));
    last_is_text_ = true;
  }

 private:
  bool last_is_text_ = false;
  std::vector<std::vector<std::string>> rows_;
};

std::string number_text(double value);                  // 12345, 12345.7, 0.01235, 1.235e+18
std::string with_unit(double value, const char* unit);  // 1.23 G + unit
std::string bytes_text(double bytes);                   // 8 MiB

}  // namespace cairn::cli
