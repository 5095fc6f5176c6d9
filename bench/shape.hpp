// Products on a command line.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "model/product.hpp"

namespace cairn::bench {

// "4096x4096x256": m, n and k.
model::Product parse_shape(const std::string& text);

// --shapes MxNxK,...; what is there is the default.
void add_shapes(CLI::App& app, std::vector<std::string>& shapes);

}  // namespace cairn::bench
