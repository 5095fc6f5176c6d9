// A played game as an SVG picture.
#pragma once

#include <span>
#include <string>

#include "pebble/game.hpp"

namespace cairn::pebble {

struct PictureOptions {
  Index width = 720;
  Index height = 360;
  std::string title;
  double bound = 0;  // drawn across the words moved, if positive
};

// Time runs to the right, a step a move. Above: how many inputs and computed values are red, out of `red`.
// Below: the words moved so far and the bound. A game with several processors shows the sum of their pebbles.
std::string occupancy_svg(const Cdag& graph, Index red, std::span<const Move> moves,
                          const PictureOptions& options = {});

}  // namespace cairn::pebble
