// The results as one HTML page and one Markdown page with pictures beside it.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "bench/figures.hpp"

namespace cairn::bench {

struct DrawnFigure {
  const Figure& figure;
  std::vector<cli::Chart> charts;
  std::vector<std::string> commands, problems;
  double seconds = 0;
};

struct Results {
  std::vector<std::pair<std::string, std::string>> about;  // machine, date, commit ...
  std::vector<DrawnFigure> figures;
};

// index.html, README.md, an SVG for each chart and results.json. Pictures of figures that are not there stay as they are.
void write_results(const std::filesystem::path& folder, const Results& results);

}  // namespace cairn::bench
