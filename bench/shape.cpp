#include "bench/shape.hpp"

#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "cli/arguments.hpp"

namespace cairn::bench {

model::Product parse_shape(const std::string& text) {
  std::vector<Index> sizes;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('x', begin), text.size());
    sizes.push_back(cli::parse_size("a size of --shapes " + text, text.substr(begin, end - begin)));
    begin = end + 1;
  }
  require(sizes.size() == 3, "--shapes is '{}', expected MxNxK", text);
  return {sizes[0], sizes[1], sizes[2]};
}

}  // namespace cairn::bench
