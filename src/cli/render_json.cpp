#include "cli/render.hpp"

namespace cairn::cli {
namespace {

using nlohmann::json;

json spread_json(const comm::Spread& s, const Planned& p) {
  return {{"total", s.total}, {"mean", as_real(s.total) / p.active_ranks}, {"max", s.max}};
}

json phases_json(const std::vector<PhaseTime>& phases) {
  json all = json::object();
  for (const PhaseTime& p : phases) all[p.phase] = p.seconds;
  return all;
}

json words_json(const Planned& p) {
  return {{"counted",
           {{"total", p.words.received.total},
            {"mean", p.words.received.mean},
            {"max", p.words.received.max},
            {"max_sent", p.words.sent.max},
            {"exact", p.exact}}},
          {"bound", p.bound ? json(*p.bound) : json(nullptr)},
          {"max_to_bound", ratio_json(as_real(p.words.received.max), p.bound)},
          {"mean_to_bound", ratio_json(p.words.received.mean, p.bound)}};
}

// Expected where words do not tell them.
json bytes_json(const Planned& p) {
  if (!p.bytes) return json::object();
  return {{"counted",
           {{"total", p.bytes->received.total},
            {"mean", p.bytes->received.mean},
            {"max", p.bytes->received.max},
            {"exact", p.exact}}}};
}

json machine_json(const KnownMachine& m) {
  json all{{"alpha", m.machine.alpha},
           {"beta", m.machine.beta},
           {"gamma", m.machine.gamma},
           {"copy", m.machine.copy},
           {"source", m.source}};
  if (m.ranks > 0) all.update({{"ranks", m.ranks}, {"cores", m.cores}});
  return all;
}

json candidate_json(const Candidate& c, const std::optional<double>& bound) {
  json all = c.fields;
  all.update({{"seconds", c.seconds},
              {"words_total", c.words_total},
              {"words_max", c.words_received},
              {"words_max_sent", c.words_sent},
              {"max_to_bound", ratio_json(as_real(c.words_received), bound)},
              {"messages_max", c.messages},
              {"work", c.work},
              {"memory_bytes_per_rank", c.memory_bytes > 0 ? json(c.memory_bytes) : json(nullptr)},
              {"why", c.why}});
  return all;
}

json plan_json(const Shown& s) {
  const Planned& p = s.planned;
  json all = p.fields;
  all.update({{"operation", s.operation},
              {"ranks", p.ranks},
              {"idle_ranks", p.ranks - p.active_ranks},
              {"algorithm", p.algorithm},
              {"words", words_json(p)},
              {"messages",
               {{"counted", {{"max_received", p.messages.received.max}, {"max_sent", p.messages.sent.max}}}}},
              {"memory_bytes_per_rank", p.memory_bytes},
              {"bytes", bytes_json(p)},
              {"seconds",
               {{"predicted", p.seconds},
                {"predicted_phases", phases_json(p.phases)},
                {"planning", p.planning_seconds}}},
              {"machine", machine_json(p.machine)}});
  for (const Candidate& c : p.candidates) all["candidates"].push_back(candidate_json(c, p.bound));
  for (const auto& [name, c] : p.algorithms) all["algorithms"][name] = candidate_json(c, p.bound);
  return all;
}

void add_run(json& all, const Planned& p, const Measured& m) {
  const comm::TrafficRow& total = m.traffic.back();
  all["words"]["sent"] = spread_json(total.words_sent, p);
  all["words"]["received"] = spread_json(total.words_received, p);
  all["messages"]["sent"] = spread_json(total.messages_sent, p);
  all["messages"]["received"] = spread_json(total.messages_received, p);
  all["bytes"]["sent"] = spread_json(total.bytes_sent, p);
  all["bytes"]["received"] = spread_json(total.bytes_received, p);
  all["words"]["phases"] = json::object();
  for (const comm::TrafficRow& row : m.traffic)
    if (row.phase != "total")
      all["words"]["phases"][row.phase] = {{"sent", spread_json(row.words_sent, p)},
                                           {"received", spread_json(row.words_received, p)}};
  if (p.bytes)
    for (const comm::TrafficRow& row : m.traffic)
      if (row.phase != "total") all["bytes"]["phases"][row.phase] = spread_json(row.bytes_received, p);
  all["seconds"].update({{"median", m.median()}, {"min", m.least()}, {"phases", phases_json(m.phases)}});
  for (const PhaseTime& more : m.more_seconds) all["seconds"][more.phase] = more.seconds;
  if (!m.local_seconds.empty()) {
    all["seconds"]["local_blas"] = m.local_median();
    all["share_of_local_blas"] = m.median() > 0 ? m.local_median() / m.median() : 0;
  }
  if (p.flops > 0) all["gflops"] = m.median() > 0 ? 1e-9 * p.flops / m.median() : 0;
  all["repeat"] = m.seconds.size();
  all["threads_per_rank"] = m.threads;
  all["verified"] = !m.verdict                                       ? json(nullptr)
                    : m.verdict->outcome() == check::Outcome::partly ? json("partly")
                                                                     : json(m.verdict->right());
  if (m.verdict) all["error_over_allowed"] = m.verdict->found.error_over_allowed();
  if (m.verdict) all.update(m.verdict->fields);
  all.update(m.more_fields);
}

}  // namespace

json ratio_json(double words, const std::optional<double>& bound) {
  return bound && *bound > 0 ? json(words / *bound) : json(nullptr);
}

json render_json(const Shown& s) {
  json all = plan_json(s);
  if (s.measured != nullptr) add_run(all, s.planned, *s.measured);
  if (!s.trace.empty()) all["trace"] = s.trace;
  if (!s.report.empty()) all["report"] = s.report;
  return all;
}

json about_trace(const Shown& s, const std::string& times) {
  json about = s.planned.fields;
  about.update({{"program", "cairn " + s.operation},
                {"times", times},
                {"algorithm", s.planned.algorithm},
                {"ranks", s.planned.ranks}});
  return about;
}

}  // namespace cairn::cli
