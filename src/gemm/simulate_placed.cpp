// A Placed multiply on a Machine: the loop of run_placed.cpp with clocks in the place of work.
#include <algorithm>

#include "gemm/placed_faces.hpp"
#include "gemm/simulate.hpp"

namespace cairn::gemm {
namespace {

class PlacedSimulation {
 public:
  PlacedSimulation(const Placed& p, int rank, int ranks, const bounds::Machine& machine)
      : p_(p), rank_(rank), ranks_(ranks), machine_(machine) {}

  std::vector<TraceEvent> run() && {
    start_gather(0);
    for (Index r = 0; r < p_.rounds.count; ++r) {
      wait_for(gather_, r);
      if (p_.lookahead > 0) start_gather(r + 1);
      multiply(r);
      wait_for(combine_, r);
      start(combine_, combines_of_round(p_, r), r);
      if (p_.lookahead > 0) continue;
      wait_for(combine_, r);
      start_gather(r + 1);
    }
    wait_for(combine_, p_.rounds.count - 1);
    return std::move(events_);
  }

 private:
  struct Exchanging {
    Activity activity;
    double over = 0;
  };

  void start_gather(Index r) {
    if (r < p_.rounds.count) start(gather_, gathers_of_round(p_, r), r);
  }
  void start(Exchanging& x, std::vector<layout::Move> moves, Index r) {
    if (moves.empty()) return;
    const layout::ExchangePlan plan(std::move(moves), rank_, ranks_);
    const comm::Counters moved = layout::count(plan, bytes(p_.problem.type), p_.exchange);
    const double begin = std::max(link_, core_);
    x.over = link_ = begin + seconds(moved, machine_);
    events_.push_back({x.activity, Activity::none, TraceEvent::core + 1, r, begin, link_, moved});
  }
  void wait_for(const Exchanging& x, Index r) {
    if (x.over <= core_) return;
    events_.push_back({Activity::wait, x.activity, TraceEvent::core, r, core_, x.over, {}});
    core_ = x.over;
  }
  void multiply(Index r) {
    const double flops = flops_per_voxel(p_.problem.type) * brick_voxels(p_, r, rank_);
    const double end = core_ + machine_.gamma * flops;
    if (end == core_) return;
    events_.push_back({Activity::multiply, Activity::none, TraceEvent::core, r, core_, end, {}});
    core_ = end;
  }

  const Placed& p_;
  int rank_, ranks_;
  const bounds::Machine& machine_;
  std::vector<TraceEvent> events_;
  double link_ = 0, core_ = 0;  // free from then on
  Exchanging gather_{Activity::gather}, combine_{Activity::combine_c};
};

}  // namespace

std::vector<TraceEvent> simulated_trace(const Placed& placed, int rank, int ranks,
                                        const bounds::Machine& machine) {
  if (!placed.problem.multiplies()) return {};
  return PlacedSimulation(placed, rank, ranks, machine).run();
}

}  // namespace cairn::gemm
