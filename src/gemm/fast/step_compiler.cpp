#include "gemm/fast/step_compiler.hpp"

#include <algorithm>
#include <utility>

namespace cairn::gemm::fast {

using program::Place;

StepCompiler::StepCompiler(const Dealt& dealt, int rank, int ranks) : dealt_(dealt) {
  if (rank < dealt.schedule().ranks()) position_ = dealt.position(rank);
  program_.type = dealt.schedule().problem.type;
  program_.rank = rank;
  program_.ranks = ranks;
  program_.array_counts = {0, 0, 0, 0};
}

void StepCompiler::add(What what, std::string_view phase, Waits waits) {
  program::Action action{std::move(what), program::phase_number(program_, phase)};
  if (waits == Waits::all)
    for (const std::int32_t i : std::exchange(pending_, {})) action.waits.push_back(i);
  if (program::communicates(action)) pending_.push_back(static_cast<std::int32_t>(program_.actions.size()));
  program_.actions.push_back(std::move(action));
}

void StepCompiler::communicate(decltype(program::Communicate::what) what, std::string_view phase,
                               Waits waits) {
  add(program::Communicate{std::move(what)}, phase, waits);
}

Place StepCompiler::take(Index elements) {
  constexpr Index line = 16;  // elements: places begin at a cache line, whatever the type
  const Place at{Place::work, top_};
  top_ = checked_add(top_, ceil_div(elements, line) * line, "work memory");
  program_.array_counts[0] = std::max(program_.array_counts[0], top_);
  return at;
}

program::Program StepCompiler::finish() { return std::move(program_); }

std::vector<SlabRun> StepCompiler::runs(Matrix x, std::size_t step, const Dealt::Slabs& slabs) const {
  std::vector<SlabRun> runs;
  Index before = 0;
  for (int s = slabs.first; s < slabs.first + slabs.count; ++s) {
    const Index length = dealt_.leaves(x, step) * dealt_.slab_elements(x, position_.base, s);
    if (runs.empty() || runs.back().length != length) runs.push_back({before, length, 0});
    ++runs.back().count;
    before += length;
  }
  return runs;
}

Index StepCompiler::elements(Matrix x, std::size_t step, int joined) const {
  Index sum = 0;
  for (const SlabRun& r : runs(x, step, dealt_.slabs(position_, joined))) sum += r.length * r.count;
  return sum;
}

std::vector<SlabBlock> StepCompiler::blocks_of(Matrix x, std::size_t step, Place at) const {
  std::vector<SlabBlock> blocks;
  const int count = step_at(step).algorithm->blocks(x);
  for (int i = 0; i < count; ++i) blocks.push_back({at, count, i});
  return blocks;
}

void StepCompiler::node(std::size_t step, int joined, const Places& at) {
  if (step == dealt_.schedule().steps.size()) return bricks(at);
  if (step_at(step).kind == StepKind::bfs) return breadth_first(step, joined, at);
  depth_first(step, joined, at);
}

}  // namespace cairn::gemm::fast
