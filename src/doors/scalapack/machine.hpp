// The machine that calls are weighed for.
#pragma once

#include "cairn/context.hpp"
#include "cairn/plan.hpp"

namespace cairn::scalapack {

// Collective. That of the file CAIRN_MACHINE names; else what the program `cairn` kept for so many ranks; else measured, in
// some hundredths of a second.
Machine machine_of(const Context& context);

}  // namespace cairn::scalapack
