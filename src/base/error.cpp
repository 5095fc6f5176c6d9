#include "base/error.hpp"

namespace cairn {

void throw_error(ErrorKind kind, const std::string& text) {
  switch (kind) {
    case ErrorKind::argument:
      throw ArgumentError(text);
    case ErrorKind::overflow:
      throw OverflowError(text);
    case ErrorKind::memory:
      throw MemoryError(text);
    case ErrorKind::comm:
      throw CommError(text);
    case ErrorKind::timeout:
      throw TimeoutError(text);
    case ErrorKind::io:
      throw IoError(text);
    case ErrorKind::result:
      throw ResultError(text);
  }
  throw Error(kind, text);
}

}  // namespace cairn
