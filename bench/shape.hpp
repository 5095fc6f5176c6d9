// Products on a command line.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"
#include "model/product.hpp"

namespace cairn::bench {

// "4096x4096x256": m, n and k.
model::Product parse_shape(const std::string& text);

// --shapes MxNxK,...; what is there is the default.
void add_shapes(cli::Command app, std::vector<std::string>& shapes);

}  // namespace cairn::bench
