// Interleaved timing on one process; `interleaved` does the same on ranks.
#pragma once

#include "bench/driver.hpp"

namespace cairn::bench {

// Each is warmed once and then has its turn in every round, every second round in the opposite order: so many rounds, and
// more while `seconds` have not passed.
Timings in_turn(const std::vector<std::function<void()>>& ways, int rounds, double seconds = 0);

}  // namespace cairn::bench
