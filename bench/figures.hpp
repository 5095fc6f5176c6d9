// The figures of the results page: what is measured or planned for each, and what it says and does not say.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/measurements.hpp"

namespace cairn::bench {

struct Figure {
  std::string name;  // of its files
  std::string title, says, says_not;
  std::function<std::vector<cli::Chart>(Measurements&)> draw;
};

std::vector<Figure> words_figures();  // over the bound, on 2 to 64 ranks
std::vector<Figure> times_figures();  // beside peers
std::vector<Figure> scale_figures();  // the papers' scenarios, memory

}  // namespace cairn::bench
