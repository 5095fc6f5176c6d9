// Short measurements of this machine.
#pragma once

#include "base/size.hpp"

namespace cairn::cli {

double seconds_now();

double copy_bytes_per_second(Index bytes);  // memory to memory, bytes counted once

}  // namespace cairn::cli
