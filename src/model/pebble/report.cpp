#include "model/pebble/report.hpp"

#include "model/pebble/bounds.hpp"
#include "model/pebble/orders.hpp"

namespace cairn::model::pebble {

Report play_named(const Problem& problem, std::string_view order, Index red, std::vector<Move>* moves) {
  return {.kernel = problem.kernel,
          .size = problem.size,
          .order = std::string(order),
          .red = red,
          .vertices = problem.graph.vertices(),
          .tally = play(problem.graph, named_order(problem, order, red), red, moves),
          .finite_bound = finite_bound(problem, red),
          .paper_bound = paper_bound(problem, red)};
}

std::string to_text(const Report& r) {
  std::string size = fmt::format("n = {}", r.size[1]);
  if (r.kernel == Kernel::multiply) size = fmt::format("m = {}, ", r.size[0]) + size;
  if (r.kernel == Kernel::multiply || r.kernel == Kernel::syrk) size += fmt::format(", k = {}", r.size[2]);
  return fmt::format(
      "{} {}, {} vertices, {} red pebbles, order {}\n"
      "  loads   {:>12}\n"
      "  stores  {:>12}\n"
      "  moved   {:>12}\n"
      "  bound   {:>12.1f}   moved / bound {:.4f}\n"
      "  paper   {:>12.1f}   moved / paper {:.4f}\n",
      to_string(r.kernel), size, r.vertices, r.red, r.order, r.tally.loads, r.tally.stores, r.tally.cost(),
      r.finite_bound, r.ratio(), r.paper_bound, r.paper_ratio());
}

}  // namespace cairn::model::pebble
