// What a cairn::PlacedPlan is inside.
#pragma once

#include <mutex>

#include "api/layout_state.hpp"
#include "cairn/placed_plan.hpp"
#include "plan/placed.hpp"

namespace cairn::detail {

struct PlacedPlanState {
  PlacedPlanState(const Product& wanted, const PlanOptions& how, const std::array<Layout, 3>& where,
                  plan::PlacedPlan planned);

  const Product product;
  const PlanOptions options;
  const std::array<Layout, 3> layouts;  // A, B, C
  const plan::PlacedPlan plan;
  const Index memory_bytes;
  const Index fingerprint;  // of all that decides what is done

  const gemm::Placed& placed() const { return plan.best.placed; }
  const PlacedWords& words() const;

 private:
  mutable std::once_flag once_ = {};
  mutable PlacedWords words_ = {};
};

// Options that only a schedule on native layouts can follow.
bool name_a_schedule(const PlanOptions& options);

}  // namespace cairn::detail
