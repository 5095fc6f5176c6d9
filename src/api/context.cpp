#include "cairn/context.hpp"

#include <algorithm>

#include "api/context_state.hpp"
#include "api/plan_state.hpp"
#include "comm/agreement.hpp"
#include "comm/mpi_call.hpp"

namespace cairn {
namespace {

constexpr std::size_t most_plans = 64;
constexpr std::size_t most_exchanges = 16;
constexpr std::size_t most_grids = 8;

// The entry of the list that matches, or a new one; it becomes the first.
template <class Entry, class Matches, class Make>
Entry kept(std::list<Entry>& list, std::size_t most, Matches&& matches, Make&& make) {
  const auto found = std::ranges::find_if(list, matches);
  if (found != list.end()) {
    list.splice(list.begin(), list, found);
    return list.front();
  }
  list.push_front(make());
  if (list.size() > most) list.pop_back();
  return list.front();
}

bool same(const layout::Move& x, const layout::Move& y) {
  return x.op == y.op && x.triangle == y.triangle && x.from == y.from && x.to == y.to;
}

}  // namespace

namespace detail {

comm::CommView ContextState::comm() const {
  require<CommError>(comm::mpi_is_alive(), "MPI has ended: expected the call before MPI_Finalize");
  return communicator_;
}

Plan ContextState::plan(const Product& product, const PlanOptions& options) {
  const int ranks = comm().size();
  return kept(
      plans_, most_plans,
      [&](const Plan& p) {
        const bool own = !p.is_placed() || p.layout_a().state().made_for;
        return own && p.ranks() == ranks && p.product() == product && p.options() == options;
      },
      [&] { return plan_multiply(product, ranks, options); });
}

Plan ContextState::plan(const std::shared_ptr<const PlanCore>& core) {
  return kept(
      plans_, most_plans, [&](const Plan& p) { return p.state().core == core; },
      [&] { return Plan(std::make_shared<const PlanState>(core)); });
}

Plan ContextState::plan(const std::shared_ptr<const PlanCore>& core, const std::array<Layout, 3>& dealt) {
  return kept(
      plans_, most_plans, [&](const Plan& p) { return p.state().core == core; },
      [&] { return Plan(std::make_shared<const PlanState>(core, dealt)); });
}

Plan ContextState::plan(const Product& product, const std::array<Layout, 3>& layouts,
                        const PlanOptions& options) {
  const int ranks = comm().size();
  return kept(
      plans_, most_plans,
      [&](const Plan& p) {
        return p.is_placed() && p.ranks() == ranks && p.product() == product && p.options() == options &&
               p.state().layouts == layouts;
      },
      [&] { return plan_multiply(product, layouts[0], layouts[1], layouts[2], ranks, options); });
}

std::shared_ptr<const factor::FactorPlan> ContextState::plan(const factor::FactorProblem& problem,
                                                             const factor::FactorSettings& settings) {
  const int ranks = comm().size();
  return kept(
      factor_plans_, most_plans,
      [&](const auto& p) { return p->problem == problem && p->settings == settings && p->ranks == ranks; },
      [&] { return std::make_shared<const factor::FactorPlan>(plan_factor(problem, ranks, settings)); });
}

std::shared_ptr<const layout::ExchangePlan> ContextState::exchange(const std::vector<layout::Move>& moves) {
  return kept(
      exchanges_, most_exchanges, [&](const auto& e) { return std::ranges::equal(e->moves(), moves, same); },
      [&] { return std::make_shared<const layout::ExchangePlan>(moves, comm().rank(), comm().size()); });
}

const comm::ProcessGrid& ContextState::grid(std::array<int, 2> extents) {
  return *kept(
      grids_, most_grids,
      [&](const auto& g) { return g->shape().extent(0) == extents[0] && g->shape().extent(1) == extents[1]; },
      [&] {
        return std::make_shared<const comm::ProcessGrid>(comm(), comm::GridShape({extents[0], extents[1]}));
      });
}

Index ContextState::kept_bytes() const {
  return pool_.kept_bytes() + engine_.pool().kept_bytes() + triangles_.kept_bytes() +
         comm().pool().kept_bytes();
}

void ContextState::trim() {
  pool_.trim();
  engine_.trim();
  triangles_.trim();
  comm().pool().trim();
}

}  // namespace detail

Context::Context(MPI_Comm comm, const ContextOptions& options)
    : state_(std::make_shared<detail::ContextState>(comm::Communicator::of(comm))) {
  const double seconds = options.watchdog_seconds;
  comm::agree(state_->comm(), "context",
              [&] { require(seconds >= 0, "watchdog is {} seconds, expected 0 or more", seconds); });
  if (seconds > 0) state_->comm().set_watchdog(seconds);
}

int Context::rank() const { return state_->comm().rank(); }
int Context::size() const { return state_->comm().size(); }
void Context::trim() const { state_->trim(); }

}  // namespace cairn
