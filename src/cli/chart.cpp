#include "cli/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>

#include "base/xml_text.hpp"
#include "cli/svg.hpp"

namespace cairn::cli {
namespace {

constexpr double width = 560, left = 64, right = 18, font = 14, plot_height = 250;
constexpr double letter = 8.2;  // width of a letter on average, to break the legend into lines
constexpr std::array colours{"#3b6fb6", "#d9822b", "#3f9a5c", "#c8574f",
                             "#8a5aa8", "#57808a", "#9a7b4f", "#444b54"};

const char* colour(std::size_t i) { return colours[i % colours.size()]; }

std::string text_at(double x, double y, const std::string& text, const char* anchor = "start",
                    const std::string& more = {}) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, more,
                     xml_escaped(text));
}

std::string line_at(double x1, double y1, double x2, double y2, const std::string& more) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", x1, y1, x2, y2,
                     more);
}

// 0.25, 1.5, 20k, 3M
std::string short_number(double v) {
  constexpr std::array units{"", "k", "M", "G", "T"};
  double size = std::abs(v);
  std::size_t unit = 0;
  if (size >= 1e4)
    while (size >= 1000 && unit + 1 < units.size()) size /= 1000, v /= 1000, ++unit;
  return fmt::format("{:.4g}{}", v, units[unit]);
}

// ---- one axis
struct Axis {
  double low = 0, high = 1, from = 0, to = 1;  // values, and where they are drawn
  bool log = false;
  std::vector<double> ticks = {};

  double at(double v) const {
    const double share = log ? std::log(v / low) / std::log(high / low) : (v - low) / (high - low);
    return from + share * (to - from);
  }
};

// 1, 2 or 5 times a power of ten.
double nice_step(double rough) {
  const double power = std::pow(10, std::floor(std::log10(rough)));
  const double digit = rough / power;
  return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

std::vector<double> thinned(const std::vector<double>& ticks, std::size_t most) {
  const std::size_t every = (ticks.size() + most - 1) / most;
  std::vector<double> kept;
  for (std::size_t i = 0; i < ticks.size(); i += std::max<std::size_t>(1, every)) kept.push_back(ticks[i]);
  return kept;
}

void set_linear(Axis& a, std::size_t most) {
  const double step = nice_step(std::max(1e-12, (a.high - a.low) / static_cast<double>(most)));
  a.low = step * std::floor(a.low / step + 1e-9);
  a.high = step * std::ceil(a.high / step - 1e-9);
  if (a.high <= a.low) a.high = a.low + step;
  for (double v = a.low; v <= a.high + step / 2; v += step)
    a.ticks.push_back(std::abs(v) < step / 1e6 ? 0 : v);
}

// Powers of two across, so that 2, 4, 8 ranks are at even steps; powers of ten, or 1, 2, 5, upwards.
void set_log(Axis& a, bool twos, std::size_t most) {
  if (a.high <= a.low) a.high = 2 * a.low;
  if (twos) {
    for (double v = std::exp2(std::ceil(std::log2(a.low) - 1e-9)); v <= a.high * 1.001; v *= 2)
      a.ticks.push_back(v);
  } else {
    const double decades = std::log10(a.high / a.low);
    constexpr std::array digits{1.0, 2.0, 5.0, 1.5, 3.0, 7.0};  // the more the narrower the range
    const std::size_t used = decades > 2.5 ? 1 : decades > 1 ? 3 : digits.size();
    for (double power = std::pow(10, std::floor(std::log10(a.low))); power <= a.high; power *= 10)
      for (const double digit : std::span(digits).first(used))
        if (power * digit >= a.low * 0.999 && power * digit <= a.high * 1.001)
          a.ticks.push_back(power * digit);
    std::ranges::sort(a.ticks);
    if (a.ticks.size() < 2) a.ticks = {a.low, a.high};
  }
  a.ticks = thinned(a.ticks, most);
}

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void take(double v, bool positive) {
    if (!std::isfinite(v) || (positive && v <= 0)) return;
    low = std::min(low, v);
    high = std::max(high, v);
  }
  bool any() const { return low <= high; }
};

// ---- legend and title
struct Legend {
  std::string text;
  double height = 0;
};

double width_of(const std::string& text) {
  const auto capitals = std::ranges::count_if(text, [](unsigned char c) { return std::isupper(c) != 0; });
  return letter * static_cast<double>(text.size()) + 2.6 * static_cast<double>(capitals);
}

Legend legend_of(const Chart& chart, double top) {
  Legend legend;
  if (chart.series.size() < 2 && (chart.series.empty() || chart.series.front().name.empty())) return legend;
  double x = 14, y = top + 14;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const ChartSeries& s = chart.series[i];
    const double wide = 34 + width_of(s.name);
    if (x > 14 && x + wide > width - 6) x = 14, y += 20;
    legend.text += s.dots ? fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\" fill=\"{}\"/>\n", x + 7,
                                        y - 5, colour(i))
                          : fmt::format(
                                "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"14\" height=\"{}\" rx=\"2\" "
                                "fill=\"{}\"/>\n",
                                x, chart.kind == Chart::Kind::bars ? y - 11 : y - 7,
                                chart.kind == Chart::Kind::bars ? 12 : 4, colour(i));
    legend.text += text_at(x + 19, y, s.name);
    x += wide;
  }
  legend.height = y + 8 - top;
  return legend;
}

std::string opened(double height, const std::string& title) {
  std::string text = svg_open(width, height);
  text.insert(text.find(">\n"), fmt::format(" font-size=\"{}\" fill=\"#22262b\" role=\"img\"", font));
  text += fmt::format("<title>{}</title>\n", xml_escaped(title));
  return text + text_at(14, 22, title, "start", " font-weight=\"bold\" font-size=\"15\"");
}

// ---- lines
std::string points_of(const ChartSeries& s, const Axis& x, const Axis& y, const char* ink) {
  std::string path, dots;
  bool drawing = false;
  for (std::size_t i = 0; i < s.y.size() && i < s.x.size(); ++i) {
    const bool shown = std::isfinite(s.y[i]) && (!y.log || s.y[i] > 0) && (!x.log || s.x[i] > 0);
    if (shown) {
      path += fmt::format("{}{:.1f},{:.1f} ", drawing ? "L" : "M", x.at(s.x[i]), y.at(s.y[i]));
      if (s.dots || s.y.size() <= 24)
        dots += fmt::format(
            "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\"><title>{}: {:.4g}, "
            "{:.4g}</title></circle>\n",
            x.at(s.x[i]), y.at(s.y[i]), s.dots ? 5 : 3, ink, xml_escaped(s.name), s.x[i], s.y[i]);
    }
    drawing = shown;
  }
  if (!s.dots)
    dots = fmt::format(
               "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-linejoin=\"round\"/>\n",
               path, ink) +
           dots;
  return dots;
}

std::string lines_chart(const Chart& chart) {
  Range across, up;
  for (const ChartSeries& s : chart.series)
    for (std::size_t i = 0; i < s.y.size() && i < s.x.size(); ++i) {
      if (!std::isfinite(s.y[i])) continue;
      across.take(s.x[i], chart.log_x);
      up.take(s.y[i], chart.log_y);
    }
  for (const double mark : chart.marks) up.take(mark, chart.log_y);
  if (chart.from_zero) up.take(0, false);
  const Legend legend = legend_of(chart, 34);
  const double top = 34 + legend.height + 26, bottom = top + plot_height, height = bottom + 52;
  Axis x{.low = across.low, .high = across.high, .from = left, .to = width - right, .log = chart.log_x};
  const bool wide = up.high >= 2 * up.low;  // else a logarithmic axis has no round numbers to show
  Axis y{.low = up.low, .high = up.high, .from = bottom, .to = top, .log = chart.log_y && wide};
  if (x.log)
    set_log(x, true, 8);
  else
    set_linear(x, 8);
  if (y.log)
    set_log(y, false, 7);
  else
    set_linear(y, 6);
  std::string text = opened(height, chart.title) + legend.text +
                     text_at(14, top - 9, chart.y_label, "start", " fill=\"#5d646b\"");
  for (const double v : y.ticks)
    text += line_at(left, y.at(v), width - right, y.at(v), "stroke=\"#e3e0d8\"") +
            text_at(left - 7, y.at(v) + 5, short_number(v), "end", " fill=\"#5d646b\"");
  for (const double v : x.ticks)
    text += line_at(x.at(v), bottom, x.at(v), bottom + 5, "stroke=\"#8a9097\"") +
            text_at(x.at(v), bottom + 20, short_number(v), "middle", " fill=\"#5d646b\"");
  text += line_at(left, bottom, width - right, bottom, "stroke=\"#8a9097\"") +
          text_at((left + width - right) / 2, bottom + 41, chart.x_label, "middle", " fill=\"#5d646b\"");
  for (const double mark : chart.marks)
    text += line_at(left, y.at(mark), width - right, y.at(mark),
                    "stroke=\"#b3261e\" stroke-width=\"1.5\" stroke-dasharray=\"6 4\"");
  // The first series lies on top of the others.
  for (std::size_t i = chart.series.size(); i-- > 0;) text += points_of(chart.series[i], x, y, colour(i));
  return text + "</svg>\n";
}

// ---- bars: each category has a line of text and below it a bar of each series
std::string bars_chart(const Chart& chart) {
  Range values;
  for (const ChartSeries& s : chart.series)
    for (const double v : s.y) values.take(v, chart.log_x);
  for (const double mark : chart.marks) values.take(mark, chart.log_x);
  if (!chart.log_x) values.take(0, false);
  const auto bars = static_cast<double>(chart.series.size());
  constexpr double bar = 14, gap = 8;
  const double group = 19 + bars * (bar + 2) + gap;
  const Legend legend = legend_of(chart, 34);
  const double top = 34 + legend.height + 8,
               bottom = top + group * static_cast<double>(chart.categories.size());
  Axis x{.low = values.low, .high = values.high, .from = 16, .to = width - 70, .log = chart.log_x};
  if (x.log) {
    x.low /= 2;  // the least value still has a bar
    set_log(x, false, 7);
  } else {
    set_linear(x, 6);
  }
  std::string text = opened(bottom + 52, chart.title) + legend.text;
  for (const double v : x.ticks)
    text += line_at(x.at(v), top, x.at(v), bottom, "stroke=\"#e3e0d8\"") +
            text_at(x.at(v), bottom + 18, short_number(v), "middle", " fill=\"#5d646b\"");
  text += text_at((x.from + x.to) / 2, bottom + 40, chart.x_label, "middle", " fill=\"#5d646b\"");
  for (std::size_t k = 0; k < chart.categories.size(); ++k) {
    double y = top + group * static_cast<double>(k) + 15;
    text += text_at(16, y, chart.categories[k]);
    y += 4;
    for (std::size_t i = 0; i < chart.series.size(); ++i, y += bar + 2) {
      const double v = k < chart.series[i].y.size() ? chart.series[i].y[k] : NAN;
      const bool shown = std::isfinite(v) && (!x.log || v > 0);
      if (shown)
        text +=
            fmt::format("<rect x=\"16\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\" rx=\"2\" fill=\"{}\"/>\n",
                        y, std::max(1.0, x.at(v) - 16), bar, colour(i));
      text += text_at(shown ? std::max(1.0, x.at(v)) + 6 : 20, y + 12, shown ? fmt::format("{:.3g}", v) : "-",
                      "start", " font-size=\"13\"");
    }
  }
  for (const double mark : chart.marks)
    text += line_at(x.at(mark), top, x.at(mark), bottom,
                    "stroke=\"#b3261e\" stroke-width=\"1.5\" stroke-dasharray=\"6 4\"");
  return text + "</svg>\n";
}

}  // namespace

bool Chart::empty() const {
  return std::ranges::none_of(series, [](const ChartSeries& s) {
    return std::ranges::any_of(s.y, [](double v) { return std::isfinite(v); });
  });
}

std::string svg_chart(const Chart& chart) {
  if (chart.empty()) return opened(70, chart.title) + text_at(14, 52, "no figures") + "</svg>\n";
  return chart.kind == Chart::Kind::lines ? lines_chart(chart) : bars_chart(chart);
}

nlohmann::json chart_json(const Chart& chart) {
  nlohmann::json all{{"title", chart.title}, {"x", chart.x_label}, {"y", chart.y_label}};
  if (!chart.categories.empty()) all["categories"] = chart.categories;
  for (const ChartSeries& s : chart.series)
    all["series"].push_back({{"name", s.name}, {"x", s.x}, {"y", s.y}});  // JSON writes NaN as null
  return all;
}

}  // namespace cairn::cli
