#include "pebble/picture.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include "base/xml_text.hpp"

namespace cairn::pebble {
namespace {

// The state of the game after a move.
struct Sample {
  Index inputs = 0;  // red inputs
  Index red = 0;     // all red vertices
  Index words = 0;   // loads and stores so far
};

void advance(Sample& s, const Cdag& graph, const Move& move) {
  const Index placed = move.kind == MoveKind::drop ? -1 : (move.kind == MoveKind::store ? 0 : 1);
  s.red += placed;
  if (graph.is_input(move.vertex)) s.inputs += placed;
  if (move.kind == MoveKind::load || move.kind == MoveKind::store) ++s.words;
}

// At most one sample a pixel column: a game of a million moves is as small a picture as one of a thousand. A
// column shows the fullest moment of the moves that fall into it.
std::vector<Sample> sample(const Cdag& graph, std::span<const Move> moves, Index columns) {
  std::vector<Sample> samples(static_cast<std::size_t>(columns));
  Sample now;
  std::size_t column = 0;
  for (std::size_t x = 0; x < moves.size(); ++x) {
    const std::size_t next = x * samples.size() / moves.size();
    for (; column < next; ++column) samples[column + 1] = now;
    advance(now, graph, moves[x]);
    if (now.red >= samples[column].red) samples[column] = now;
    samples[column].words = now.words;
  }
  while (++column < samples.size()) samples[column] = now;  // fewer moves than columns
  return samples;
}

struct Panel {
  double left, top, width, height;
  double most;  // the value at the top edge
  double y(double value) const { return top + height * (1 - value / most); }
};

template <class Value>
std::string points(const Panel& panel, const std::vector<Sample>& samples, Value value) {
  std::string text;
  for (std::size_t x = 0; x < samples.size(); ++x)
    fmt::format_to(
        std::back_inserter(text), "{:.1f},{:.1f} ",
        panel.left + panel.width * static_cast<double>(x) / static_cast<double>(samples.size() - 1),
        panel.y(static_cast<double>(value(samples[x]))));
  return text;
}

template <class Value>
std::string area(const Panel& panel, const std::vector<Sample>& samples, const char* colour, Value value) {
  return fmt::format(R"(<polygon fill="{}" points="{:.1f},{:.1f} {}{:.1f},{:.1f}"/>)"
                     "\n",
                     colour, panel.left, panel.y(0), points(panel, samples, value), panel.left + panel.width,
                     panel.y(0));
}

std::string level(const Panel& panel, double value, const std::string& label) {
  return fmt::format(R"(<path d="M{:.1f} {:.1f}h{:.1f}" stroke="#555" stroke-dasharray="4 3"/>)"
                     R"(<text x="{:.1f}" y="{:.1f}">{}</text>)"
                     "\n",
                     panel.left, panel.y(value), panel.width, panel.left + 4, panel.y(value) - 4, label);
}

std::string occupancy_panel(const Panel& panel, const std::vector<Sample>& samples, Index red) {
  return area(panel, samples, "#c0504d", [](const Sample& s) { return s.red; }) +
         area(panel, samples, "#4f81bd", [](const Sample& s) { return s.inputs; }) +
         level(panel, static_cast<double>(red),
               fmt::format("{} red pebbles: inputs (blue), computed values (red)", red));
}

std::string words_panel(const Panel& panel, const std::vector<Sample>& samples, double bound) {
  const auto words = [](const Sample& s) { return s.words; };
  std::string text = fmt::format(R"(<polyline fill="none" stroke="#222" stroke-width="1.5" points="{}"/>)"
                                 "\n",
                                 points(panel, samples, words));
  text += level(panel, static_cast<double>(samples.back().words),
                fmt::format("{} words moved", samples.back().words));
  if (bound > 0) text += level(panel, bound, fmt::format("bound {:.0f}", bound));
  return text;
}

}  // namespace

std::string occupancy_svg(const Cdag& graph, Index red, std::span<const Move> moves,
                          const PictureOptions& options) {
  require(options.width >= 100 && options.height >= 100, "picture is {} x {}, expected 100 x 100 or more",
          options.width, options.height);
  require(!moves.empty(), "the game has no moves");
  const auto samples = sample(graph, moves, options.width - 20);
  Index most_red = red;
  for (const Sample& s : samples) most_red = std::max(most_red, s.red);
  const double width = static_cast<double>(options.width) - 20,
               height = (static_cast<double>(options.height) - 80) / 2;
  const Panel above{10, 40, width, height, static_cast<double>(most_red)};
  const double most_words = std::max({1.0, options.bound, static_cast<double>(samples.back().words)});
  const Panel below{10, height + 70, width, height, most_words};
  return fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" )"
      R"(font-family="sans-serif" font-size="11">)"
      "\n"
      R"(<rect width="100%" height="100%" fill="white"/><text x="10" y="16" font-size="13">{2}</text>)"
      "\n{3}{4}</svg>\n",
      options.width, options.height, xml_escaped(options.title), occupancy_panel(above, samples, red),
      words_panel(below, samples, options.bound));
}

}  // namespace cairn::pebble
