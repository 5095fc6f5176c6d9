#include "cli/node_memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "cli/table.hpp"

namespace cairn::cli {
namespace {

constexpr Index unlimited = std::numeric_limits<Index>::max();

std::optional<Index> first_number(const std::string& path) {
  std::ifstream in(path);
  Index value = 0;
  if (in >> value) return value;
  return {};
}

// "MemAvailable:   123 kB"
std::optional<Index> memory_line(const std::string& name) {
  std::ifstream in("/proc/meminfo");
  std::string word, rest;
  while (in >> word) {
    Index kib = 0;
    if (word == name + ":" && in >> kib) return kib * 1024;
    std::getline(in, rest);
  }
  return {};
}

struct GroupMemory {
  Index limit = unlimited;
  Index used = 0;
};

// Version 2, or 1.
GroupMemory group_memory() {
  for (const auto& [limit, used] : {std::pair{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
                                    std::pair{"/sys/fs/cgroup/memory/memory.limit_in_bytes",
                                              "/sys/fs/cgroup/memory/memory.usage_in_bytes"}})
    if (const auto found = first_number(limit)) return {*found, first_number(used).value_or(0)};
  return {};
}

}  // namespace

Index free_memory_bytes() {
  const GroupMemory group = group_memory();
  const Index system = memory_line("MemAvailable").value_or(unlimited);
  return group.limit == unlimited ? system : std::min(system, std::max<Index>(0, group.limit - group.used));
}

void require_free_memory(std::string_view matrix, double bytes) {
  const auto have = static_cast<double>(free_memory_bytes());
  require<MemoryError>(
      bytes <= have,
      "{} takes {} on this node, which has {} free: expected a smaller matrix, or ranks on more nodes",
      matrix, bytes_text(bytes), bytes_text(have));
}

Index node_memory_bytes() {
  const Index pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return std::min(pages > 0 ? pages * page : unlimited, group_memory().limit);
}

}  // namespace cairn::cli
