// The plan of a sparse product as the table of operations shows it. A word is one entry; bytes stand beside.
#include <cmath>

#include "cli/spgemm_options.hpp"
#include "cli/spy.hpp"
#include "cli/table.hpp"

namespace cairn::cli {
namespace {

using nlohmann::json;
using sparse::SpgemmCandidate;
using sparse::SpgemmCost;
using sparse::SpgemmPlan;

Index rounded(double x) { return std::llround(x); }

double entries_of(const SpgemmCost& c) { return c.entries_a + c.entries_b + c.entries_c + c.inputs; }

std::string turned_name(const std::string& matrix, const std::string& op) {
  return op == "N" ? matrix : matrix + (op == "T" ? "^T" : "^H");
}

std::string grid_text(const sparse::SparseGrid& g) { return fmt::format("[{}, {}, {}]", g.pm, g.pn, g.pk); }
json grid_json(const sparse::SparseGrid& g) { return json::array({g.pm, g.pn, g.pk}); }

// With --reuse values alone: places, lists and lengths are known.
double bytes_of(const SpgemmRequest& o, const sparse::SpgemmSample& s, const SpgemmCost& c) {
  return o.reuse ? static_cast<double>(s.value_bytes) * entries_of(c) + c.convert_bytes : c.total_bytes();
}

// Per rank of the grid, the busiest by how entries crowd in the sample.
comm::Spread expected_spread(double mean, double crowding, int ranks) {
  return {rounded(mean * crowding), rounded(mean * ranks), mean};
}

Candidate candidate_of(const SpgemmCandidate& x) {
  const sparse::SpgemmMethod& method = x.method;
  const SpgemmCost& c = x.cost;
  Candidate result;
  result.cells = {{"algorithm", std::string(name(method.algorithm))},
                  {"grid", grid_text(method.grid)},
                  {"bytes, mean", number_text(std::round(c.total_bytes()))}};
  result.fields = {{"algorithm", name(method.algorithm)},
                   {"method", method.describe()},
                   {"grid", grid_json(method.grid)},
                   {"column_phases", method.phases},
                   {"bytes", c.total_bytes()}};
  result.seconds = c.seconds;
  const int ranks = method.grid.ranks();
  const comm::Spread words = expected_spread(entries_of(c), c.crowding, ranks);
  result.words_total = words.total;
  result.words_received = words.max;
  result.words_sent = expected_spread(entries_of(c), c.send_crowding, ranks).max;
  result.messages = rounded(c.messages);
  result.work = c.work;
  result.memory_bytes = rounded(c.memory_bytes);
  result.why = x.why;
  return result;
}

// Every named algorithm at its best grid; those that cannot run on this many ranks or in this little memory are left out.
void add_named(Planned& p, const SpgemmPlan& plan, sparse::SpgemmPlanOptions options) {
  for (const sparse::SpgemmAlgorithm algorithm : sparse::all_spgemm_algorithms()) try {
      options.algorithm = algorithm;
      options.layers.reset();
      p.algorithms.emplace_back(std::string(name(algorithm)),
                                candidate_of(sparse::plan_spgemm(plan.sample, options).best));
      p.algorithms.back().second.cells.erase(p.algorithms.back().second.cells.begin());
    } catch (const Error&) {
    }
}

json fields_of(const SpgemmRequest& o, const SpgemmPlan& plan) {
  const sparse::SpgemmSample& s = plan.sample;
  const sparse::SpgemmMethod& method = plan.best.method;
  return {{"m", s.shape.m},
          {"n", s.shape.n},
          {"k", s.shape.k},
          {"op_a", o.op_a},
          {"op_b", o.op_b},
          {"type", o.type},
          {"semiring", o.semiring},
          {"layout", o.layout},
          {"shuffle", o.shuffle},
          {"reuse", o.reuse},
          {"chosen", name(method.algorithm)},
          {"method", method.describe()},
          {"grid", grid_json(method.grid)},
          {"layers", method.grid.pk},
          {"column_phases", method.phases},
          {"nnz",
           {{"a", s.entries_a},
            {"b", s.entries_b},
            {"c_estimated", s.entries_c},
            {"c_error", s.entries_c_error}}},
          {"flops", 2 * s.voxels},
          {"compression", s.entries_c > 0 ? static_cast<double>(s.voxels) / s.entries_c : 1.0},
          {"bound_source", plan.bound.source},
          {"advice", plan.advice()}};
}

std::string bytes_line(const SpgemmRequest& o, const SpgemmPlan& plan) {
  const SpgemmCost& c = plan.best.cost;
  const auto text = [](double bytes) { return number_text(std::round(bytes)); };
  std::string line = fmt::format("mean {}, ", text(bytes_of(o, plan.sample, c)));
  line += o.reuse ? "values alone"
                  : fmt::format("of which {} for lists of needed rows and columns", text(c.pattern_bytes));
  if (c.convert_bytes > 0) line += fmt::format(" and {} to bring A and B there", text(c.convert_bytes));
  return line + " (expected)";
}

void add_lines(Planned& p, const SpgemmRequest& o, const SpgemmPlan& plan) {
  const sparse::SpgemmSample& s = plan.sample;
  p.lines = {{"method", plan.best.method.describe()},
             {"nonzeros",
              fmt::format("A {}, B {}, C about {} +- {}", s.entries_a, s.entries_b,
                          number_text(std::round(s.entries_c)), number_text(std::round(s.entries_c_error)))},
             {"products", fmt::format("{}, {:.2f} per entry of C", s.voxels,
                                      s.entries_c > 0 ? static_cast<double>(s.voxels) / s.entries_c : 1.0)},
             {"bytes received", bytes_line(o, plan)},
             {"bound from", plan.bound.source}};
  if (const std::string advice = plan.advice(); !advice.empty())
    p.lines.emplace_back("advice", advice + " (--shuffle)");
}

Planned planned_spgemm(const SpgemmRequest& o, const SharedOptions& shared, const SpgemmPlan& plan,
                       const sparse::SpgemmPlanOptions& options) {
  const SpgemmCost& c = plan.best.cost;
  const sparse::SpgemmSample& s = plan.sample;
  const int active = plan.best.method.grid.ranks();
  Planned p;
  p.title = fmt::format("C = {} {}, {} x {} times {} x {}, {}, on {} rank{}", turned_name("A", o.op_a),
                        turned_name("B", o.op_b), s.shape.m, s.shape.k, s.shape.k, s.shape.n, o.semiring,
                        s.ranks, s.ranks == 1 ? "" : "s");
  p.algorithm = o.algorithm;
  p.ranks = s.ranks;
  p.active_ranks = active;
  p.fields = fields_of(o, plan);
  add_lines(p, o, plan);
  p.words.received = expected_spread(entries_of(c), c.crowding, active);
  p.words.sent = expected_spread(entries_of(c), c.send_crowding, active);
  p.bytes.emplace();
  p.bytes->received = expected_spread(bytes_of(o, s, c), c.crowding, active);
  p.bytes->sent = expected_spread(bytes_of(o, s, c), c.send_crowding, active);
  p.messages.received = p.messages.sent = expected_spread(c.messages, 1, active);
  p.exact = false;
  if (plan.bound.entries > 0) p.bound = plan.bound.entries;
  p.memory_bytes = rounded(c.memory_bytes);
  p.flops = 2.0 * static_cast<double>(s.voxels);
  p.seconds = c.seconds;
  p.within = "spgemm";
  p.candidates.push_back(candidate_of(plan.best));
  for (const SpgemmCandidate& x : plan.others) p.candidates.push_back(candidate_of(x));
  if (shared.explain) add_named(p, plan, options);
  p.own = plan;
  return p;
}

template <Scalar T>
Planned plan_of_whole(const SpgemmRequest& o, const SharedOptions& shared, int ranks) {
  const auto pair = std::make_shared<const WholePair<T>>(whole_pair<T>(o));
  sparse::SpgemmPlanOptions options = planning_of(o, shared);
  std::optional<sparse::SparseLayout> a, b;
  if (!o.native()) {
    options.a = &a.emplace(sparse::SparseLayout::parse(o.layout, pair->a.rows, pair->a.columns, ranks));
    options.b = &b.emplace(sparse::SparseLayout::parse(o.layout, pair->b.rows, pair->b.columns, ranks));
  }
  const SpgemmPlan plan = sparse::plan_spgemm(
      sparse::sample_whole(pair->a, pair->b, ranks, sparse::grids_for(options, ranks)), options);
  Planned p = planned_spgemm(o, shared, plan, options);
  const auto layouts = sparse::layouts_of(plan.best.method, plan.sample.shape);
  p.picture = [=] {
    return spy_svg("A", spy_whole(pair->a, layouts.a)) + spy_svg("B", spy_whole(pair->b, layouts.b));
  };
  return p;
}

Planned plan_of_sample(const SpgemmRequest& o, const SharedOptions& shared, int ranks) {
  const sparse::ProductShape& shape = o.sample->shape;
  sparse::SpgemmPlanOptions options = planning_of(o, shared);
  std::optional<sparse::SparseLayout> a, b;
  if (!o.native()) {
    options.a = &a.emplace(sparse::SparseLayout::parse(o.layout, shape.m, shape.k, ranks));
    options.b = &b.emplace(sparse::SparseLayout::parse(o.layout, shape.k, shape.n, ranks));
  }
  return planned_spgemm(o, shared, sparse::plan_spgemm(*o.sample, options), options);
}

}  // namespace

Planned plan_spgemm_operation(const SpgemmRequest& o, const SharedOptions& shared, int ranks) {
  if (o.sample) return plan_of_sample(o, shared, ranks);
  return dispatch(parse_scalar_type(o.type), [&]<class T>() { return plan_of_whole<T>(o, shared, ranks); });
}

}  // namespace cairn::cli
