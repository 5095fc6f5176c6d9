#include "cli/machine_file.hpp"

#include <cstdlib>
#include <filesystem>
#include <optional>

#include "base/error.hpp"

namespace cairn::cli {
namespace {

std::optional<std::string> find_default() {
  const auto variable = [](const char* name) -> std::optional<std::string> {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') return {};
    return value;
  };
  if (const auto config = variable("XDG_CONFIG_HOME")) return *config + "/cairn/machine.json";
  if (const auto home = variable("HOME")) return *home + "/.config/cairn/machine.json";
  return {};
}

}  // namespace

std::string default_machine_file() {
  const std::optional<std::string> file = find_default();
  require(file.has_value(), "neither XDG_CONFIG_HOME nor HOME is set: give --save a file name");
  return *file;
}

KnownMachine known_machine(const std::string& file) {
  if (!file.empty()) return {bounds::load_machine(file), file};
  const std::optional<std::string> usual = find_default();
  std::error_code ignored;
  if (usual && std::filesystem::exists(*usual, ignored)) return {bounds::load_machine(*usual), *usual};
  return {{}, "built in"};
}

}  // namespace cairn::cli
