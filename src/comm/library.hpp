// Which MPI answers in this process.
#pragma once

#include <string>

namespace cairn::comm {

struct MpiLibrary {
  std::string version;   // the first line of what the library says of itself
  std::string standard;  // of MPI, "3.1"
  std::string path;      // the shared object that MPI_Init comes from, links resolved
};
MpiLibrary mpi_library();  // needs no MPI_Init

}  // namespace cairn::comm
