// Which shared object a function comes from.
#pragma once

#include <string>

namespace cairn {

// The path of the shared object (or program) that holds `function`, links resolved; empty if unknown.
std::string library_of(const void* function);

}  // namespace cairn
