#include "bounds/phases.hpp"

#include <algorithm>
#include <cmath>

#include "bounds/cost.hpp"

namespace cairn::bounds {
namespace {

// At most constant * X^(3/2) updates on X elements. Symmetric: x and y are in one set O, and the updates
// together with their mirror images (j, i, k) are 2V <= sqrt(2|C| |O| |O|), largest for |O| = 2|C| = 2X/3.
double phase_constant(Operands operands) {
  const double separate = 1.0 / std::pow(3.0, 1.5);
  return operands == Operands::separate ? separate : std::sqrt(2.0) * separate;
}

}  // namespace

double least_events(double updates, double memory, Operands operands) {
  require_positive(memory, "memory");
  const double constant = phase_constant(operands);
  const auto elements_for = [&](double v) { return std::pow(v / constant, 2.0 / 3.0); };
  const double full_phase = constant * std::pow(3 * memory, 1.5);
  const double phases = std::floor(updates / full_phase);
  if (phases < 1) return elements_for(updates);
  const double rest = std::max(0.0, updates - phases * full_phase);
  return memory + 2 * memory * phases + std::max(0.0, elements_for(rest) - memory);
}

bool one_phase(double updates, double memory) {
  require_positive(memory, "memory");
  return updates < std::pow(memory, 1.5);
}

double least_events_smooth(double updates, double memory) {
  if (one_phase(updates, memory)) return 3 * std::pow(updates, 2.0 / 3);
  return 2 * updates / std::sqrt(memory) + (1 - 2 / std::pow(3.0, 1.5)) * memory;
}

}  // namespace cairn::bounds
