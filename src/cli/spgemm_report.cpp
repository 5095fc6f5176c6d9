#include "cli/spgemm_report.hpp"

#include <algorithm>

#include "cli/table.hpp"
#include "comm/collectives.hpp"

namespace cairn::cli {
namespace {

using nlohmann::json;

comm::Spread spread_over(comm::CommView c, Index value) {
  comm::Spread s;
  s.max = comm::allreduce(c, value, comm::ReduceOp::max);
  s.total = comm::allreduce(c, value, comm::ReduceOp::sum);
  s.mean = static_cast<double>(s.total) / c.size();
  return s;
}

json spread_json(const comm::Spread& s) { return {{"total", s.total}, {"mean", s.mean}, {"max", s.max}}; }

double middle(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v.empty() ? 0 : v[v.size() / 2];
}

double compression(const SpgemmSummary& s) {
  return s.entries_c == 0 ? 1 : static_cast<double>(s.plan.sample.voxels) / static_cast<double>(s.entries_c);
}

json candidates_json(const sparse::SpgemmPlan& plan) {
  json list = json::array();
  for (const sparse::SpgemmCandidate& x : plan.others)
    list.push_back({{"method", x.method.describe()},
                    {"bytes", x.cost.total_bytes()},
                    {"seconds", x.cost.seconds},
                    {"why", x.why}});
  return list;
}

json grid_json(const sparse::SparseGrid& g) { return json::array({g.pm, g.pn, g.pk}); }

}  // namespace

template <Scalar T>
SpgemmSummary summarise_spgemm(comm::CommView c, const SpgemmRequest&, const SpgemmMeasured<T>& m) {
  SpgemmSummary s;
  s.ranks = c.size();
  s.plan = m.plan;
  s.phases = comm::gather_traffic(c, m.traffic);
  s.entries_received = spread_over(c, m.outcome.counts.entries_received());
  s.voxels = m.plan.sample.voxels;
  s.entries_c = m.entries_c;
  s.seconds = m.seconds;
  s.seconds_multiply = m.seconds_multiply;
  s.verdict = m.outcome.verdict;
  return s;
}

json spgemm_plan_json(const sparse::SpgemmPlan& plan, int ranks) {
  const sparse::SpgemmSample& s = plan.sample;
  return {{"ranks", ranks},
          {"algorithm", name(plan.best.method.algorithm)},
          {"grid", grid_json(plan.best.method.grid)},
          {"layers", plan.best.method.grid.pk},
          {"phases", plan.best.method.phases},
          {"bytes", {{"expected", plan.best.cost.total_bytes()}}},
          {"words",
           {{"expected", plan.best.cost.entries_a + plan.best.cost.entries_b + plan.best.cost.entries_c},
            {"bound", plan.bound.entries}}},
          {"bound_source", plan.bound.source},
          {"messages", plan.best.cost.messages},
          {"memory_bytes_per_rank", plan.best.cost.memory_bytes},
          {"seconds", plan.best.cost.seconds},
          {"nnz",
           {{"a", s.entries_a},
            {"b", s.entries_b},
            {"c_estimated", s.entries_c},
            {"c_error", s.entries_c_error}}},
          {"flops", 2 * s.voxels},
          {"candidates", candidates_json(plan)}};
}

json spgemm_json(const SpgemmRequest& o, const SpgemmSummary& s) {
  const comm::TrafficRow& total = s.phases.back();
  const sparse::SpgemmMethod& method = s.plan.best.method;
  json phases = json::object();
  for (const comm::TrafficRow& row : s.phases)
    if (row.phase != "total") phases[row.phase] = spread_json(row.bytes_received);
  return {{"ranks", s.ranks},
          {"algorithm", name(method.algorithm)},
          {"method", method.describe()},
          {"grid", grid_json(method.grid)},
          {"layers", method.grid.pk},
          {"phases", method.phases},
          {"semiring", o.semiring},
          {"words",
           {{"received", spread_json(s.entries_received)},
            {"expected", s.plan.best.cost.entries_a + s.plan.best.cost.entries_b +
                             s.plan.best.cost.entries_c + s.plan.best.cost.inputs},
            {"bound", s.plan.bound.entries}}},
          {"bytes",
           {{"expected", s.plan.best.cost.total_bytes()},
            {"sent", spread_json(total.bytes_sent)},
            {"received", spread_json(total.bytes_received)},
            {"received_by_phase", phases}}},
          {"messages", spread_json(total.messages_received)},
          {"memory_bytes_per_rank", s.plan.best.cost.memory_bytes},
          {"seconds",
           {{"median", middle(s.seconds)},
            {"min", *std::min_element(s.seconds.begin(), s.seconds.end())},
            {"phases", {{"multiply", s.seconds_multiply}}}}},
          {"verified", s.verdict ? json(s.verdict->passed) : json(nullptr)},
          {"nnz",
           {{"a", s.plan.sample.entries_a},
            {"b", s.plan.sample.entries_b},
            {"c", s.entries_c},
            {"c_estimated", s.plan.sample.entries_c}}},
          {"flops", 2 * s.voxels},
          {"compression", compression(s)},
          {"bound_source", s.plan.bound.source},
          {"candidates", candidates_json(s.plan)}};
}

std::string spgemm_text(const SpgemmRequest&, const SpgemmSummary& s) {
  const comm::TrafficRow& total = s.phases.back();
  std::string text = s.plan.explain();
  Table table({"received per rank", "bytes, mean", "bytes, busiest", "messages, busiest"});
  for (const comm::TrafficRow& row : s.phases)
    table.add({row.phase, fmt::format("{:.0f}", row.bytes_received.mean),
               std::to_string(row.bytes_received.max), std::to_string(row.messages_received.max)});
  text += "\n" + table.text();
  text += fmt::format("\nexpected {:.0f} bytes, received {:.0f}; entries received {:.0f}, bound {:.0f}\n",
                      s.plan.best.cost.total_bytes(), total.bytes_received.mean, s.entries_received.mean,
                      s.plan.bound.entries);
  text += fmt::format("nnz(C) {}, compression {:.2f}; {:.6f} s, of which multiplying {:.6f} s; checked: {}",
                      s.entries_c, compression(s), middle(s.seconds), s.seconds_multiply,
                      !s.verdict          ? "no"
                      : s.verdict->passed ? "right"
                                          : "WRONG");
  return text;
}

#define CAIRN_SUMMARY(T) \
  template SpgemmSummary summarise_spgemm<T>(comm::CommView, const SpgemmRequest&, const SpgemmMeasured<T>&);
CAIRN_FOR_EACH_SCALAR(CAIRN_SUMMARY)
#undef CAIRN_SUMMARY

}  // namespace cairn::cli
