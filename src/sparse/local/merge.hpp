// Several parts of the same matrix added up: how distributed products combine what other ranks computed.
#pragma once

#include <span>

#include "base/workers.hpp"
#include "sparse/local/csr.hpp"
#include "sparse/local/semiring.hpp"

namespace cairn::sparse {

// Entries of any part; those that stand in several are combined by S::add in the order of the parts. The
// parts have one shape (ArgumentError otherwise) and need not be sorted; the result is. `workers`: threads to
// use, none: this one.
template <SemiringType S>
Csr<typename S::Value> merge(std::span<const Csr<typename S::Value>> parts, Workers* workers = nullptr);

}  // namespace cairn::sparse
