// Commands of this program, run one after the other for their JSON. One that fails is noted and the rest goes on.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/chart.hpp"

namespace cairn::bench {

class Measurements {
 public:
  explicit Measurements(bool quick) : quick_(quick) {}

  bool quick() const { return quick_; }
  // In a process of its own, so that nothing it does reaches this one, and only once. Nothing where it fails or takes
  // longer than `seconds`; why is kept until `taken_problems`.
  std::optional<nlohmann::json> run(const std::vector<std::string>& arguments, int seconds = 900);
  // The rows of a benchmark; empty where it fails.
  nlohmann::json rows(const std::vector<std::string>& arguments, int seconds = 900);

  // Since they were last asked for.
  std::vector<std::string> taken_problems() { return std::exchange(problems_, {}); }
  std::vector<std::string> taken_commands() { return std::exchange(commands_, {}); }

 private:
  bool quick_;
  std::map<std::string, nlohmann::json> known_;
  std::vector<std::string> problems_, commands_;
};

// What a pointer finds, as a number; NaN where there is none.
double number_at(const nlohmann::json& all, const std::string& pointer);

// "2,4,8"
std::string comma_list(const std::vector<int>& values);

}  // namespace cairn::bench
