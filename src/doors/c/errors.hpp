// How an exception becomes a status and a text: none crosses into C.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <initializer_list>
#include <utility>

#include "cairn/cairn.h"
#include "cairn/error.hpp"

namespace cairn::c_door {

// What is wrong with a call on this rank alone, found before the library saw it: a handle that is none, a type
// that differs, a null address. Errors of the library itself are the same on every rank already.
class LocalError : public Error {
 public:
  explicit LocalError(const std::string& text) : Error(ErrorKind::argument, text) {}
};

template <class... Args>
void expect(bool holds, fmt::format_string<Args...> text, Args&&... args) {
  if (!holds) throw LocalError(fmt::format(text, std::forward<Args>(args)...));
}

// The address of a result, of a struct that must be there, of an array.
template <class P>
P* required(P* address, const char* name) {
  expect(address != nullptr, "{} is NULL, expected an address", name);
  return address;
}

// The status of the exception that is being handled; its text becomes cairn_last_error().
cairn_status remember_error() noexcept;

// Collective, where one of the handles leads to a context: the others are in the first agreement of `operation`,
// which this rank joins with its error, so that all ranks end with it. Always throws.
[[noreturn]] void share_error(const char* operation, std::initializer_list<const void*> handles,
                              const LocalError& error);

template <class F>
cairn_status guarded(F&& f) noexcept {
  try {
    std::forward<F>(f)();
    return CAIRN_SUCCESS;
  } catch (...) {
    return remember_error();
  }
}

// A call that all ranks make. `operation` is what the library calls it in its own first agreement.
template <class F>
cairn_status collective(const char* operation, std::initializer_list<const void*> handles, F&& f) noexcept {
  return guarded([&] {
    try {
      std::forward<F>(f)();
    } catch (const LocalError& e) {
      share_error(operation, handles, e);
    }
  });
}

}  // namespace cairn::c_door
