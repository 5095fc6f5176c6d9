#include "model/pebble/bounds.hpp"

#include <algorithm>
#include <cmath>

namespace cairn::model::pebble {
namespace {

// At most constant * X^(3/2) updates on X elements. Symmetric: x and y are in one set O, and the updates
// together with their mirror images (j, i, k) are 2V <= sqrt(2|C| |O| |O|), largest for |O| = 2|C| = 2X/3.
double phase_constant(Operands operands) {
  const double separate = 1.0 / std::pow(3.0, 1.5);
  return operands == Operands::separate ? separate : std::sqrt(2.0) * separate;
}

double unavoidable(const Cdag& graph) {
  return static_cast<double>(graph.inputs_read() + graph.computed_outputs());
}

double phase_bound(const Problem& problem, double red) {
  const double n = static_cast<double>(problem.size[0]);
  const double updates = static_cast<double>(problem.updates());
  switch (problem.kernel) {
    case Kernel::multiply: {
      const double c = static_cast<double>(problem.graph.computed_outputs());
      return least_events(updates, red) + (problem.accumulate ? c : 0.0);
    }
    case Kernel::lu:
      return least_events(updates, red) + 2 * (n - 1);
    case Kernel::cholesky:  // updates of the diagonal, i = j, read one element only and are left out
      return least_events(updates - n * (n - 1) / 2, red, Operands::symmetric) + 2 * n - 1;
    case Kernel::syrk: {
      const double diagonal = n * static_cast<double>(problem.size[2]);
      return least_events(updates - diagonal, red, Operands::symmetric) + n;
    }
  }
  return 0;
}

}  // namespace

double least_events(double updates, double red, Operands operands) {
  const double constant = phase_constant(operands);
  const auto elements_for = [&](double v) { return std::pow(v / constant, 2.0 / 3.0); };
  const double full_phase = constant * std::pow(3 * red, 1.5);
  const double phases = std::floor(updates / full_phase);
  if (phases < 1) return elements_for(updates);
  const double rest = std::max(0.0, updates - phases * full_phase);
  return red + 2 * red * phases + std::max(0.0, elements_for(rest) - red);
}

double finite_bound(const Problem& problem, Index red) {
  return std::max(unavoidable(problem.graph), phase_bound(problem, static_cast<double>(red)));
}

double multiply_paper_bound(Index m, Index n, Index k, Index red) {
  const double c = static_cast<double>(m) * static_cast<double>(n);
  return 2 * c * static_cast<double>(k) / std::sqrt(static_cast<double>(red)) + c;
}

double lu_paper_bound(Index n, Index processors, Index red) {
  const double x = static_cast<double>(n), root = std::sqrt(static_cast<double>(red));
  return (x * (x - 1) * (x - 2) / 3 * 2 / root + x * (x - 1) / 2) / static_cast<double>(processors);
}

double cholesky_paper_bound(Index n, Index processors, Index red) {
  const double x = static_cast<double>(n), root = std::sqrt(static_cast<double>(red));
  return (x * (x - 1) * (x - 2) / 6 * 2 / root + x * (x - 1) / 2 + x) / static_cast<double>(processors);
}

double syrk_paper_bound(Index n, Index k, Index red) {
  const double x = static_cast<double>(n), updates = x * (x - 1) / 2 * static_cast<double>(k);
  return updates * 2 / std::sqrt(static_cast<double>(red));
}

double paper_bound(const Problem& problem, Index red) {
  const auto& s = problem.size;
  switch (problem.kernel) {
    case Kernel::multiply:
      return multiply_paper_bound(s[0], s[1], s[2], red);
    case Kernel::lu:
      return lu_paper_bound(s[0], 1, red);
    case Kernel::cholesky:
      return cholesky_paper_bound(s[0], 1, red);
    case Kernel::syrk:
      return syrk_paper_bound(s[0], s[2], red);
  }
  return 0;
}

}  // namespace cairn::model::pebble
