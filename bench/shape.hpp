// Products on a command line.
#pragma once

#include <string>

#include "model/product.hpp"

namespace cairn::bench {

// "4096x4096x256": m, n and k of --shapes.
model::Product parse_shape(const std::string& text);

}  // namespace cairn::bench
