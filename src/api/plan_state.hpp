// What a cairn::Plan is inside.
#pragma once

#include "api/layout_state.hpp"
#include "cairn/plan.hpp"
#include "plan/plan.hpp"

namespace cairn::detail {

// What was asked and what was planned. Native layouts keep it alive: matrices know the plan they were made
// for.
struct PlanCore {
  Product product;
  PlanOptions options;
  plan::Plan plan;

  const gemm::Schedule& schedule() const { return plan.best.schedule; }
};

struct PlanState {
  explicit PlanState(std::shared_ptr<const PlanCore> planned);

  std::shared_ptr<const PlanCore> core;
  Layout a, b, c;  // native

  const gemm::Schedule& schedule() const { return core->schedule(); }
  Index fingerprint() const { return a.state().fingerprint(); }  // of all that decides what is done
};

gemm::Problem problem_of(const Product& product);
plan::Settings settings_of(const PlanOptions& options);
// Throws ArgumentError for options that cannot be, whatever the product.
void check(const PlanOptions& options);
Rounds public_rounds(const gemm::Rounds& rounds);
std::string rounds_text(const Rounds& rounds);  // "1", "4 along k"

// A number that tells options apart, to compare them between ranks.
Index fingerprint(const PlanOptions& options);

}  // namespace cairn::detail
