#include "cli/harness.hpp"

#include <algorithm>

#include "cli/measure.hpp"
#include "cli/node_memory.hpp"
#include "cli/table.hpp"
#include "comm/agreement.hpp"
#include "comm/collectives.hpp"

namespace cairn::cli {
namespace {

using comm::CommView;
using program::TraceEvent;

double median_of(std::vector<double> v) {
  if (v.empty()) return 0;
  std::ranges::sort(v);
  return v.size() % 2 == 1 ? v[v.size() / 2] : (v[v.size() / 2 - 1] + v[v.size() / 2]) / 2;
}

// The time of the slowest rank.
template <class F>
double slowest(CommView c, F&& f) {
  const CommView plain = c.unchecked();
  comm::barrier(plain);
  const double start = seconds_now();
  f();
  return comm::allreduce(plain, seconds_now() - start, comm::ReduceOp::max);
}

// Without agreements, and without what is outside any phase; phases inside `within` by their own names.
comm::TrafficSnapshot data_traffic(comm::TrafficSnapshot moved, const std::string& within) {
  std::erase_if(moved.phases, [](const auto& phase) {
    return phase.first.empty() || phase.first.ends_with(comm::agreement_phase);
  });
  if (within.empty()) return moved;
  comm::TrafficSnapshot renamed;
  for (const auto& [phase, counters] : moved.phases)
    if (counters != comm::Counters{})  // of runs before this one
      renamed.phases[phase.starts_with(within + "/") ? phase.substr(within.size() + 1) : phase] += counters;
  return renamed;
}

std::vector<comm::Counters> gather_totals(CommView c, const comm::Counters& mine) {
  std::vector<comm::Counters> all(static_cast<std::size_t>(c.rank() == 0 ? c.size() : 0));
  const std::vector<Index> counts(static_cast<std::size_t>(c.size()), 1);
  comm::gatherv(c, std::span<const comm::Counters>(&mine, 1), std::span(all), counts, 0);
  return all;
}

PhaseTime& phase_named(std::vector<PhaseTime>& times, std::string_view phase) {
  const auto at = std::ranges::find(times, phase, &PhaseTime::phase);
  return at != times.end() ? *at : times.emplace_back(PhaseTime{std::string(phase), 0});
}

// What the core of the slowest rank spent on each phase: starting it, waiting for it, computing it. The phases
// of the plan first, in its order, then others as they come.
std::vector<PhaseTime> phase_times(const std::vector<RankTrace>& traces, const Planned& planned) {
  std::vector<PhaseTime> times;
  for (const PhaseTime& p : planned.phases) times.push_back({p.phase, 0});
  for (const RankTrace& trace : traces) {
    std::vector<PhaseTime> mine;
    for (const TraceEvent& e : trace.events)
      if (e.lane == TraceEvent::core && e.activity != program::Activity::agree)
        phase_named(mine, e.phase_name()).seconds += e.end - e.start;
    for (const PhaseTime& p : mine) {
      PhaseTime& all = phase_named(times, p.phase);
      all.seconds = std::max(all.seconds, p.seconds);
    }
  }
  return times;
}

// The last run: recorded, and its words counted rank by rank.
void run_once_more(CommView c, Work& work, const Planned& planned, Measured& m) {
  const CommView plain = c.unchecked();
  comm::barrier(plain);
  const comm::TrafficSnapshot before = c.traffic().snapshot();
  const std::vector<TraceEvent> events = work.run_traced();
  const comm::TrafficSnapshot moved = data_traffic(c.traffic().snapshot() - before, planned.within);
  m.traffic = comm::gather_traffic(plain, moved);
  m.moved = gather_totals(plain, moved.total());
  m.traces = gather_traces(plain, events, planned.rank_name);
  m.phases = phase_times(m.traces, planned);
}

std::string memory_text(const Planned& planned, Index ranks, Index have) {
  const Index each = planned.memory_bytes + planned.measuring_bytes;
  return fmt::format(
      "{}: {} per rank, of which {} to measure and check, on {} ranks of this node, which has {} free: "
      "expected fewer ranks, smaller matrices{}",
      planned.title, bytes_text(static_cast<double>(each)),
      bytes_text(static_cast<double>(planned.measuring_bytes)), ranks, bytes_text(static_cast<double>(have)),
      planned.measuring_bytes > 0 ? " or --no-verify" : "");
}

void require_memory(const Planned& planned, Index ranks_here, Index have) {
  const double need = static_cast<double>(planned.memory_bytes + planned.measuring_bytes) *
                      static_cast<double>(std::min<Index>(ranks_here, planned.active_ranks));
  require<MemoryError>(need <= static_cast<double>(have), "{}", memory_text(planned, ranks_here, have));
}

}  // namespace

double Measured::median() const { return median_of(seconds); }
double Measured::least() const { return seconds.empty() ? 0 : std::ranges::min(seconds); }
double Measured::local_median() const { return median_of(local_seconds); }

Measured measure(CommView c, Work& work, const Planned& planned, const HarnessOptions& o,
                 Progress& progress) {
  Measured m;
  for (int i = 0; o.repeat > 0 && i <= o.repeat; ++i) {
    progress.step("run", i, o.repeat + 2);
    work.prepare(false);
    const double seconds = slowest(c, [&] { work.run(nullptr); });
    bool has_local = false;
    const double local = slowest(c, [&] { has_local = work.run_local(); });
    if (i == 0) continue;
    m.seconds.push_back(seconds);
    if (has_local) m.local_seconds.push_back(local);
  }
  progress.step("run", o.repeat + 1, o.repeat + 2);
  work.prepare(true);
  const double seconds = slowest(c, [&] { run_once_more(c, work, planned, m); });
  if (o.repeat == 0) m.seconds.push_back(seconds);
  progress.say("checking the result");
  if (o.verify) m.verdict = work.check();
  if (m.right()) work.finish();
  m.more_seconds = work.more_seconds();
  m.more_fields = work.more_fields();
  m.more_text = work.more_text();
  m.more_pictures = work.more_pictures();
  return m;
}

void check_node_memory(CommView c, const Planned& planned) {
  const Index here = comm::ranks_on_this_node(c);
  comm::agree(c, "memory of the node", [&] { require_memory(planned, here, free_memory_bytes()); });
}

void check_node_memory(const Planned& planned) {
  require_memory(planned, planned.ranks, free_memory_bytes());
}

}  // namespace cairn::cli
