#include "pebble/bounds.hpp"

#include <algorithm>
#include <cmath>

#include "bounds/classical.hpp"
#include "bounds/factor.hpp"
#include "bounds/phases.hpp"
#include "bounds/sequential.hpp"

namespace cairn::pebble {
namespace {

using bounds::least_events;
using bounds::Operands;
using bounds::Product;
using bounds::require_positive;
namespace classical = bounds::classical;
namespace factor = bounds::factor;
namespace sequential = bounds::sequential;

double unavoidable(const Cdag& graph) { return as_real(graph.inputs_read() + graph.computed_outputs()); }

// Updates that read three different elements: updates of a diagonal, i = j, read one operand only.
double counted_updates(const Problem& problem) {
  const double n = as_real(problem.size[0]), all = as_real(problem.updates());
  if (problem.kernel == Kernel::cholesky) return all - n * (n - 1) / 2;
  if (problem.kernel == Kernel::syrk) return all - n * as_real(problem.size[2]);
  return all;
}

Operands operands(const Problem& problem) {
  const bool symmetric = problem.kernel == Kernel::cholesky || problem.kernel == Kernel::syrk;
  return symmetric ? Operands::symmetric : Operands::separate;
}

// Events of one of `ranks` processors that makes its share of the updates.
double least_events_of(const Problem& problem, double ranks, double red) {
  return least_events(counted_updates(problem) / ranks, red, operands(problem));
}

// Stores that are not events.
double other_stores(const Problem& problem) {
  const double n = as_real(problem.size[0]);
  switch (problem.kernel) {
    case Kernel::multiply:
      return problem.accumulate ? as_real(problem.graph.computed_outputs()) : 0;
    case Kernel::lu:
      return 2 * (n - 1);
    case Kernel::cholesky:
      return 2 * n - 1;
    case Kernel::syrk:
      return n;
  }
  return 0;
}

Product product(const Problem& problem) { return {problem.size[0], problem.size[1], problem.size[2]}; }

}  // namespace

double finite_bound(const Problem& problem, Index red) {
  return std::max(unavoidable(problem.graph),
                  least_events_of(problem, 1, as_real(red)) + other_stores(problem));
}

double busiest_bound(const Problem& problem, Index ranks, Index red) {
  require_positive(ranks, "ranks");
  if (ranks == 1) return finite_bound(problem, red);
  const double faces =
      problem.kernel == Kernel::multiply ? classical::memory_independent(product(problem), ranks).touched : 0;
  return std::max({unavoidable(problem.graph) / as_real(ranks), faces,
                   least_events_of(problem, as_real(ranks), as_real(red))});
}

double syrk_paper_bound(Index n, Index k, Index red) {
  const double x = as_real(n), updates = x * (x - 1) / 2 * as_real(k);
  return updates * 2 / std::sqrt(as_real(red));
}

double paper_bound(const Problem& problem, Index red, Index ranks) {
  const double memory = as_real(red);
  const Index n = problem.size[0];
  switch (problem.kernel) {
    case Kernel::multiply:
      return ranks == 1 ? sequential::theorem1(product(problem), memory)
                        : classical::io_lower_bound(product(problem), ranks, memory);
    case Kernel::lu:
      return factor::lu_lower_bound(n, ranks, memory);
    case Kernel::cholesky:
      return factor::cholesky_lower_bound(n, ranks, memory);
    case Kernel::syrk:
      return syrk_paper_bound(n, problem.size[2], red) / as_real(ranks);
  }
  return 0;
}

}  // namespace cairn::pebble
