// A plan as a picture: the m x n x k box cut into bricks, and the words each rank receives.
#pragma once

#include <string>

#include "plan/plan.hpp"

namespace cairn::cli {

// SVG. Grids with many parts are drawn with fewer, and of many ranks only some have a bar: the picture says
// so.
std::string brick_svg(const plan::Plan& plan, const std::string& algorithm);

}  // namespace cairn::cli
