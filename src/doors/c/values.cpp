#include "doors/c/values.hpp"

namespace cairn::c_door {

void set_machine(const cairn_machine& given, Machine& machine) {
  if (given.alpha != 0 || given.beta != 0 || given.gamma != 0)
    machine = {.alpha = given.alpha, .beta = given.beta, .gamma = given.gamma};
}

PlanOptions plan_options(const cairn_plan_options* options) {
  const cairn_plan_options given = known_options(options, "options");
  PlanOptions o;
  o.algorithm = text_at(given.algorithm, o.algorithm);
  o.objective = enum_value<Objective>(given.objective, 3, "objective");
  o.transport = enum_value<Transport>(given.transport, 2, "transport");
  set_unless_zero(given.work_limit, o.work_limit);
  const int* const g = given.grid;
  if (g[0] != 0 || g[1] != 0 || g[2] != 0) o.grid = {g[0], g[1], g[2]};
  if (given.rounds != 0)
    o.rounds = Rounds{enum_value<Dimension>(given.rounds_along, 3, "rounds_along"), given.rounds};
  set_unless_zero(given.memory_bytes, o.memory_bytes);
  set_unless_zero(given.layers, o.layers);
  o.overlap = given.overlap != 0;
  o.lookahead = given.lookahead;
  set_unless_zero(given.candidates, o.candidates);
  set_machine(given.machine, o.machine);
  o.tree = text_at(given.tree, o.tree);
  o.fast = text_at(given.fast, o.fast);
  o.fast_entry = text_at(given.fast_entry, o.fast_entry);
  set_unless_zero(given.max_error_growth, o.max_error_growth);
  o.scaled = given.scaled != 0;
  return o;
}

FactorOptions factor_options(const cairn_factor_options* options) {
  const cairn_factor_options given = known_options(options, "options");
  FactorOptions o;
  o.algorithm = text_at(given.algorithm, o.algorithm);
  o.objective = enum_value<Objective>(given.objective, 3, "objective");
  o.pivoting = enum_value<PivotChoice>(given.pivoting, 3, "pivoting");
  set_unless_zero(given.layers, o.layers);
  set_unless_zero(given.step, o.step);
  set_unless_zero(given.memory_bytes, o.memory_bytes);
  o.check_finite = given.allow_infinities == 0;
  o.norms = given.no_norms == 0;
  o.back = given.back != 0;
  set_machine(given.machine, o.machine);
  return o;
}

Product product_value(const cairn_product* product, cairn_scalar type) {
  const cairn_product& p = *required(product, "product");
  return {.m = p.m,
          .n = p.n,
          .k = p.k,
          .op_a = op_value(p.op_a, "op_a"),
          .op_b = op_value(p.op_b, "op_b"),
          .type = scalar_type(type)};
}

cairn_factor_report report_value(const FactorReport& r) {
  cairn_factor_report report{};
  copy_name(r.pattern, report.pattern);
  report.layers = r.layers;
  report.step = r.step;
  report.mean_words = r.mean_words;
  report.busiest_words = r.busiest_words;
  report.bound_words = r.bound_words;
  report.cyclic_words = r.cyclic_words;
  report.memory_bytes = r.memory_bytes;
  report.seconds = r.seconds;
  return report;
}

}  // namespace cairn::c_door
