#include "plan/cache.hpp"

#include <algorithm>

namespace cairn::plan {

PlanCache::PlanCache(std::size_t most) : most_(most) {
  require(most >= 1, "a cache of {} plans, expected 1 or more", most);
}

const Plan& PlanCache::get(std::string_view name, const gemm::Problem& problem, int ranks,
                           const Settings& settings) {
  const auto found = std::ranges::find_if(entries_, [&](const Entry& e) {
    return e.name == name && e.problem == problem && e.ranks == ranks && e.settings == settings;
  });
  if (found != entries_.end()) {
    ++hits_;
    entries_.splice(entries_.begin(), entries_, found);
    return entries_.front().plan;
  }
  Plan plan = plan_named(name, problem, ranks, settings);  // throws before anything is dropped
  if (entries_.size() == most_) entries_.pop_back();
  entries_.push_front({std::string(name), problem, ranks, settings, std::move(plan)});
  return entries_.front().plan;
}

}  // namespace cairn::plan
