#include "cli/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace cairn::cli {

std::string Table::text() const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_)
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i == widths.size()) widths.push_back(0);
      widths[i] = std::max(widths[i], row[i].size());
    }
  std::string text;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    std::string line;
    for (std::size_t i = 0; i < rows_[r].size(); ++i) {
      const bool left = i == 0 || (last_is_text_ && i + 1 == widths.size());
      if (i > 0) line += "  ";
      line += left ? fmt::format("{:<{}}", rows_[r][i], widths[i])
                   : fmt::format("{:>{}}", rows_[r][i], widths[i]);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    if (r == 0) text += std::string(line.size(), '-') + "\n";
  }
  return text;
}

std::string number_text(double value) {
  const double size = std::abs(value);
  if (size < 1000 || !(size < 1e15)) return fmt::format("{:.4g}", value);
  const std::string text = fmt::format("{:.1f}", value);
  return text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
}

std::string with_unit(double value, const char* unit) {
  constexpr std::array prefixes{"", "k", "M", "G", "T"};
  std::size_t i = 0;
  while (value >= 1000 && i + 1 < prefixes.size()) value /= 1000, ++i;
  return fmt::format("{:.3g} {}{}", value, prefixes[i], unit);
}

std::string bytes_text(double bytes) {
  constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t i = 0;
  while (bytes >= 1024 && i + 1 < units.size()) bytes /= 1024, ++i;
  return fmt::format("{:.4g} {}", bytes, units[i]);
}

}  // namespace cairn::cli
