#include "gemm/placed_timeline.hpp"

#include <algorithm>

#include "gemm/placed_faces.hpp"

namespace cairn::gemm {
namespace {

// The loop of the executor in run_placed.cpp, with clocks in the place of work.
class Simulation {
 public:
  Simulation(const Placed& p, int rank, int ranks, const model::Machine& machine)
      : p_(p), rank_(rank), ranks_(ranks), machine_(machine) {}

  PlacedTimeline run() {
    gather(0);
    for (Index r = 0; r < p_.rounds.count; ++r) {
      core_ = std::max(core_, gathered_);
      if (p_.lookahead > 0) gather(r + 1);
      multiply(r);
      core_ = std::max(core_, combined_);
      combine(r);
      if (p_.lookahead > 0) continue;
      core_ = std::max(core_, combined_);
      gather(r + 1);
    }
    line_.seconds = std::max({core_, gathered_, combined_});
    return std::move(line_);
  }

 private:
  void gather(Index r) {
    if (r < p_.rounds.count) exchange(PlacedStep::Kind::gather, r, gathers_of_round(p_, r), gathered_);
  }
  void combine(Index r) { exchange(PlacedStep::Kind::combine, r, combines_of_round(p_, r), combined_); }

  void exchange(PlacedStep::Kind kind, Index r, std::vector<layout::Move> moves, double& over) {
    if (moves.empty()) return;
    const layout::ExchangePlan plan(std::move(moves), rank_, ranks_);
    PlacedStep step{kind, r, std::max(link_, core_)};
    step.moved = layout::count(plan, bytes(p_.problem.type), p_.exchange);
    over = link_ = step.end = step.start + gemm::seconds(step.moved, machine_);
    line_.steps.push_back(step);
  }

  void multiply(Index r) {
    const double voxel =
        dispatch(p_.problem.type, []<class T>() -> double { return ScalarTraits<T>::flops_per_voxel; });
    PlacedStep step{PlacedStep::Kind::multiply, r, core_};
    core_ = step.end = core_ + machine_.gamma * voxel * brick_voxels(p_, r, rank_);
    line_.steps.push_back(step);
  }

  const Placed& p_;
  int rank_, ranks_;
  const model::Machine& machine_;
  PlacedTimeline line_;
  double link_ = 0, core_ = 0;          // free from then on
  double gathered_ = 0, combined_ = 0;  // when the last one was over
};

}  // namespace

PlacedTimeline simulate(const Placed& p, int rank, int ranks, const model::Machine& machine) {
  if (!p.problem.multiplies()) return {};
  return Simulation(p, rank, ranks, machine).run();
}

}  // namespace cairn::gemm
