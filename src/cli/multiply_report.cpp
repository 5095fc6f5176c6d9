#include "cli/multiply_report.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/table.hpp"
#include "cli/trace_file.hpp"

namespace cairn::cli {
namespace {

using gemm::Matrix;
using nlohmann::json;

struct Result : MultiplyResult {
  double median(std::vector<double> v) const {
    std::ranges::sort(v);
    return v.size() % 2 == 1 ? v[v.size() / 2] : (v[v.size() / 2 - 1] + v[v.size() / 2]) / 2;
  }
  double seconds() const { return median(outcome.seconds); }
  double local_seconds() const { return median(outcome.local_seconds); }
  double flops() const {
    const gemm::Problem& p = timed.plan.best.schedule.problem;
    return p.multiplies() ? gemm::flops_per_voxel(p.type) * voxels(p) : 0;
  }
  bool written() const { return !files.out.empty() && outcome.right(); }
  double rate() const { return seconds() > 0 ? flops() / seconds() : 0; }
  double share_of_local() const { return seconds() > 0 ? local_seconds() / seconds() : 0; }
  double mean(Index total) const {
    return static_cast<double>(total) / static_cast<double>(timed.plan.best.totals.ranks);
  }
  const comm::TrafficRow* phase(std::string_view name) const {
    const auto found = std::ranges::find(outcome.traffic, name, &comm::TrafficRow::phase);
    return found == outcome.traffic.end() ? nullptr : &*found;
  }
};

json spread_json(const Result& r, const comm::Spread& s) {
  return {{"total", s.total}, {"mean", r.mean(s.total)}, {"max", s.max}};
}

void add_files(json& all, const Result& r) {
  json files = json::object();
  for (const Matrix x : gemm::all_matrices)
    if (!r.files.of(x).empty()) files[std::string(1, "abc"[index(x)])] = r.files.of(x);
  if (!r.files.out.empty()) files["out"] = r.written() ? json(r.files.out) : json(nullptr);
  if (files.empty()) return;
  all["files"] = files;
  all["seconds"]["read"] = r.outcome.read_seconds;
  all["seconds"]["write"] = r.outcome.write_seconds;
}

json to_json(const Result& r) {
  json all = plan_json(r.request, r.timed);
  const comm::TrafficRow& total = r.outcome.traffic.back();
  all["words"]["sent"] = spread_json(r, total.words_sent);
  all["words"]["received"] = spread_json(r, total.words_received);
  all["messages"]["sent"] = spread_json(r, total.messages_sent);
  all["messages"]["received"] = spread_json(r, total.messages_received);
  all["seconds"]["median"] = r.seconds();
  all["seconds"]["min"] = std::ranges::min(r.outcome.seconds);
  all["seconds"]["local_blas"] = r.local_seconds();
  for (const PhaseTime& p : r.outcome.phases) all["seconds"]["phases"][p.phase] = p.seconds;
  add_files(all, r);
  if (!r.trace.empty()) all["trace"] = r.trace;
  all["threads_per_rank"] = r.threads;
  all["repeat"] = r.outcome.seconds.size();
  all["gflops"] = 1e-9 * r.rate();
  all["share_of_local_blas"] = r.share_of_local();
  const auto& verdict = r.outcome.verdict;
  all["verified"] = verdict ? json(verdict->passed) : json(nullptr);
  if (verdict) all["error_over_allowed"] = verdict->error_over_allowed();
  if (verdict) all["verify_rounds"] = r.verify_rounds;
  return all;
}

std::string words_table(const Result& r) {
  const plan::Plan& plan = r.timed.plan;
  Table table({"words", "busiest rank", "mean", "all ranks", "busiest/bound", "mean/bound"});
  const auto add = [&](const char* what, Index busiest, Index total) {
    table.add({what, std::to_string(busiest), number_text(r.mean(total)), std::to_string(total),
               ratio_text(static_cast<double>(busiest), plan.bound_words),
               ratio_text(r.mean(total), plan.bound_words)});
  };
  const comm::TrafficRow& total = r.outcome.traffic.back();
  add("counted before", plan.best.totals.words_received, plan.best.totals.words_total);
  add("received", total.words_received.max, total.words_received.total);
  add("sent", total.words_sent.max, total.words_sent.total);
  table.add({"bound", number_text(plan.bound_words)});
  return table.text();
}

std::string phases_table(const Result& r) {
  const auto predicted = predicted_phases(r.timed.plan);
  Table table({"phase", "seconds", "predicted", "words received, busiest", "messages received, busiest"});
  for (std::size_t i = 0; i < r.outcome.phases.size(); ++i) {
    const PhaseTime& p = r.outcome.phases[i];
    const comm::TrafficRow* moved = r.phase(p.phase);
    table.add({p.phase, fmt::format("{:.6f}", p.seconds), fmt::format("{:.6f}", predicted[i].second),
               moved != nullptr ? std::to_string(moved->words_received.max) : "0",
               moved != nullptr ? std::to_string(moved->messages_received.max) : "0"});
  }
  return table.text();
}

std::string summary_text(const Result& r) {
  const std::size_t runs = r.outcome.seconds.size();
  std::string text =
      fmt::format("{} run{}, {} BLAS thread{} a rank: median {:.6f} s, least {:.6f} s, {}\n", runs,
                  runs == 1 ? "" : "s", r.threads, r.threads == 1 ? "" : "s", r.seconds(),
                  std::ranges::min(r.outcome.seconds), with_unit(r.rate(), "flop/s"));
  if (r.flops() > 0)
    text += fmt::format(
        "the local BLAS alone, all ranks at once: {:.6f} s; the multiply has {:.3f} of its rate\n",
        r.local_seconds(), r.share_of_local());
  const auto& verdict = r.outcome.verdict;
  if (!verdict) return text + "not verified\n";
  text += fmt::format("verified with {} random vector{}: {} (largest error {:.2g} of what rounding allows)\n",
                      r.verify_rounds, r.verify_rounds == 1 ? "" : "s", verdict->passed ? "right" : "WRONG",
                      verdict->error_over_allowed());
  if (verdict->unchecked_rows > 0)
    text += fmt::format("{} rows of C could not be checked: numbers there are not finite\n",
                        verdict->unchecked_rows);
  return text;
}

std::string files_text(const Result& r) {
  std::string text;
  if (r.files.any_input()) text += fmt::format("files read in {:.6f} s\n", r.outcome.read_seconds);
  if (r.written()) text += fmt::format("C written to {} in {:.6f} s\n", r.files.out, r.outcome.write_seconds);
  if (!r.trace.empty()) text += trace_written_text(r.trace);
  return text;
}

}  // namespace

std::string result_text(const MultiplyResult& result) {
  const Result r{result};
  return fmt::format("{}\n{}\n{}\n{}{}", plan_text(r.request, r.timed), words_table(r), phases_table(r),
                     summary_text(r), files_text(r));
}

json result_json(const MultiplyResult& result) { return to_json({result}); }

}  // namespace cairn::cli
