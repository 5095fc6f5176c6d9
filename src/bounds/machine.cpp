#include "bounds/machine.hpp"

#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.hpp"
#include "bounds/flat_json.hpp"

namespace cairn::bounds {
namespace {

constexpr const char* format_name = "cairn-machine";
constexpr double format_version = 1;

double positive_number(const FlatObject& object, const char* key, const std::string& path) {
  const auto found = object.find(key);
  const double* value = found == object.end() ? nullptr : std::get_if<double>(&found->second);
  require<IoError>(value != nullptr, "{}: '{}' is missing or not a number", path, key);
  require<IoError>(*value > 0, "{}: '{}' is {}, expected more than 0", path, key, *value);
  return *value;
}

std::string text_of_file(const std::string& path) {
  std::ifstream in(path);
  require<IoError>(in.good(), "{}: cannot open", path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

FlatObject read_flat_file(const std::string& path) {
  const std::string text = text_of_file(path);
  try {
    return parse_flat_json(text);
  } catch (const IoError& error) {
    fail<IoError>("{}: {}", path, error.what());
  }
}

std::string node_name() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "node";
  return name.data();
}

}  // namespace

std::string kept_machine_name(int ranks, int ranks_on_node) {
  return fmt::format("machine-{}-{}-ranks-{}-on-node-{}-cores.json", node_name(), ranks, ranks_on_node,
                     sysconf(_SC_NPROCESSORS_ONLN));
}

void save_machine(const Machine& m, const std::string& path) {
  const std::filesystem::path file(path);
  std::error_code error;
  if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), error);
  require<IoError>(!error, "{}: cannot make the folder: {}", path, error.message());
  std::ofstream out(file);
  out << flat_json_text({{"format", format_name},
                         {"version", format_version},
                         {"alpha", m.alpha},
                         {"beta", m.beta},
                         {"gamma", m.gamma},
                         {"memory_words", m.memory_words},
                         {"copy", m.copy}});
  out.close();
  require<IoError>(out.good(), "{}: cannot write", path);
}

Machine load_machine(const std::string& path) {
  const FlatObject object = read_flat_file(path);
  const auto format = object.find("format");
  require<IoError>(format != object.end() && format->second == FlatValue(format_name),
                   "{}: not a machine file (format is not '{}')", path, format_name);
  return {.alpha = positive_number(object, "alpha", path),
          .beta = positive_number(object, "beta", path),
          .gamma = positive_number(object, "gamma", path),
          .memory_words = positive_number(object, "memory_words", path),
          .copy = object.contains("copy") ? positive_number(object, "copy", path) : Machine{}.copy};
}

}  // namespace cairn::bounds
