// A plot of lines or bars with axes, grid and legend, as a picture in SVG that stands alone.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace cairn::cli {

struct ChartSeries {
  std::string name;
  std::vector<double> x = {};  // of lines; bars have the chart's categories instead
  std::vector<double> y;       // what is not finite is left out
  bool dots = false;           // few points that were measured: no line between them
};

struct Chart {
  enum class Kind { lines, bars };

  std::string title;
  Kind kind = Kind::lines;
  std::string x_label = {}, y_label = {};  // bars lie: their values are along x
  bool log_x = false, log_y = false;
  bool from_zero = false;                    // of lines: y starts there
  std::vector<double> marks = {};            // a dashed line at these values: 1 for "as good as"
  std::vector<std::string> categories = {};  // of bars
  std::vector<ChartSeries> series = {};

  bool empty() const;
};

// 560 units wide, with text that can still be read on a screen of 400 pixels.
std::string svg_chart(const Chart& chart);

nlohmann::json chart_json(const Chart& chart);

}  // namespace cairn::cli
