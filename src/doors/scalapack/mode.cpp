#include "doors/scalapack/mode.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <iterator>

namespace cairn::scalapack {
namespace {

const ModeName* find_mode(std::string_view name) {
  const auto* found = std::ranges::find(mode_names, name, &ModeName::name);
  return found == std::end(mode_names) ? nullptr : found;
}

Mode from_environment() {
  const char* wanted = std::getenv("CAIRN_SCALAPACK");
  if (wanted == nullptr || *wanted == '\0') return Mode::automatic;
  if (const ModeName* found = find_mode(wanted)) return found->mode;
  std::fprintf(stderr, "cairn: CAIRN_SCALAPACK is '%s', expected auto, on, off or report: taken as auto\n",
               wanted);
  return Mode::automatic;
}

std::atomic<Mode>& current() {
  static std::atomic<Mode> value = from_environment();
  return value;
}

}  // namespace

Mode mode() { return current().load(std::memory_order_relaxed); }

bool set_mode(std::string_view name) {
  const ModeName* found = find_mode(name);
  if (found != nullptr) current() = found->mode;
  return found != nullptr;
}

std::string_view mode_name() { return std::ranges::find(mode_names, mode(), &ModeName::mode)->name; }

}  // namespace cairn::scalapack
