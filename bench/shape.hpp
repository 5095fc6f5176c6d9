// Products on a command line.
#pragma once

#include <string>
#include <vector>

#include "bounds/product.hpp"
#include "cli/command.hpp"

namespace cairn::bench {

// "4096x4096x256": m, n and k.
bounds::Product parse_shape(const std::string& text);

// --shapes MxNxK,...; what is there is the default.
void add_shapes(cli::Command app, std::vector<std::string>& shapes);

}  // namespace cairn::bench
