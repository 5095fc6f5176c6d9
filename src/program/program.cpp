#include "program/program.hpp"

#include <algorithm>

namespace cairn::program {

int phase_number(Program& program, std::string_view name) {
  const auto found = std::ranges::find(program.phases, name);
  const auto number = static_cast<int>(found - program.phases.begin());
  if (found == program.phases.end()) program.phases.emplace_back(name);
  return number;
}

}  // namespace cairn::program
