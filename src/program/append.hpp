// Programs one behind the other.
#pragma once

#include "program/program.hpp"

namespace cairn::program {

// `next` behind `program`, for the same rank and the same arrays: it starts when all communication of `program` is
// over, and uses the same work memory.
void append(Program& program, Program next);

}  // namespace cairn::program
