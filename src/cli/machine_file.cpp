#include "cli/machine_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/error.hpp"

namespace cairn::cli {
namespace {

namespace fs = std::filesystem;

// Of this user: $XDG_..._HOME, or a folder in the home directory.
std::optional<std::string> user_folder(const char* variable, const char* below_home) {
  const auto value = [](const char* name) -> std::optional<std::string> {
    const char* text = std::getenv(name);
    if (text == nullptr || *text == '\0') return {};
    return text;
  };
  if (const auto folder = value(variable)) return *folder + "/cairn";
  if (const auto home = value("HOME")) return *home + below_home + "/cairn";
  return {};
}

std::optional<std::string> configured_file() {
  const auto folder = user_folder("XDG_CONFIG_HOME", "/.config");
  return folder ? std::optional(*folder + "/machine.json") : std::nullopt;
}

}  // namespace

std::string default_machine_file() {
  const std::optional<std::string> file = configured_file();
  require(file.has_value(), "neither XDG_CONFIG_HOME nor HOME is set: give --save a file name");
  return *file;
}

KnownMachine known_machine(const std::string& file) {
  if (file == "built-in") return {.machine = {}, .given = true};
  if (!file.empty()) return {.machine = bounds::load_machine(file), .source = file, .given = true};
  const std::optional<std::string> usual = configured_file();
  std::error_code ignored;
  if (usual && fs::exists(*usual, ignored))
    return {.machine = bounds::load_machine(*usual), .source = *usual, .given = true};
  return {};
}

KeptMachine::KeptMachine(int ranks, int ranks_on_node)
    : ranks_(ranks), on_node_(ranks_on_node), cores_(static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN))) {
  const auto folder = user_folder("XDG_CACHE_HOME", "/.cache");
  if (folder) path_ = *folder + "/" + bounds::kept_machine_name(ranks_, on_node_);
}

bool KeptMachine::can_be_kept() const {
  if (path_.empty()) return false;
  const fs::path folder = fs::path(path_).parent_path();
  std::error_code error;
  fs::create_directories(folder, error);
  return !error && access(folder.c_str(), W_OK) == 0;
}

std::optional<KnownMachine> KeptMachine::load() const {
  std::error_code ignored;
  if (path_.empty() || !fs::exists(path_, ignored)) return {};
  try {
    return describe(bounds::load_machine(path_));
  } catch (const IoError&) {
    return {};
  }
}

void KeptMachine::save(const Machine& machine) const {
  try {
    bounds::save_machine(machine, path_);
  } catch (const IoError&) {
  }
}

KnownMachine KeptMachine::describe(const Machine& machine) const {
  return {.machine = machine,
          .source = fmt::format("measured here with {} rank{} on {} core{}: {}", ranks_,
                                ranks_ == 1 ? "" : "s", cores_, cores_ == 1 ? "" : "s", path_),
          .ranks = ranks_,
          .cores = cores_};
}

}  // namespace cairn::cli
