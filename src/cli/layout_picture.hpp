// A layout as a picture: every rectangle in the colour of its owner, with its rank where there is room.
#pragma once

#include <string>

#include "layout/layout.hpp"

namespace cairn::cli {

// SVG. Rectangles that would be smaller than a pixel are left out, and the picture says so.
std::string layout_svg(const layout::Layout& layout, const std::string& title);

}  // namespace cairn::cli
