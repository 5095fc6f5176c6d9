// The memory that this node can still give.
#pragma once

#include "base/size.hpp"

namespace cairn::cli {

// What the system would give without swapping, and no more than the limit of this process's control group.
// Where neither is known: the largest Index.
Index free_memory_bytes();

// Of the node, or of the control group where that has less.
Index node_memory_bytes();

}  // namespace cairn::cli
