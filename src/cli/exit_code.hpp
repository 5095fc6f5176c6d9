// What the program's exit code says.
#pragma once

#include <cairn/error.hpp>

namespace cairn::cli {

enum ExitCode : int {
  exit_right = 0,
  exit_wrong_result = 1,
  exit_bad_arguments = 2,
  exit_failure = 3,  // files, memory, MPI, a rank that ended
};

inline int exit_code_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::argument:
    case ErrorKind::overflow:
      return exit_bad_arguments;
    case ErrorKind::result:
      return exit_wrong_result;
    default:
      return exit_failure;
  }
}

}  // namespace cairn::cli
