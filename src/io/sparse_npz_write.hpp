// Writing SciPy's .npz files.
#pragma once

#include <span>
#include <string>

#include "base/scalar.hpp"
#include "comm/communicator.hpp"
#include "io/sparse_triple.hpp"

namespace cairn::io {

// Collective. As csr, stored without packing; the rows ascend within and between ranks (ArgumentError).
template <Scalar T>
void write_npz(comm::CommView comm, const std::string& operation, const std::string& path, Index rows,
               Index columns, std::span<const Triple<T>> entries);

}  // namespace cairn::io
