#include "model/pebble/bounds.hpp"

#include <algorithm>
#include <cmath>

#include "model/factor.hpp"
#include "model/phases.hpp"
#include "model/sequential.hpp"

namespace cairn::model::pebble {
namespace {

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

double finite_bound(const Problem& problem, Index red) {
  return std::max(unavoidable(problem.graph), phase_bound(problem, static_cast<double>(red)));
}

double syrk_paper_bound(Index n, Index k, Index red) {
  const double x = static_cast<double>(n), updates = x * (x - 1) / 2 * static_cast<double>(k);
  return updates * 2 / std::sqrt(static_cast<double>(red));
}

double paper_bound(const Problem& problem, Index red) {
  const auto& s = problem.size;
  switch (problem.kernel) {
    case Kernel::multiply:
      return sequential::theorem1({s[0], s[1], s[2]}, as_real(red));
    case Kernel::lu:
      return factor::lu_lower_bound(s[0], 1, as_real(red));
    case Kernel::cholesky:
      return factor::cholesky_lower_bound(s[0], 1, as_real(red));
    case Kernel::syrk:
      return syrk_paper_bound(s[0], s[2], red);
  }
  return 0;
}

}  // namespace cairn::model::pebble
