// What a cairn::Plan is inside.
#pragma once

#include "api/layout_state.hpp"
#include "cairn/plan.hpp"
#include "plan/plan.hpp"

namespace cairn::detail {

struct PlanState {
  Product product;
  PlanOptions options;
  plan::Plan plan;
  Layout a, b, c;  // native

  const gemm::Schedule& schedule() const { return plan.best.schedule; }
};

gemm::Problem problem_of(const Product& product);

// The plan of a schedule that layouts were made for.
Plan plan_of(const gemm::Schedule& schedule, int ranks);

}  // namespace cairn::detail
