#include "bench/shape.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"
#include "cli/arguments.hpp"

namespace cairn::bench {

bounds::Product parse_shape(const std::string& text) {
  std::vector<Index> sizes;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('x', begin), text.size());
    sizes.push_back(cli::parse_size("a size of --shapes " + text, text.substr(begin, end - begin)));
    begin = end + 1;
  }
  require(sizes.size() == 3, "--shapes is '{}', expected MxNxK", text);
  return {sizes[0], sizes[1], sizes[2]};
}

void add_shapes(cli::Command app, std::vector<std::string>& shapes) {
  app.add_option("--shapes", shapes, fmt::format("Products (default {})", fmt::join(shapes, ",")))
      .delimiter(',')
      .type_name("MxNxK,...");
}

}  // namespace cairn::bench
