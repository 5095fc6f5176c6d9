// cairn collectives: every collective once, with the words it moves beside the fewest possible.
#include <cmath>

#include "cli/operation.hpp"
#include "comm/collectives.hpp"

namespace cairn::cli {
namespace {

using comm::CommView;

struct CollectivesOptions {
  Index words = 1 << 20;
};

struct CollectivePhase {
  const char* name;
  double optimum;  // words that all ranks together receive at least, over the vectors' length times (p - 1)
  double
      received;  // words that a rank other than the first receives at least, over that length: at one rank none
};

// Of p ranks.
std::vector<CollectivePhase> collective_phases(int ranks) {
  const double share = (ranks - 1.0) / ranks, whole = ranks > 1 ? 1 : 0;
  return {{"allgather", 1, share}, {"reduce-scatter", 1, share}, {"broadcast", 1, whole},
          {"reduce", 1, 0},        {"allreduce", 2, 2 * share},  {"all-to-all", 1, share}};
}

Planned plan_collectives(const CollectivesOptions& o, const SharedOptions& shared, int ranks) {
  const Index length = o.words / ranks * ranks;
  const auto n = static_cast<double>(length);
  const Machine& machine = shared.machine.machine;
  Planned p;
  p.title = fmt::format("every collective once, on {} words of 8 bytes and {} rank{}", length, ranks,
                        ranks == 1 ? "" : "s");
  p.algorithm = "fewest words";
  p.ranks = p.active_ranks = ranks;
  p.fields = {{"length", length}};
  double busiest = 0, total = 0;
  for (const CollectivePhase& phase : collective_phases(ranks)) {
    const double optimum = phase.optimum * (ranks - 1) * n;
    p.fields["optimum_total"][phase.name] = optimum;
    p.lines.emplace_back(phase.name, fmt::format("{:.0f} words received by all ranks at least", optimum));
    p.phases.push_back({phase.name, machine.alpha * std::log2(ranks) + machine.beta * phase.optimum * n});
    p.seconds += p.phases.back().seconds;
    total += optimum;
    busiest += phase.received * n;
  }
  const double mean = total / ranks;
  p.words.sent = p.words.received = {std::llround(mean), std::llround(total), mean};
  p.exact = false;
  p.bound = busiest;
  p.memory_bytes = 8 * (2 * length + length / ranks);
  return p;
}

class CollectivesWork final : public Work {
 public:
  CollectivesWork(CommView c, Index words)
      : comm_(c.unchecked()),
        mine_(static_cast<std::size_t>(words / c.size()), 1.0),
        all_(mine_.size() * static_cast<std::size_t>(c.size()), 1.0),
        other_(all_.size()) {}

  void run(program::Trace* trace) override {
    const std::span<const double> mine(mine_), all(all_);
    const std::span<double> other(other_), part(mine_);
    step(trace, "allgather", [&] { comm::allgather(comm_, mine, other); });
    step(trace, "reduce-scatter", [&] { comm::reduce_scatter(comm_, all, part, comm::ReduceOp::sum); });
    step(trace, "broadcast", [&] { comm::broadcast(comm_, other, 0); });
    step(trace, "reduce", [&] { comm::reduce(comm_, all, other, comm::ReduceOp::sum, 0); });
    step(trace, "allreduce", [&] { comm::allreduce(comm_, all, other, comm::ReduceOp::sum); });
    step(trace, "all-to-all", [&] { comm::alltoall(comm_, all, other); });
  }

 private:
  template <class F>
  void step(program::Trace* trace, const char* name, F&& f) {
    const comm::Phase phase(comm_.traffic(), name);
    const program::CoreScope scope(trace, program::Activity::wait, name, 0);
    f();
  }

  CommView comm_;
  std::vector<double> mine_, all_, other_;
};

}  // namespace

Operation collectives_operation() {
  return make_operation<CollectivesOptions>({
      .name = "collectives",
      .summary = "Run every collective and show the words it moved beside the fewest possible",
      .example = "--ranks 4 --words 1e6",
      .options =
          [](Command app, CollectivesOptions& o, Verb) {
            add_size(app, "--words", o.words, "Length of the vectors (default 1048576)", 0);
          },
      .plan = plan_collectives,
      .run = [](const CollectivesOptions& o, const SharedOptions&, const Planned&, CommView c)
          -> std::unique_ptr<Work> { return std::make_unique<CollectivesWork>(c, o.words); },
  });
}

}  // namespace cairn::cli
