// The patterns for common numbers of positions, found once and shipped.
#pragma once

#include "factor/symmetric_search.hpp"

namespace cairn::factor {

// From the table, or searched for and kept. The same on every machine.
const SymmetricCells& symmetric_pattern(int positions);

}  // namespace cairn::factor
