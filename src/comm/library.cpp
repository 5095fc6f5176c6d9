#include "comm/library.hpp"

#include <array>

#include "base/symbol.hpp"
#include "comm/mpi_call.hpp"

namespace cairn::comm {

MpiLibrary mpi_library() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0, major = 0, minor = 0;
  check_mpi(MPI_Get_library_version(text.data(), &length), "MPI_Get_library_version");
  check_mpi(MPI_Get_version(&major, &minor), "MPI_Get_version");
  const std::string version(text.data());
  return {version.substr(0, version.find_first_of(",\n")), fmt::format("{}.{}", major, minor),
          library_of(reinterpret_cast<const void*>(&MPI_Init))};
}

}  // namespace cairn::comm
