// Runs a plan for matrices where they are.
#pragma once

#include "api/operands.hpp"
#include "api/placed_plan_state.hpp"
#include "api/scopes.hpp"
#include "gemm/placed_faces.hpp"

namespace cairn::detail {

template <Scalar T>
class PlacedRun {
 public:
  PlacedRun(const Operands<T>& operands, PlacedPlan plan) : o_(operands), plan_(std::move(plan)) {}

  // Collective. Ranks agree that they have the same plan, made each by itself, and the memory for it.
  void run(MultiplyReport& report) {
    const PlacedPlanState& planned = plan_.state();
    const comm::CommView comm = o_.context().comm();
    comm::agree(comm, "multiply", [this] { reserve(); }, {{"fingerprint of the plan", planned.fingerprint}});
    gemm::Placed placed = planned.placed();
    if (o_.options.threads > 0) placed.exchange.threads = o_.options.threads;
    report.placed = plan_;
    const Meter meter(comm.traffic(), report.gathers_and_combines);
    gemm::multiply<T>(placed, comm, o_.alpha, view_of(o_.a), view_of(o_.b), o_.beta, view_of(o_.c));
  }

 private:
  // The memory of the faces is in the pool when the engine asks for it. With a limit, what is kept of other
  // calls goes first where both together would break it.
  void reserve() {
    ContextState& context = o_.context();
    const std::optional<Index>& limit = plan_.options().memory_bytes;
    if (limit && context.kept_bytes() > *limit - plan_.memory_bytes()) context.trim();
    if (o_.alpha == T(0)) return;
    std::array<Pool::Lease, 3> faces;
    const gemm::Placed& placed = plan_.state().placed();
    for (const gemm::Matrix x : gemm::all_matrices)
      faces[gemm::index(x)] = context.comm().pool().lease(face_bytes(placed, x, context.comm().rank()));
  }

  const Operands<T>& o_;
  PlacedPlan plan_;
};

}  // namespace cairn::detail
