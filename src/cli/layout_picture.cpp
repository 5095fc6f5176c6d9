#include "cli/layout_picture.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/xml_text.hpp"
#include "cli/svg.hpp"

namespace cairn::cli {
namespace {

using layout::IndexMap;
using layout::Layout;
using layout::Run;

constexpr double longest_side = 720;
constexpr Index most_runs = 400;  // in each direction

std::vector<Run> runs_of(const IndexMap& map) {
  std::vector<Run> runs;
  for (Index i = 0; i < map.size() && std::cmp_less(runs.size(), most_runs); i = runs.back().end)
    runs.push_back(map.run_at(i));
  return runs;
}

std::string owners_text(const Layout& layout, int row_part, int column_part) {
  const int copies = layout.copies(row_part, column_part);
  std::vector<int> owners;
  for (int c = 0; c < std::min(copies, 4); ++c) owners.push_back(layout.owner(row_part, column_part, c));
  return fmt::format("{}{}", fmt::join(owners, ","), copies > 4 ? ",..." : "");
}

std::string rectangle(const Layout& layout, const Run& r, const Run& c, double scale) {
  const double width = scale * static_cast<double>(c.count()),
               height = scale * static_cast<double>(r.count());
  const double x = 20 + scale * static_cast<double>(c.begin), y = 50 + scale * static_cast<double>(r.begin);
  const std::string owners = owners_text(layout, r.part, c.part);
  std::string svg = fmt::format(
      "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\" stroke=\"#fff\" "
      "stroke-width=\"0.5\"><title>rows {}..{}, columns {}..{}: rank {}</title></rect>\n",
      x, y, width, height, rank_colour(layout.owner(r.part, c.part)), r.begin, r.end - 1, c.begin, c.end - 1,
      owners);
  const double size = std::min({14.0, height * 0.6, width * 1.4 / static_cast<double>(owners.size() + 1)});
  if (size >= 5)
    svg +=
        fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
                    x + width / 2, y + height / 2 + size / 3, size, owners);
  return svg;
}

}  // namespace

std::string layout_svg(const Layout& layout, const std::string& title) {
  const double longest = static_cast<double>(std::max({layout.rows(), layout.columns(), Index{1}}));
  const double scale = longest_side / longest;
  const std::vector<Run> rows = runs_of(layout.row_map()), columns = runs_of(layout.column_map());
  std::string body;
  for (const Run& c : columns)
    for (const Run& r : rows) body += rectangle(layout, r, c, scale);
  const bool all = (rows.empty() || rows.back().end == layout.rows()) &&
                   (columns.empty() || columns.back().end == layout.columns());
  const double width = 40 + scale * static_cast<double>(layout.columns());
  const double height = 90 + scale * static_cast<double>(layout.rows());
  return fmt::format(
      "{}<text x=\"20\" y=\"30\" font-size=\"16\">{}: {} x {}</text>\n{}"
      "<text x=\"20\" y=\"{:.0f}\" font-size=\"12\">{}</text>\n</svg>\n",
      svg_open(std::max(width, 500.0), height), xml_escaped(title), layout.rows(), layout.columns(), body,
      height - 15,
      all ? "a number is the rank that owns the rectangle"
          : "only the first 400 blocks each way are drawn; a number is the rank that owns the rectangle");
}

}  // namespace cairn::cli
