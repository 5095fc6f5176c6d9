#include "cli/gemm_trace.hpp"

#include <fmt/format.h>

#include <numeric>

namespace cairn::cli {
namespace {

program::Activity general(gemm::Activity a) {
  if (gemm::communicates(a)) return program::Activity::communicate;
  if (a == gemm::Activity::start) return program::Activity::start;
  if (a == gemm::Activity::wait) return program::Activity::wait;
  return a == gemm::Activity::agree ? program::Activity::agree : program::Activity::compute;
}

}  // namespace

std::vector<program::TraceEvent> general_trace(const std::vector<gemm::TraceEvent>& events) {
  std::vector<program::TraceEvent> all;
  for (const gemm::TraceEvent& e : events) {
    all.push_back({.activity = general(e.activity),
                   .lane = e.lane,
                   .round = e.round,
                   .start = e.start,
                   .end = e.end,
                   .moved = e.moved});
    const bool other = e.activity == gemm::Activity::start || e.activity == gemm::Activity::wait;
    all.back().set_phase(gemm::name(other ? e.of : e.activity));
  }
  return all;
}

std::vector<int> simulated_ranks(int ranks, int busiest) {
  if (ranks > most_simulated_ranks) return busiest == 0 ? std::vector{0} : std::vector{0, busiest};
  std::vector<int> all(static_cast<std::size_t>(ranks));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::string brick_name(const gemm::Grid& grid, int rank, int brick) {
  const gemm::Coordinates at = coordinates(grid, brick);
  return fmt::format("rank {}, brick ({}, {}, {})", rank, at.at[0], at.at[1], at.at[2]);
}

}  // namespace cairn::cli
