// The rank of an access function vector.
#pragma once

#include <cstddef>

#include "model/daap/program.hpp"

namespace cairn::model::daap {

// Rank of the linear part of the indices in the access's loop variables.
std::size_t column_rank(const Access& access);

}  // namespace cairn::model::daap
