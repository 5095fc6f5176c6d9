#include "cli/svg.hpp"

#include <fmt/format.h>

#include <cmath>

namespace cairn::cli {

// Steps of the golden angle.
std::string rank_colour(int rank, int shade) {
  const double hue = std::fmod(rank * 137.50776405003785, 360);
  return fmt::format("hsl({:.0f},{}%,{}%)", hue, 55 + 10 * (rank % 3), 62 + 6 * (rank % 4) + shade);
}

std::string svg_open(double width, double height) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
      "{1:.0f}\" font-family=\"sans-serif\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
      width, height);
}

}  // namespace cairn::cli
