// The memory that this node can still give.
#pragma once

#include <string_view>

#include "base/size.hpp"

namespace cairn::cli {

// What the system would give without swapping, and no more than the limit of this process's control group.
// Where neither is known: the largest Index.
Index free_memory_bytes();
// MemoryError where a matrix would take more than that: `bytes` of all ranks of this node.
void require_free_memory(std::string_view matrix, double bytes);

// Of the node, or of the control group where that has less.
Index node_memory_bytes();

}  // namespace cairn::cli
