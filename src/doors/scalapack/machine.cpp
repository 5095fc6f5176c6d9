#include "doors/scalapack/machine.hpp"

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include "cairn/error.hpp"
#include "cairn/machine.hpp"

namespace cairn::scalapack {
namespace {

constexpr double first_look = 0.02;  // seconds

std::optional<std::string> variable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return {};
  return value;
}

// Where the program `cairn` keeps what it measured.
std::string cache_folder() {
  if (const auto folder = variable("XDG_CACHE_HOME")) return *folder + "/cairn";
  if (const auto home = variable("HOME")) return *home + "/.cache/cairn";
  return {};
}

// The file that the user names; what is wrong with it is said once.
std::optional<std::string> named_file() {
  const auto file = variable("CAIRN_MACHINE");
  if (!file) return {};
  try {
    load_machine(*file);
  } catch (const Error& e) {
    std::fprintf(stderr, "cairn: CAIRN_MACHINE: %s\n", e.what());
  }
  return file;
}

}  // namespace

Machine machine_of(const Context& context) {
  static const std::string place = named_file().value_or(cache_folder());
  return measure_machine(context, {.seconds = first_look, .kept_in = place});
}

}  // namespace cairn::scalapack
