// What pictures share.
#pragma once

#include <string>

namespace cairn::cli {

// Hues that are far apart for neighbouring ranks. `shade` is added to the lightness, in percent.
std::string rank_colour(int rank, int shade = 0);

// Opens a picture of this many pixels on white; close it with "</svg>\n".
std::string svg_open(double width, double height);

}  // namespace cairn::cli
