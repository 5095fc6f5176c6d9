// Plans that are kept: planning is exact and pure, so the same question has the same answer.
#pragma once

#include <list>

#include "plan/plan.hpp"

namespace cairn::plan {

// Keeps the plans that were asked for last, at most `most` of them. Not for several threads at once.
class PlanCache {
 public:
  explicit PlanCache(std::size_t most = 64);

  // plan_named, or what it gave before. The plan stays valid until `most` others have been asked for.
  const Plan& get(std::string_view name, const gemm::Problem& problem, int ranks,
                  const Settings& settings = {});

  std::size_t size() const { return entries_.size(); }
  Index hits() const { return hits_; }

 private:
  struct Entry {
    std::string name;
    gemm::Problem problem;
    int ranks;
    Settings settings;
    Plan plan;
  };

  std::size_t most_;
  std::list<Entry> entries_;  // most recently asked for first
  Index hits_ = 0;
};

}  // namespace cairn::plan
