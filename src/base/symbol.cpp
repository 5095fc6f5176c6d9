#include "base/symbol.hpp"

#include <dlfcn.h>

#include <array>
#include <climits>
#include <cstdlib>

namespace cairn {

std::string library_of(const void* function) {
  Dl_info info{};
  if (dladdr(function, &info) == 0 || info.dli_fname == nullptr) return {};
  std::array<char, PATH_MAX> resolved{};
  return realpath(info.dli_fname, resolved.data()) != nullptr ? resolved.data() : info.dli_fname;
}

}  // namespace cairn
