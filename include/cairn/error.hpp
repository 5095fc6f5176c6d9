// The errors Cairn throws. Every one is a cairn::Error; its kind survives the trip between ranks, so that a
// mistake found on one rank is thrown as the same type with the same text on all of them.
#pragma once

#include <stdexcept>
#include <string>

#include "cairn/export.hpp"

namespace cairn {

enum class ErrorKind : int {
  argument = 1,  // a caller's argument is wrong; the text names it, its value and what was expected
  overflow = 2,  // a size does not fit the integer type it must be handed on in
  memory = 3,    // an allocation failed or would exceed a limit
  comm = 4,      // MPI returned an error
  timeout = 5,   // the watchdog saw no progress
  io = 6,        // a file cannot be read or written, or does not hold what it should
  result = 7,    // a result did not pass its verification
};

class CAIRN_EXPORT Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& text) : std::runtime_error(text), kind_(kind) {}
  ErrorKind kind() const noexcept { return kind_; }

 private:
  ErrorKind kind_;
};

// One class per kind, for `catch`.
template <ErrorKind Kind>
class CAIRN_EXPORT ErrorOf : public Error {
 public:
  explicit ErrorOf(const std::string& text) : Error(Kind, text) {}
};

using ArgumentError = ErrorOf<ErrorKind::argument>;
using OverflowError = ErrorOf<ErrorKind::overflow>;
using MemoryError = ErrorOf<ErrorKind::memory>;
using CommError = ErrorOf<ErrorKind::comm>;
using TimeoutError = ErrorOf<ErrorKind::timeout>;
using IoError = ErrorOf<ErrorKind::io>;
using ResultError = ErrorOf<ErrorKind::result>;

// Throws the class that belongs to `kind`: how an error that came over the wire becomes an exception again.
[[noreturn]] CAIRN_EXPORT void throw_error(ErrorKind kind, const std::string& text);

}  // namespace cairn
