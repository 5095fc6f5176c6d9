#include <algorithm>
#include <cmath>

#include "base/xml_text.hpp"
#include "cli/html.hpp"

namespace cairn::cli {
namespace {

using program::TraceEvent;

constexpr std::size_t most_rows = 24;  // ranks drawn
constexpr int most_links = 2;          // lanes of communication drawn
constexpr double core_height = 13, link_height = 7;

double end_of(const std::vector<RankTrace>& traces) {
  double end = 0;
  for (const RankTrace& trace : traces)
    for (const TraceEvent& e : trace.events) end = std::max(end, e.end);
  return end;
}

std::string time_text(double seconds) {
  if (seconds >= 1) return fmt::format("{:.3g} s", seconds);
  return seconds >= 1e-3 ? fmt::format("{:.3g} ms", 1e3 * seconds) : fmt::format("{:.3g} us", 1e6 * seconds);
}

double top_of(const TraceEvent& e) {
  return e.lane == TraceEvent::core
             ? 0
             : core_height + 1 + (std::min(e.lane, most_links) - 1) * (link_height + 1);
}

std::string event_rect(const TraceEvent& e, double start, double end, double scale, PhaseColours& colours) {
  const bool works = e.lane != TraceEvent::core || e.activity == program::Activity::compute;
  const std::string fill =
      works ? fmt::format("--p{}", colours.number(std::string(e.phase_name()))) : std::string("--wait");
  return fmt::format(
      "<rect x=\"{:.3f}%\" y=\"{:.0f}\" width=\"{:.3f}%\" height=\"{:.0f}\" rx=\"1.5\" "
      "fill=\"var({})\"><title>{}, round "
      "{}, {} from {} on{}</title></rect>",
      100 * start / scale, top_of(e), std::max(0.12, 100 * (end - start) / scale),
      e.lane == TraceEvent::core ? core_height : link_height, fill, xml_escaped(label(e)), e.round,
      time_text(e.end - e.start), time_text(e.start),
      e.lane == TraceEvent::core
          ? ""
          : fmt::format(", {} words received, {} sent", e.moved.received.words, e.moved.sent.words));
}

// Events of one lane and kind that are too near to be told apart are drawn as one.
std::string lane_rects(const std::vector<const TraceEvent*>& events, double scale, PhaseColours& colours) {
  const double gap = 5e-4 * scale;
  std::string text;
  for (std::size_t i = 0; i < events.size();) {
    const TraceEvent& first = *events[i];
    double end = first.end;
    const bool narrow = first.end - first.start < gap;
    std::size_t j = i + 1;
    while (narrow && j < events.size() && events[j]->phase_name() == first.phase_name() &&
           events[j]->activity == first.activity && events[j]->start - end < gap &&
           events[j]->end - events[j]->start < gap)
      end = std::max(end, events[j++]->end);
    text += event_rect(first, first.start, end, scale, colours);
    i = j;
  }
  return text;
}

std::string rank_picture(const RankTrace& trace, double scale, PhaseColours& colours) {
  std::string body;
  int lanes = 0;
  for (const TraceEvent& e : trace.events) lanes = std::max(lanes, std::min(e.lane, most_links));
  for (int lane = 0; lane <= lanes; ++lane) {
    std::vector<const TraceEvent*> events;
    for (const TraceEvent& e : trace.events)
      if (std::min(e.lane, most_links) == lane) events.push_back(&e);
    std::ranges::sort(events, {}, &TraceEvent::start);
    body += lane_rects(events, scale, colours);
  }
  return html_picture(core_height + 2 + lanes * (link_height + 1), body);
}

// Ticks at 1, 2 or 5 times a power of ten.
std::string time_axis(double scale) {
  const double rough = scale / 4, power = std::pow(10, std::floor(std::log10(rough)));
  const double step = power * (rough / power >= 5 ? 5 : rough / power >= 2 ? 2 : 1);
  std::string body = "<line x1=\"0\" x2=\"100%\" y1=\"1\" y2=\"1\" stroke=\"var(--line)\"/>";
  for (int i = 0; i * step <= scale * 1.0001; ++i) {
    const double at = 100 * i * step / scale;
    body += fmt::format(
        "<line x1=\"{0:.2f}%\" x2=\"{0:.2f}%\" y1=\"1\" y2=\"5\" stroke=\"var(--soft)\"/><text "
        "x=\"{0:.2f}%\" y=\"17\" "
        "text-anchor=\"{1}\">{2}</text>",
        at,
        i == 0    ? "start"
        : at > 93 ? "end"
                  : "middle",
        i == 0 ? "0" : time_text(i * step));
  }
  return "<div></div>" + html_picture(20, body) + "\n";
}

std::string one_timeline(const std::string& title, const std::vector<RankTrace>& traces, double scale,
                         PhaseColours& colours) {
  const std::size_t drawn = std::min(traces.size(), most_rows);
  std::string text =
      fmt::format("<h3>{}: {}{}</h3>\n<div class=\"rows\">\n", title, time_text(end_of(traces)),
                  drawn < traces.size() ? fmt::format(", {} of {} ranks drawn", drawn, traces.size()) : "");
  for (std::size_t i = 0; i < drawn; ++i)
    text += fmt::format("<div title=\"{}\">{}</div>{}\n", xml_escaped(traces[i].name), traces[i].rank,
                        rank_picture(traces[i], scale, colours));
  return text + time_axis(scale) + "</div>\n";
}

}  // namespace

std::string html_timeline(const Shown& s) {
  const std::vector<RankTrace> simulated =
      s.planned.simulate ? s.planned.simulate() : std::vector<RankTrace>{};
  const std::vector<RankTrace> none;
  const std::vector<RankTrace>& measured = s.measured != nullptr ? s.measured->traces : none;
  const double scale = std::max(end_of(measured), end_of(simulated));
  if (!(scale > 0)) return {};
  PhaseColours colours;
  for (const PhaseTime& p : s.measured != nullptr ? s.measured->phases : s.planned.phases)
    colours.number(p.phase);
  std::string body;
  if (end_of(measured) > 0) body += one_timeline("Measured, the last run", measured, scale, colours);
  if (!simulated.empty())
    body += one_timeline("Simulated on the machine of the plan, where partners are always ready", simulated,
                         scale, colours);
  return html_section("Timelines", colours.legend() + body +
                                       "<p class=\"note\">One row per rank: above, what its core did; below, "
                                       "the words under way. Hover for "
                                       "words and times.</p>\n");
}

}  // namespace cairn::cli
