#include <algorithm>

#include "cli/render.hpp"
#include "cli/table.hpp"

namespace cairn::cli {
namespace {

std::string text_line(const std::string& what, const std::string& value) {
  return fmt::format("{:<16}{}\n", what, value);
}

std::string spread_text(const comm::Spread& s, const Planned& p) {
  return fmt::format("busiest rank {}, mean {}{}", s.max, number_text(s.mean),
                     p.bound ? fmt::format("; busiest/bound {}, mean/bound {}",
                                           ratio_text(as_real(s.max), p.bound), ratio_text(s.mean, p.bound))
                             : "");
}

std::string predicted_text(const Planned& p) {
  std::string text = fmt::format("{:.4g} s", p.seconds);
  const char* between = ": ";
  for (const PhaseTime& t : p.phases) {
    text += fmt::format("{}{} {:.4g} s", between, t.phase, t.seconds);
    between = ", ";
  }
  return text;
}

std::string machine_text(const KnownMachine& m) {
  return fmt::format("message {:.3g} us, word of 8 bytes {:.3g} ns, copied {:.3g} ns, flop {:.3g} ns ({})",
                     1e6 * m.machine.alpha, 1e9 * m.machine.beta, 1e9 * m.machine.copy, 1e9 * m.machine.gamma,
                     m.source);
}

std::string plan_text(const Planned& p) {
  std::string text = p.title + "\n\n";
  for (const auto& [what, value] : p.lines) text += text_line(what, value);
  if (p.bound) text += text_line("bound", number_text(*p.bound) + " words");
  text += text_line("words received", spread_text(p.words.received, p) + (p.exact ? "" : " (estimated)"));
  text += text_line("words sent", spread_text(p.words.sent, p));
  text += text_line("messages", fmt::format("busiest rank receives {}, sends {}", p.messages.received.max,
                                            p.messages.sent.max));
  text += text_line("memory", fmt::format("{} per rank at most", bytes_text(as_real(p.memory_bytes))));
  text += text_line("predicted", predicted_text(p));
  text += text_line("planned in", fmt::format("{:.4g} s", p.planning_seconds));
  return text + text_line("machine", machine_text(p.machine));
}

std::vector<std::string> candidate_cells(const std::string& first, const Candidate& c, const Planned& p) {
  std::vector<std::string> row{first};
  for (const auto& [column, text] : c.cells) row.push_back(text);
  for (const std::string& text :
       {fmt::format("{:.4g}", c.seconds), std::to_string(c.words_received), std::to_string(c.words_sent),
        ratio_text(as_real(std::max(c.words_received, c.words_sent)), p.bound), std::to_string(c.messages),
        fmt::format("{:.3f}", c.work),
        c.memory_bytes > 0 ? bytes_text(as_real(c.memory_bytes)) : std::string("-")})
    row.push_back(text);
  return row;
}

Table candidates_table(const char* first, const Candidate& like) {
  std::vector<std::string> header{first};
  for (const auto& [column, text] : like.cells) header.push_back(column);
  for (const char* name :
       {"seconds", "received, busiest", "sent, busiest", "/bound", "messages", "work/even", "memory"})
    header.emplace_back(name);
  return Table(header);
}

std::string candidates_text(const Planned& p) {
  std::string text;
  if (!p.candidates.empty()) {
    Table table = candidates_table("candidate", p.candidates.front());
    table.add_column("why");
    for (std::size_t i = 0; i < p.candidates.size(); ++i) {
      std::vector<std::string> row = candidate_cells(std::to_string(i + 1), p.candidates[i], p);
      row.push_back(p.candidates[i].why);
      table.add(row);
    }
    text += "\n" + table.text();
  }
  if (p.algorithms.empty()) return text;
  Table table = candidates_table("algorithm", p.algorithms.front().second);
  for (const auto& [name, c] : p.algorithms) table.add(candidate_cells(name, c, p));
  return text + "\n" + table.text();
}

std::string bytes_table(const Planned& p, const Measured& m) {
  Table table({"bytes", "busiest rank", "mean", "all ranks"});
  const auto add = [&](const std::string& what, const comm::Spread& s) {
    table.add({what, std::to_string(s.max), number_text(as_real(s.total) / p.active_ranks),
               std::to_string(s.total)});
  };
  for (const comm::TrafficRow& row : m.traffic)
    add("received" + (row.phase == "total" ? "" : ", " + row.phase), row.bytes_received);
  add("received, expected", p.bytes->received);
  add("sent", m.traffic.back().bytes_sent);
  return table.text();
}

std::string words_table(const Planned& p, const Measured& m) {
  Table table({"words", "busiest rank", "mean", "all ranks", "busiest/bound", "mean/bound"});
  const auto add = [&](const char* what, const comm::Spread& s) {
    const double mean = as_real(s.total) / p.active_ranks;
    table.add({what, std::to_string(s.max), number_text(mean), std::to_string(s.total),
               ratio_text(as_real(s.max), p.bound), ratio_text(mean, p.bound)});
  };
  const comm::TrafficRow& total = m.traffic.back();
  add("received, counted before", p.words.received);
  add("received", total.words_received);
  add("sent, counted before", p.words.sent);
  add("sent", total.words_sent);
  if (p.bound) table.add({"bound", number_text(*p.bound)});
  return table.text() + (p.bytes ? "\n" + bytes_table(p, m) : "");
}

std::string predicted_cell(const Planned& p, const std::string& phase) {
  const auto at = std::ranges::find(p.phases, phase, &PhaseTime::phase);
  return at == p.phases.end() ? "-" : fmt::format("{:.6f}", at->seconds);
}

std::string phases_table(const Planned& p, const Measured& m) {
  Table table(
      {"phase", "seconds", "predicted", "received, busiest", "sent, busiest", "messages received, busiest"});
  for (const PhaseTime& t : m.phases) {
    const auto row = std::ranges::find(m.traffic, t.phase, &comm::TrafficRow::phase);
    const comm::TrafficRow moved = row == m.traffic.end() ? comm::TrafficRow{} : *row;
    table.add({t.phase, fmt::format("{:.6f}", t.seconds), predicted_cell(p, t.phase),
               std::to_string(moved.words_received.max), std::to_string(moved.words_sent.max),
               std::to_string(moved.messages_received.max)});
  }
  return table.text();
}

std::string verdict_text(const Measured& m) {
  if (!m.verdict) return "not verified\n";
  const WorkVerdict& v = *m.verdict;
  std::string text = fmt::format("verified {}: {}", v.how, word(v.outcome()));
  if (v.found.residual != 0)
    text += fmt::format(" (largest error {:.2g} of what rounding allows)", v.found.error_over_allowed());
  text += "\n";
  if (v.outcome() == check::Outcome::partly)
    text += fmt::format("{} of {} rows could not be checked: numbers there are not finite\n",
                        v.found.unchecked_rows, v.found.rows);
  return text;
}

std::string times_text(const Planned& p, const Measured& m) {
  const std::size_t runs = m.seconds.size();
  std::string text =
      fmt::format("{} run{}, {} BLAS thread{} per rank: median {:.6f} s, least {:.6f} s", runs,
                  runs == 1 ? "" : "s", m.threads, m.threads == 1 ? "" : "s", m.median(), m.least());
  if (p.flops > 0 && m.median() > 0) text += ", " + with_unit(p.flops / m.median(), "flop/s");
  text += p.seconds > 0 ? fmt::format("; predicted {:.6f} s\n", p.seconds) : "\n";
  if (!m.local_seconds.empty() && p.flops > 0)
    text += fmt::format(
        "the local BLAS alone, all ranks at once: {:.6f} s; the multiply has {:.3f} of its rate\n",
        m.local_median(), m.median() > 0 ? m.local_median() / m.median() : 0);
  return text;
}

}  // namespace

std::string ratio_text(double words, const std::optional<double>& bound) {
  return bound && *bound > 0 ? fmt::format("{:.3f}", words / *bound) : "-";
}

WorkVerdict verdict_of(const check::Verdict& found, int rounds, const nlohmann::json& fields) {
  WorkVerdict v{.found = found,
                .how = fmt::format("with {} random vector{}", rounds, rounds == 1 ? "" : "s"),
                .problem = check::describe(found),
                .fields = {{"verify_rounds", rounds}, {"unchecked_rows", found.unchecked_rows}}};
  if (v.outcome() == check::Outcome::unknown) v.problem += "; --no-verify skips the check";
  v.fields.update(fields);
  return v;
}

std::string render_plan(const Planned& planned) { return plan_text(planned); }

std::string render_text(const Shown& s) {
  std::string text;
  if (s.measured == nullptr) {
    text += plan_text(s.planned) + candidates_text(s.planned);
  } else {
    const Measured& m = *s.measured;
    text += fmt::format("\n{}\n{}\n{}{}{}", words_table(s.planned, m), phases_table(s.planned, m),
                        times_text(s.planned, m), verdict_text(m), m.more_text);
    if (!s.trace.empty()) text += trace_written_text(s.trace);
  }
  if (!s.report.empty()) text += fmt::format("report written to {}: open it in a browser\n", s.report);
  return text;
}

}  // namespace cairn::cli
