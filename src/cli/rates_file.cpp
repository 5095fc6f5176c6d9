#include "cli/rates_file.hpp"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

namespace cairn::cli {
namespace {

using gemm::fast::FastRates;
using nlohmann::json;

std::optional<std::string> usual_rates_file() {
  for (const auto& [variable, rest] :
       {std::pair("XDG_CACHE_HOME", "/cairn/fast-rates.json"), {"HOME", "/.cache/cairn/fast-rates.json"}}) {
    const char* value = std::getenv(variable);
    if (value != nullptr && *value != '\0') return value + std::string(rest);
  }
  return {};
}

std::vector<FastRates::Point> points_of(const json& list) {
  std::vector<FastRates::Point> points;
  for (const json& p : list) {
    points.push_back({p.at("side").get<double>(), p.at("rate").get<double>()});
    require<IoError>(points.back().side > 0 && points.back().rate > 0, "a side or a rate is not positive");
    require<IoError>(points.size() < 2 || points[points.size() - 2].side < points.back().side,
                     "the sides do not ascend");
  }
  require<IoError>(!points.empty(), "there are no points");
  return points;
}

std::vector<FastRates> load_rates(const std::string& path) {
  std::ifstream file(path);
  require<IoError>(file.good(), "{}: cannot be read", path);
  try {
    std::vector<FastRates> all;
    const json whole = json::parse(file);
    for (const json& r : whole.at("rates"))
      all.push_back({.threads = r.at("threads").get<int>(),
                     .gemm = points_of(r.at("gemm")),
                     .sums = points_of(r.at("sums")),
                     .noise = r.value("noise", 0.0)});
    require<IoError>(!all.empty(), "there are no rates");
    return all;
  } catch (const json::exception& e) {
    fail<IoError>("{}: not a file of rates: {}", path, e.what());
  } catch (const IoError& e) {
    fail<IoError>("{}: not a file of rates: {}", path, e.what());
  }
}

}  // namespace

std::string default_rates_file() {
  const std::optional<std::string> file = usual_rates_file();
  require(file.has_value(), "neither XDG_CACHE_HOME nor HOME is set: give --save a file name");
  return *file;
}

json rates_json(const FastRates& r) {
  const auto list = [](const std::vector<FastRates::Point>& points) {
    json all = json::array();
    for (const FastRates::Point& p : points) all.push_back({{"side", p.side}, {"rate", p.rate}});
    return all;
  };
  return {{"threads", r.threads}, {"gemm", list(r.gemm)}, {"sums", list(r.sums)}, {"noise", r.noise}};
}

void save_rates(const std::vector<FastRates>& all, const std::string& path) {
  std::error_code ignored;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, ignored);
  json list = json::array();
  for (const FastRates& r : all) list.push_back(rates_json(r));
  std::ofstream file(path);
  file << json{{"rates", list}}.dump(1) << '\n';
  file.flush();
  require<IoError>(file.good(), "{}: cannot be written", path);
}

KnownRates known_rates(int threads, const std::string& given) {
  std::error_code ignored;
  const std::string path = given.empty() ? usual_rates_file().value_or("") : given;
  if (given.empty() && (path.empty() || !std::filesystem::exists(path, ignored))) return {{}, "built in"};
  KnownRates best;
  for (FastRates& r : load_rates(path))
    if (best.source.empty() || std::abs(r.threads - threads) < std::abs(best.rates.threads - threads))
      best = {std::move(r), path};
  return best;
}

}  // namespace cairn::cli
