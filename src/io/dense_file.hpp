// Plain bytes of a file <-> a distributed matrix.
#pragma once

#include <functional>

#include "io/file.hpp"
#include "io/share.hpp"

namespace cairn::io {

// How bytes are moved, the same for reading and writing.
struct Transfer {
  Access access = Access::automatic;
  Index piece_bytes = Index{4} << 20;  // of work memory a rank, beside the share
  // Called on each rank with the part of its bytes that is done, 0 to 1.
  std::function<void(double)> progress = {};
};

// Collective. The matrix that stands in the open file `file` -> m. `operation` names it in errors. Work
// memory: one piece; where the reading is shared, as much again as a p-th of the matrix.
template <Scalar T>
void read_dense(comm::CommView comm, const std::string& operation, const File& file,
                const StoredMatrix& stored, const layout::MatrixView<T>& m, const Transfer& how);

// Collective. m -> the open file; stored.type and byte order are those of T here.
template <Scalar T>
void write_dense(comm::CommView comm, const std::string& operation, const File& file,
                 const StoredMatrix& stored, const layout::MatrixView<const T>& m, const Transfer& how);

}  // namespace cairn::io
