// The patterns for common numbers of positions, found once and shipped.
#pragma once

#include <optional>

#include "factor/symmetric_search.hpp"

namespace cairn::factor {

// From the table, or searched for and kept. The same on every machine.
const SymmetricCells& symmetric_pattern(int positions);

// Whether the table has it: a search takes about half a second.
bool symmetric_pattern_is_shipped(int positions);

// With nearly even loads, for a few words more: for up to 17 positions, where there is a better one than that.
std::optional<SymmetricCells> even_symmetric_pattern(int positions);

}  // namespace cairn::factor
