#include "bounds/machine.hpp"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.hpp"

namespace cairn::bounds {
namespace {

constexpr const char* format_name = "cairn-machine";
constexpr int format_version = 1;

double positive_number(const nlohmann::json& json, const char* key, const std::string& path) {
  require<IoError>(json.contains(key) && json[key].is_number(), "{}: '{}' is missing or not a number", path,
                   key);
  const double value = json[key].get<double>();
  require<IoError>(value > 0, "{}: '{}' is {}, expected more than 0", path, key, value);
  return value;
}

}  // namespace

void save_machine(const Machine& m, const std::string& path) {
  const std::filesystem::path file(path);
  std::error_code error;
  if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), error);
  require<IoError>(!error, "{}: cannot make the folder: {}", path, error.message());
  const nlohmann::json json{{"format", format_name}, {"version", format_version},
                            {"alpha", m.alpha},      {"beta", m.beta},
                            {"gamma", m.gamma},      {"memory_words", m.memory_words}};
  std::ofstream out(file);
  out << json.dump(2) << '\n';
  out.close();
  require<IoError>(out.good(), "{}: cannot write", path);
}

Machine load_machine(const std::string& path) {
  std::ifstream in(path);
  require<IoError>(in.good(), "{}: cannot open", path);
  std::ostringstream text;
  text << in.rdbuf();
  const nlohmann::json json = nlohmann::json::parse(text.str(), nullptr, false);
  require<IoError>(json.is_object(), "{}: not a JSON object", path);
  require<IoError>(json.value("format", "") == format_name, "{}: not a machine file (format is not '{}')",
                   path, format_name);
  return {positive_number(json, "alpha", path), positive_number(json, "beta", path),
          positive_number(json, "gamma", path), positive_number(json, "memory_words", path)};
}

}  // namespace cairn::bounds
