#include <algorithm>

#include "base/xml_text.hpp"
#include "cli/html.hpp"
#include "cli/table.hpp"

namespace cairn::cli {
namespace {

constexpr std::size_t most_word_bars = 32;  // ranks drawn; of more the first, and the busiest one is named

struct RankWords {
  int rank = 0;
  double received = 0, sent = 0;
};

// Of the run, or what the simulated timelines move.
std::vector<RankWords> words_by_rank(const Shown& s, const std::vector<RankTrace>& simulated) {
  std::vector<RankWords> all;
  if (s.measured != nullptr) {
    for (std::size_t rank = 0; rank < s.measured->moved.size(); ++rank) {
      const comm::Counters& moved = s.measured->moved[rank];
      all.push_back({static_cast<int>(rank), static_cast<double>(moved.received.words),
                     static_cast<double>(moved.sent.words)});
    }
    return all;
  }
  for (const RankTrace& trace : simulated) {
    RankWords words{.rank = trace.rank};
    for (const program::TraceEvent& e : trace.events) {
      words.received += static_cast<double>(e.moved.received.words);
      words.sent += static_cast<double>(e.moved.sent.words);
    }
    all.push_back(words);
  }
  return all;
}

std::string bar(double y, double share, const char* what, const std::string& title) {
  return fmt::format(
      "<rect x=\"0\" y=\"{:.0f}\" width=\"{:.2f}%\" height=\"7\" rx=\"2\" "
      "fill=\"var(--{})\"><title>{}</title></rect>",
      y, 100 * share, what, xml_escaped(title));
}

std::string bound_line(double share, double height) {
  return fmt::format(
      "<line x1=\"{0:.2f}%\" x2=\"{0:.2f}%\" y1=\"0\" y2=\"{1:.0f}\" stroke=\"var(--bound)\" "
      "stroke-width=\"1.5\" "
      "stroke-dasharray=\"4 3\"/>",
      100 * share, height);
}

std::string rank_row(const RankWords& w, double largest, const std::optional<double>& bound) {
  std::string picture =
      bar(1, w.received / largest, "received",
          fmt::format("rank {} receives {:.0f} words", w.rank, w.received)) +
      bar(9, w.sent / largest, "sent", fmt::format("rank {} sends {:.0f} words", w.rank, w.sent));
  if (bound) picture += bound_line(*bound / largest, 18);
  return fmt::format("<div>{}</div>{}\n", w.rank, html_picture(17, picture));
}

std::string scale_row(double largest, const std::optional<double>& bound) {
  std::string picture =
      fmt::format("<text x=\"100%\" y=\"12\" text-anchor=\"end\">{} words</text>", number_text(largest));
  if (bound && *bound < 0.75 * largest)
    picture += fmt::format(
        "<text x=\"{:.2f}%\" y=\"12\" text-anchor=\"middle\" style=\"fill:var(--bound)\">bound {}</text>",
        100 * *bound / largest, number_text(*bound));
  else
    picture += "<text x=\"0\" y=\"12\">0</text>";
  return "<div></div>" + html_picture(16, picture) + "\n";
}

std::string words_note(const Shown& s, std::size_t drawn, std::size_t all) {
  const Planned& p = s.planned;
  std::string text = fmt::format("Counted before: busiest rank receives {} and sends {} words, mean {}.",
                                 p.words.received.max, p.words.sent.max, number_text(p.words.received.mean));
  if (s.measured != nullptr) {
    if (!p.exact)
      text += fmt::format(" That is an expectation; the run's busiest rank received {}.",
                          s.measured->traffic.back().words_received.max);
    const bool same = p.words.received.max == s.measured->traffic.back().words_received.max &&
                      p.words.sent.max == s.measured->traffic.back().words_sent.max &&
                      p.words.received.total == s.measured->traffic.back().words_received.total;
    if (p.exact || same)
      text += same ? " The run moved exactly that." : " The run moved a different number of words.";
  }
  if (p.bound)
    text += fmt::format(
        " Bound: some rank must send or receive {} words; the busiest rank moves {} times that.",
        number_text(*p.bound),
        ratio_text(static_cast<double>(std::max(p.words.received.max, p.words.sent.max)), p.bound));
  if (drawn < all || static_cast<int>(all) < p.active_ranks)
    text += fmt::format(" {} of {} ranks are drawn.", drawn, p.ranks);
  return "<p class=\"note\">" + text + "</p>\n";
}

}  // namespace

std::string html_words(const Shown& s) {
  const std::vector<RankWords> all = words_by_rank(
      s, s.measured == nullptr && s.planned.simulate ? s.planned.simulate() : std::vector<RankTrace>{});
  const std::size_t drawn = std::min(all.size(), most_word_bars);
  double largest = std::max(1.0, s.planned.bound.value_or(0));
  for (const RankWords& w : all) largest = std::max({largest, w.received, w.sent});
  std::string text =
      "<div class=\"legend\"><span><i style=\"background:var(--received)\"></i>received</span><span><i "
      "style=\"background:var(--sent)\"></i>sent</span>";
  if (s.planned.bound)
    text +=
        "<span><i style=\"background:none;border-left:2px dashed var(--bound);border-radius:0\"></i>lower "
        "bound</span>";
  text += "</div>\n<div class=\"rows\">\n";
  for (std::size_t i = 0; i < drawn; ++i) text += rank_row(all[i], largest, s.planned.bound);
  if (drawn > 0) text += scale_row(largest, s.planned.bound);
  return html_section("Words per rank", text + "</div>\n" + words_note(s, drawn, all.size()));
}

}  // namespace cairn::cli
