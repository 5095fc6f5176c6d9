#include "bench/measurements.hpp"

#include <fmt/ranges.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "bench/driver.hpp"
#include "cli/measure.hpp"

namespace cairn::bench {
namespace {

using nlohmann::json;

std::string joined(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words)
    line += (line.empty() ? "" : " ") + (word.find(' ') == std::string::npos ? word : '"' + word + '"');
  return line;
}

std::string last_line(const std::filesystem::path& file) {
  std::ifstream text(file);
  std::string last;
  for (std::string line; std::getline(text, line);)
    if (line.starts_with("cairn: ") || (!line.empty() && !last.starts_with("cairn: "))) last = line;
  return last;
}

}  // namespace

std::optional<json> Measurements::run(const std::vector<std::string>& arguments, int seconds) {
  const std::string line = "cairn " + joined(arguments);
  if (const auto at = known_.find(line); at != known_.end()) return at->second;
  commands_.push_back(line);
  const std::filesystem::path errors =
      std::filesystem::temp_directory_path() / fmt::format("cairn-bench-{}.err", getpid());
  std::vector<std::string> command{"sh",
                                   "-c",
                                   "file=$1; shift; exec \"$@\" 2>\"$file\"",
                                   "sh",
                                   errors.string(),
                                   "timeout",
                                   "--kill-after=10",
                                   std::to_string(seconds),
                                   std::filesystem::read_symlink("/proc/self/exe").string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  command.push_back("--json");
  const double start = cli::seconds_now();
  json result = json::parse(output_of(command), nullptr, false);
  const double taken = cli::seconds_now() - start;
  const std::string why = taken >= seconds ? fmt::format("not done after {} s", seconds) : last_line(errors);
  std::filesystem::remove(errors);
  if (taken > 5) fmt::print(stderr, "    {:.0f} s: {}\n", taken, line);
  if (!result.is_discarded()) return known_.emplace(line, std::move(result)).first->second;
  problems_.push_back(fmt::format("{}: {}", line, why.empty() ? "it printed no JSON" : why));
  fmt::print(stderr, "    failed: {}\n", problems_.back());
  return std::nullopt;
}

json Measurements::rows(const std::vector<std::string>& arguments, int seconds) {
  const std::optional<json> result = run(arguments, seconds);
  if (!result) return json::array();
  return result->is_object() ? result->value("rows", json::array()) : *result;
}

double number_at(const json& all, const std::string& pointer) {
  const json::json_pointer at(pointer);
  return all.contains(at) && all[at].is_number() ? all[at].get<double>() : NAN;
}

std::string comma_list(const std::vector<int>& values) { return fmt::format("{}", fmt::join(values, ",")); }

}  // namespace cairn::bench
