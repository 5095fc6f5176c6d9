#include "doors/scalapack/original.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace cairn::scalapack {
namespace {

thread_local int inside = 0;

// The address where the library with this symbol begins.
const void* home_of(const void* symbol) {
  Dl_info info{};
  return dladdr(symbol, &info) != 0 ? info.dli_fbase : nullptr;
}

bool is_ours(const void* symbol) {
  static const void* const home = home_of(reinterpret_cast<const void*>(&find_original));
  return home_of(symbol) == home;
}

void* not_ours(void* symbol) { return symbol != nullptr && !is_ours(symbol) ? symbol : nullptr; }

std::vector<std::string> loaded_libraries() {
  std::vector<std::string> names;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* all) {
        if (info->dlpi_name != nullptr && info->dlpi_name[0] != '\0')
          static_cast<std::vector<std::string>*>(all)->emplace_back(info->dlpi_name);
        return 0;
      },
      &names);
  return names;
}

// A library stays loaded: the handles are never closed.
void* in_loaded_library(const char* name) {
  for (const std::string& library : loaded_libraries()) {
    void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_NOLOAD);
    if (handle == nullptr) continue;
    if (void* found = not_ours(dlsym(handle, name))) return found;
    dlclose(handle);
  }
  return nullptr;
}

void* in_known_library(const char* name) {
  for (const char* library : {CAIRN_SCALAPACK_LIBRARIES}) {
    void* handle = dlopen(library, RTLD_NOW | RTLD_GLOBAL);
    if (handle == nullptr) continue;
    if (void* found = not_ours(dlsym(handle, name))) return found;
  }
  return nullptr;
}

void* in_order_of_loading(const char* name) {
  if (void* found = not_ours(dlsym(RTLD_NEXT, name))) return found;
  return not_ours(dlsym(RTLD_DEFAULT, name));
}

std::array<std::string, 4> manglings(const std::string& name) {
  std::string upper = name;
  std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return std::toupper(c); });
  return {name + "_", name, name + "__", upper};
}

}  // namespace

void* find_original(const std::string& fortran_name) {
  const auto names = manglings(fortran_name);
  for (const auto place : {in_order_of_loading, in_loaded_library, in_known_library})
    for (const std::string& name : names)
      if (void* found = place(name.c_str())) return found;
  return nullptr;
}

void* find_exactly(const std::string& name) {
  for (const auto place : {in_order_of_loading, in_loaded_library, in_known_library})
    if (void* found = place(name.c_str())) return found;
  return nullptr;
}

int depth() { return inside; }
Inside::Inside() { ++inside; }
Inside::~Inside() { --inside; }

}  // namespace cairn::scalapack
