#include "cairn/context.hpp"

#include <algorithm>

#include "api/context_state.hpp"
#include "api/plan_state.hpp"

namespace cairn {

constexpr std::size_t plans_kept = 64;

template <class Matches, class Make>
Plan detail::ContextState::kept(Matches&& matches, Make&& make) {
  const auto found = std::ranges::find_if(plans_, matches);
  if (found != plans_.end()) {
    plans_.splice(plans_.begin(), plans_, found);
    return plans_.front();
  }
  plans_.push_front(make());
  if (plans_.size() > plans_kept) plans_.pop_back();
  return plans_.front();
}

Plan detail::ContextState::plan(const Product& product, const PlanOptions& options) {
  return kept([&](const Plan& p) { return p.product() == product && p.options() == options; },
              [&] { return plan_multiply(product, comm().size(), options); });
}

Plan detail::ContextState::plan(const gemm::Schedule& schedule) {
  return kept([&](const Plan& p) { return p.state().schedule() == schedule; },
              [&] { return plan_of(schedule, comm().size()); });
}

Context::Context(MPI_Comm comm, const ContextOptions& options)
    : state_(std::make_shared<detail::ContextState>(
          comm::Communicator::of(comm, {.watchdog_seconds = options.watchdog_seconds}))) {}

int Context::rank() const { return state_->comm().rank(); }
int Context::size() const { return state_->comm().size(); }
void Context::trim() const { state_->pool().trim(); }

}  // namespace cairn
