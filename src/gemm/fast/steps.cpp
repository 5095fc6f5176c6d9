#include "gemm/fast/steps.hpp"

#include <fmt/ranges.h>
#include <algorithm>

namespace cairn::gemm::fast {

Index FastSchedule::ranks() const {
  Index ranks = base.ranks();
  for (const FastStep& s : steps)
    if (s.kind == StepKind::bfs) ranks = checked_mul(ranks, s.algorithm->rank(), "ranks of a fast schedule");
  return ranks;
}

std::vector<FastStep> parse_steps(std::string_view text, const std::shared_ptr<const Bilinear>& algorithm) {
  std::vector<FastStep> steps;
  for (const char c : text) {
    require(c == 'B' || c == 'D', "the order of the steps is '{}', expected letters B (BFS) and D (DFS)",
            text);
    steps.push_back({c == 'B' ? StepKind::bfs : StepKind::dfs, algorithm});
  }
  return steps;
}

std::string order_of(std::span<const FastStep> steps) {
  std::string text;
  for (const FastStep& s : steps) text += s.kind == StepKind::bfs ? 'B' : 'D';
  return text;
}

std::string algorithms_of(std::span<const FastStep> steps) {
  std::vector<std::string> names;
  for (const FastStep& step : steps)
    if (std::find(names.begin(), names.end(), step.algorithm->name) == names.end())
      names.push_back(step.algorithm->name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string describe(const FastSchedule& s) {
  std::string text = describe(s.problem);
  if (!s.steps.empty()) text += fmt::format(" by {} {}", algorithms_of(s.steps), order_of(s.steps));
  text += fmt::format(" on {} ranks, base {}", s.ranks(), describe(s.base));
  if (!s.local.empty()) text += fmt::format(", {} fast levels inside", s.local.size());
  return text;
}

void check(const FastSchedule& s, int ranks) {
  for (const Dim d : all_dims)
    require(s.problem.size(d) >= 0, "{} is {}, expected 0 or more", name(d), s.problem.size(d));
  for (const Dim d : all_dims)
    require(s.base.extent(d) >= 1, "the base grid is {}, expected extents of 1 or more", describe(s.base));
  for (const FastStep& step : s.steps) require(step.algorithm != nullptr, "a step has no algorithm");
  require(s.ranks() <= ranks, "the schedule {} needs {} ranks, there are {}", describe(s), s.ranks(), ranks);
}

}  // namespace cairn::gemm::fast
