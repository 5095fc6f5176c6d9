#include "cli/plan_trace.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "cli/trace_file.hpp"
#include "gemm/count.hpp"
#include "gemm/simulate.hpp"

namespace cairn::cli {
namespace {

template <class Busiest>
std::vector<int> shown_ranks(Index ranks, const Busiest& busiest) {
  if (ranks > most_simulated_ranks) {
    const int other = busiest();
    return other == 0 ? std::vector{0} : std::vector{0, other};
  }
  std::vector<int> all(static_cast<std::size_t>(ranks));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

// Words received, on the exchanges of every rank.
int busiest_rank(const gemm::Placed& p, int ranks) {
  int busiest = 0;
  Index most = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    const gemm::PlacedCounts counts = count(p, rank, ranks);
    const Index words = counts.gathered.received.words + counts.combined.received.words;
    if (words > most) busiest = rank;
    most = std::max(most, words);
  }
  return busiest;
}

std::string text_of(const std::vector<RankTrace>& traces, nlohmann::json about, Index ranks) {
  about["ranks"] = ranks;
  return trace_text(traces, about);
}

}  // namespace

std::string simulated_trace_text(const plan::Plan& plan, const bounds::Machine& machine) {
  const gemm::Schedule& s = plan.best.schedule;
  std::vector<RankTrace> traces;
  for (const int rank : shown_ranks(s.grid.ranks(), [&] { return gemm::busiest_rank(s); })) {
    const gemm::Program program = gemm::compile(s, rank);
    traces.push_back({rank, rank_name(s, rank), trace_of(program, simulate(program, machine))});
  }
  return text_of(traces, about_trace(s, "simulated"), plan.ranks);
}

std::string simulated_trace_text(const plan::PlacedPlan& plan, const bounds::Machine& machine) {
  const gemm::Placed& p = plan.best.placed;
  std::vector<RankTrace> traces;
  for (const int rank : shown_ranks(plan.ranks, [&] { return busiest_rank(p, plan.ranks); }))
    traces.push_back({rank, rank_name(p, rank), simulated_trace(p, rank, plan.ranks, machine)});
  return text_of(traces, about_trace(p, "simulated"), plan.ranks);
}

}  // namespace cairn::cli
