// A Placed multiply on a Machine, in the order in which run_placed.cpp does it.
#include "gemm/placed_faces.hpp"
#include "gemm/simulate.hpp"

namespace cairn::gemm {
namespace {

class PlacedSimulation {
 public:
  PlacedSimulation(const Placed& p, int rank, int ranks, const model::Machine& machine)
      : p_(p), rank_(rank), ranks_(ranks), machine_(machine), layer_(layer_of(p, rank)) {}

  std::vector<TraceEvent> run() && {
    for (Index r = 0; r < p_.rounds.count; ++r) {
      exchange(gathers_of_round(p_, r), Activity::gather, r);
      if (layer_) multiply(r);
      exchange(combines_of_round(p_, r), Activity::combine_c, r);
    }
    return std::move(events_);
  }

 private:
  void exchange(std::vector<layout::Move> moves, Activity activity, Index r) {
    if (moves.empty()) return;
    const layout::ExchangePlan plan(std::move(moves), rank_, ranks_);
    const comm::Counters moved = layout::count(plan, bytes(p_.problem.type), p_.exchange);
    const double end = now_ + seconds(moved, machine_);
    events_.push_back({activity, Activity::none, TraceEvent::core + 1, r, now_, end, moved});
    events_.push_back({Activity::exchange, activity, TraceEvent::core, r, now_, end, {}});
    now_ = end;
  }

  void multiply(Index r) {
    const auto extents = [&](Matrix x) {
      const layout::Layout faces = faces_of_round(p_, x, r, *layer_);
      return std::pair{faces.row_map().count(faces.row_part_of(rank_)),
                       faces.column_map().count(faces.column_part_of(rank_))};
    };
    const auto [rows, columns] = extents(Matrix::c);
    if (rows == 0 || columns == 0) return;
    const auto [a_rows, a_columns] = extents(Matrix::a);
    const Index k = p_.problem.op_a == Op::none ? a_columns : a_rows;
    const double voxel =
        dispatch(p_.problem.type, []<class T>() -> double { return ScalarTraits<T>::flops_per_voxel; });
    const double end = now_ + machine_.gamma * voxel * static_cast<double>(rows) *
                                  static_cast<double>(columns) * static_cast<double>(k);
    events_.push_back({Activity::multiply, Activity::none, TraceEvent::core, r, now_, end, {}});
    now_ = end;
  }

  const Placed& p_;
  int rank_, ranks_;
  const model::Machine& machine_;
  std::optional<int> layer_;
  std::vector<TraceEvent> events_;
  double now_ = 0;
};

}  // namespace

std::vector<TraceEvent> simulated_trace(const Placed& placed, int rank, int ranks,
                                        const model::Machine& machine) {
  if (!placed.problem.multiplies()) return {};
  return PlacedSimulation(placed, rank, ranks, machine).run();
}

}  // namespace cairn::gemm
