#include "program/append.hpp"

#include <algorithm>
#include <iterator>

namespace cairn::program {

void append(Program& program, Program next) {
  std::vector<bool> awaited(program.actions.size(), false);
  for (const Action& action : program.actions)
    for (const std::int32_t i : action.waits) awaited[static_cast<std::size_t>(i)] = true;
  const auto before = static_cast<std::int32_t>(program.actions.size());
  bool first = true;
  for (Action& action : next.actions) {
    action.phase = phase_number(program, next.phases[static_cast<std::size_t>(action.phase)]);
    for (std::int32_t& i : action.waits) i += before;
    for (std::int32_t i = 0; first && i < before; ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (communicates(program.actions[at]) && !awaited[at]) action.waits.push_back(i);
    }
    first = false;
  }
  std::ranges::move(next.actions, std::back_inserter(program.actions));
  if (program.array_counts.size() < next.array_counts.size())
    program.array_counts.resize(next.array_counts.size());
  for (std::size_t i = 0; i < next.array_counts.size(); ++i)
    program.array_counts[i] = std::max(program.array_counts[i], next.array_counts[i]);
}

}  // namespace cairn::program
