// The rank of an access function vector.
#pragma once

#include <cstddef>

#include "daap/program.hpp"

namespace cairn::daap {

// Rank of the linear part of the indices in the access's loop variables.
std::size_t column_rank(const Access& access);

}  // namespace cairn::daap
