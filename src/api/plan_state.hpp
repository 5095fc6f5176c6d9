// What a cairn::Plan is inside.
#pragma once

#include "api/layout_state.hpp"
#include "cairn/plan.hpp"
#include "comm/agreement.hpp"
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
  explicit PlanState(std::shared_ptr<const PlanCore> planned);  // on native layouts
  PlanState(std::shared_ptr<const PlanCore> planned, const std::array<Layout, 3>& placed);

  std::shared_ptr<const PlanCore> core;
  std::array<Layout, 3> layouts;  // of A, B, C: native, or where they are

  const gemm::Schedule& schedule() const { return core->schedule(); }
  bool is_placed() const { return schedule().placement != nullptr; }
  Index fingerprint() const;  // of all that decides what is done
};

// Options that only a schedule on native layouts can follow.
bool name_a_schedule(const PlanOptions& options);

gemm::Problem problem_of(const Product& product);
plan::Settings settings_of(const PlanOptions& options);
// Throws ArgumentError for options that are impossible whatever the product.
void check(const PlanOptions& options);
std::string rounds_text(const Rounds& rounds);  // "1", "4 along k"

// The layouts that a plan with fast steps wants. It is placed there.
std::array<Layout, 3> dealt_layouts(const std::shared_ptr<const PlanCore>& core);

// A number that tells options apart, to compare them between ranks.
Index fingerprint(const PlanOptions& options);
std::vector<comm::Argument> arguments_of(const PlanOptions& options);  // for the error where they differ

}  // namespace cairn::detail
