#include "comm/mpi_call.hpp"

#include <array>
#include <string_view>

namespace cairn::comm {

void check_mpi(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  fail<CommError>("{} failed: {}", call, std::string_view(text.data(), static_cast<std::size_t>(length)));
}

bool mpi_is_alive() noexcept {
  int initialized = 0, finalized = 0;
  MPI_Initialized(&initialized);
  if (initialized == 0) return false;
  MPI_Finalized(&finalized);
  return finalized == 0;
}

}  // namespace cairn::comm
