#include <algorithm>

#include "base/xml_text.hpp"
#include "cli/html.hpp"
#include "cli/table.hpp"

namespace cairn::cli {
namespace {

std::string tile(const std::string& value, const std::string& what, const char* kind = "") {
  return fmt::format("<div class=\"tile\"><b class=\"{}\">{}</b><span>{}</span></div>\n", kind,
                     xml_escaped(value), xml_escaped(what));
}

std::string milliseconds(double seconds) {
  return seconds >= 1 ? fmt::format("{:.3g} s", seconds) : fmt::format("{:.3g} ms", 1e3 * seconds);
}

Index busiest(const Planned& p) { return std::max(p.words.received.max, p.words.sent.max); }

std::string tiles(const Shown& s) {
  const Planned& p = s.planned;
  std::string text = tile(number_text(as_real(busiest(p))), "words, busiest rank");
  if (p.bound && *p.bound > 0)
    text += tile(fmt::format("{:.3f} x", as_real(busiest(p)) / *p.bound),
                 "the lower bound of " + number_text(*p.bound) + " words");
  if (p.bytes)
    text += tile(
        bytes_text(as_real(s.measured == nullptr ? p.bytes->received.max
                                                 : s.measured->traffic.back().bytes_received.max)),
        s.measured == nullptr ? "received by the busiest rank, expected" : "received by the busiest rank");
  if (s.measured != nullptr) {
    const Measured& m = *s.measured;
    text += tile(
        milliseconds(m.median()),
        fmt::format("{}; predicted {}",
                    m.seconds.size() == 1 ? "one run" : fmt::format("median of {} runs", m.seconds.size()),
                    milliseconds(p.seconds)));
    if (p.flops > 0 && m.median() > 0)
      text += tile(with_unit(p.flops / m.median(), "flop/s"), "all ranks together");
    if (!m.local_seconds.empty() && m.median() > 0)
      text += tile(fmt::format("{:.0f} %", 100 * m.local_median() / m.median()), "of the local BLAS alone");
    text += !m.verdict ? tile("-", "not verified")
            : m.verdict->right()
                ? tile(std::string(word(m.verdict->outcome())), "verified " + m.verdict->how, "good")
                : tile(std::string(word(m.verdict->outcome())), m.verdict->problem, "bad");
  } else {
    text += tile(milliseconds(p.seconds), "predicted");
  }
  return text + tile(bytes_text(as_real(p.memory_bytes)), "memory per rank at most");
}

std::string line(const std::string& what, const std::string& value) {
  return fmt::format("<dt>{}</dt><dd>{}</dd>\n", xml_escaped(what), xml_escaped(value));
}

// "2x2, layers 1, step 64".
std::string candidate_name(const Candidate& c) {
  std::string text;
  for (const auto& [what, value] : c.cells)
    text += text.empty() ? value : fmt::format(", {} {}", what, value);
  return text.empty() ? text : text + ": ";
}

std::string why_text(const Planned& p) {
  if (p.candidates.empty()) return {};
  std::string text = line("why", p.candidates.front().why);
  if (p.candidates.size() > 1)
    text += line("next best", candidate_name(p.candidates[1]) + p.candidates[1].why);
  return text;
}

std::string plan_section(const Shown& s) {
  const Planned& p = s.planned;
  std::string text = "<dl>\n";
  for (const auto& [what, value] : p.lines) text += line(what, value);
  text += why_text(p);
  text +=
      line("words received", fmt::format("busiest rank {}, mean {}{}", p.words.received.max,
                                         number_text(p.words.received.mean), p.exact ? "" : " (estimated)"));
  text += line("words sent",
               fmt::format("busiest rank {}, mean {}", p.words.sent.max, number_text(p.words.sent.mean)));
  text += line("messages", fmt::format("busiest rank receives {}, sends {}", p.messages.received.max,
                                       p.messages.sent.max));
  text += line("predicted", milliseconds(p.seconds));
  text += line("planned in", milliseconds(p.planning_seconds)) + "</dl>\n";
  if (p.picture) text += "<div class=\"bricks\">" + p.picture() + "</div>\n";
  return html_section("What was planned, and why", text);
}

std::vector<std::string> phase_row(const Shown& s, const std::string& phase) {
  const auto seconds = [&](const std::vector<PhaseTime>& times) {
    const auto at = std::ranges::find(times, phase, &PhaseTime::phase);
    return at == times.end() ? std::string("-") : milliseconds(at->seconds);
  };
  std::vector<std::string> row{phase, seconds(s.planned.phases)};
  if (s.measured == nullptr) return row;
  const auto moved = std::ranges::find(s.measured->traffic, phase, &comm::TrafficRow::phase);
  const comm::TrafficRow words = moved == s.measured->traffic.end() ? comm::TrafficRow{} : *moved;
  row.push_back(seconds(s.measured->phases));
  for (const Index x : {words.words_received.max, words.words_sent.max, words.words_received.total,
                        words.messages_received.max})
    row.push_back(std::to_string(x));
  return row;
}

std::string phases_section(const Shown& s) {
  std::vector<std::vector<std::string>> rows{{"phase", "predicted"}};
  if (s.measured != nullptr)
    for (const char* name : {"measured", "received, busiest", "sent, busiest", "all ranks", "messages"})
      rows.front().emplace_back(name);
  for (const PhaseTime& p : s.measured != nullptr ? s.measured->phases : s.planned.phases)
    rows.push_back(phase_row(s, p.phase));
  if (rows.size() == 1) return {};
  return html_section("Phases", html_table(rows));
}

std::vector<std::string> candidate_row(const std::string& first, const Candidate& c, const Planned& p) {
  std::vector<std::string> row{first};
  for (const auto& [column, text] : c.cells) row.push_back(text);
  for (const std::string& text :
       {milliseconds(c.seconds), std::to_string(c.words_received), std::to_string(c.words_sent),
        ratio_text(as_real(std::max(c.words_received, c.words_sent)), p.bound), std::to_string(c.messages),
        fmt::format("{:.3f}", c.work),
        c.memory_bytes > 0 ? bytes_text(as_real(c.memory_bytes)) : std::string("-")})
    row.push_back(text);
  return row;
}

std::vector<std::string> candidate_header(const char* first, const Candidate& like) {
  std::vector<std::string> header{first};
  for (const auto& [column, text] : like.cells) header.push_back(column);
  for (const char* name : {"predicted", "received", "sent", "/ bound", "messages", "work / even", "memory"})
    header.emplace_back(name);
  return header;
}

std::string candidates_section(const Planned& p) {
  if (p.candidates.empty()) return {};
  std::vector<std::vector<std::string>> rows{candidate_header("", p.candidates.front())};
  rows.front().emplace_back("why");
  for (std::size_t i = 0; i < p.candidates.size(); ++i) {
    rows.push_back(candidate_row(std::to_string(i + 1), p.candidates[i], p));
    rows.back().push_back(p.candidates[i].why);
  }
  std::string text = html_table(rows);
  if (!p.algorithms.empty()) {
    rows = {candidate_header("algorithm", p.algorithms.front().second)};
    for (const auto& [name, c] : p.algorithms) rows.push_back(candidate_row(name, c, p));
    text += "<h3>Named algorithms on the same problem</h3>\n" + html_table(rows);
  }
  return html_section("Candidates",
                      text + "<p class=\"note\">Words and messages are those of the busiest rank.</p>\n");
}

std::string machine_section(const Shown& s) {
  const KnownMachine& m = s.planned.machine;
  std::string text =
      "<dl>\n" + line("a message (alpha)", fmt::format("{:.3g} us", 1e6 * m.machine.alpha)) +
      line("a word of 8 bytes (beta)", fmt::format("{:.3g} ns", 1e9 * m.machine.beta)) +
      line("a word copied", fmt::format("{:.3g} ns", 1e9 * m.machine.copy)) +
      line("an operation (gamma)", fmt::format("{:.3g} ns, {}", 1e9 * m.machine.gamma,
                                               with_unit(1 / m.machine.gamma, "flop/s") + " per rank")) +
      line("from", m.source);
  if (s.measured != nullptr) text += line("BLAS threads per rank", std::to_string(s.measured->threads));
  return html_section("Machine", text + "</dl>\n");
}

}  // namespace

std::string render_html(const Shown& s) {
  const std::string title = "cairn " + std::string(s.measured == nullptr ? "plan " : "") + s.operation;
  std::string body = fmt::format("<header><h1>{}</h1><p>{}</p></header>\n<div class=\"tiles\">{}</div>\n",
                                 xml_escaped(title), xml_escaped(s.planned.title), tiles(s));
  body += plan_section(s);
  if (s.measured != nullptr && !s.measured->more_pictures.empty())
    body += html_section("Matrices", "<div class=\"spies\">" + s.measured->more_pictures + "</div>\n");
  body += html_words(s) + html_timeline(s) + phases_section(s) + candidates_section(s.planned) +
          machine_section(s);
  body += fmt::format(
      "<section><details><summary>Everything as JSON</summary><pre>{}</pre></details></section>\n",
      xml_escaped(render_json(s).dump(2)));
  return html_page(title + ": " + s.planned.title, body);
}

}  // namespace cairn::cli
