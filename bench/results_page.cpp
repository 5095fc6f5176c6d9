#include "bench/results_page.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <map>

#include "base/error.hpp"
#include "base/xml_text.hpp"
#include "cli/html.hpp"

namespace cairn::bench {
namespace {

using cli::Chart;
using cli::ChartSeries;
using nlohmann::json;

constexpr const char* introduction =
    "Words are numbers that travel between ranks; every one is planned, counted and compared with the lower "
    "bound. Times "
    "are medians, all ways of doing a thing interleaved in one run.";

std::string file_of(const DrawnFigure& f, std::size_t i) {
  return f.charts.size() == 1 ? f.figure.name + ".svg" : fmt::format("{}-{}.svg", f.figure.name, i + 1);
}

void write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream out(file);
  out << text;
  out.close();
  require<IoError>(out.good(), "cannot write '{}'", file.string());
}

std::string cell(double v) { return std::isfinite(v) ? fmt::format("{:.4g}", v) : std::string("-"); }

// Of a chart: one row for each position, one column for each series.
std::vector<std::vector<std::string>> table_of(const Chart& chart) {
  std::vector<std::vector<std::string>> rows{{chart.categories.empty() ? chart.x_label : ""}};
  for (const ChartSeries& s : chart.series) rows[0].push_back(s.name.empty() ? chart.x_label : s.name);
  if (!chart.categories.empty()) {
    for (std::size_t k = 0; k < chart.categories.size(); ++k) {
      rows.push_back({chart.categories[k]});
      for (const ChartSeries& s : chart.series) rows.back().push_back(k < s.y.size() ? cell(s.y[k]) : "-");
    }
    return rows;
  }
  std::map<double, std::vector<std::string>> lines;
  for (std::size_t i = 0; i < chart.series.size(); ++i)
    for (std::size_t k = 0; k < chart.series[i].x.size(); ++k) {
      std::vector<std::string>& line = lines[chart.series[i].x[k]];
      line.resize(chart.series.size(), "-");
      line[i] = cell(chart.series[i].y[k]);
    }
  for (const auto& [x, line] : lines) {
    rows.push_back({cell(x)});
    rows.back().insert(rows.back().end(), line.begin(), line.end());
  }
  return rows;
}

std::string details(const std::string& summary, const std::string& body) {
  return fmt::format("<details><summary>{}</summary>{}</details>\n", summary, body);
}

std::string commands_html(const DrawnFigure& f) {
  std::string text;
  for (std::size_t i = 0; i < f.commands.size() && i < 40; ++i) text += xml_escaped(f.commands[i]) + "\n";
  if (f.commands.size() > 40) text += fmt::format("... and {} more like these\n", f.commands.size() - 40);
  return "<pre>" + text + "</pre>";
}

// Sentences are written for Markdown; what stands between backticks is code.
std::string as_html(const std::string& sentences) {
  std::string html;
  bool code = false;
  for (const char c : xml_escaped(sentences))
    if (c == '`')
      html += (code = !code) ? "<code>" : "</code>";
    else
      html += c;
  return html;
}

std::string figure_html(const DrawnFigure& f) {
  std::string body = fmt::format("<p>{}</p>\n<div class=\"plots\">\n", as_html(f.figure.says));
  for (const Chart& chart : f.charts) body += svg_chart(chart);
  body += fmt::format("</div>\n<p class=\"note\">What it does not say: {}</p>\n", as_html(f.figure.says_not));
  for (const std::string& problem : f.problems)
    body += fmt::format("<p class=\"note bad\">Failed: {}</p>\n", as_html(problem));
  std::string tables;
  for (const Chart& chart : f.charts)
    tables += "<h3>" + xml_escaped(chart.title) + "</h3>" + cli::html_table(table_of(chart));
  body += details("The figures", tables);
  body +=
      details(fmt::format("Made by {} commands in {:.0f} s", f.commands.size(), f.seconds), commands_html(f));
  return cli::html_section(f.figure.title, body);
}

std::string html(const Results& r) {
  std::string about;
  for (const auto& [what, value] : r.about)
    about += fmt::format("<dt>{}</dt><dd>{}</dd>\n", xml_escaped(what), xml_escaped(value));
  std::string body = fmt::format("<header><h1>Cairn: results</h1><p>{}</p></header>\n", introduction) +
                     cli::html_section("Where and when", "<dl>" + about + "</dl>");
  for (const DrawnFigure& f : r.figures) body += figure_html(f);
  return cli::html_page("Cairn: results", body);
}

std::string markdown(const Results& r) {
  std::string text = fmt::format(
      "# Results\n\n{} `./run bench all --report docs/results` makes this page.\n\n| | |\n| --- | --- |\n",
      introduction);
  for (const auto& [what, value] : r.about) text += fmt::format("| {} | {} |\n", what, value);
  for (const DrawnFigure& f : r.figures) {
    text += fmt::format("\n## {}\n\n{}\n\n", f.figure.title, f.figure.says);
    for (std::size_t i = 0; i < f.charts.size(); ++i)
      text += fmt::format("![{}]({})\n", f.charts[i].title, file_of(f, i));
    text += fmt::format("\n*What it does not say:* {}\n", f.figure.says_not);
    for (const std::string& problem : f.problems) text += fmt::format("\n**Failed:** `{}`\n", problem);
    if (!f.commands.empty())
      text += fmt::format("\nMade by {} command{} such as `{}`.\n", f.commands.size(),
                          f.commands.size() == 1 ? "" : "s", f.commands.back());
  }
  return text;
}

json all_json(const Results& r) {
  json all{{"about", json::object()}, {"figures", json::array()}};
  for (const auto& [what, value] : r.about) all["about"][what] = value;
  for (const DrawnFigure& f : r.figures) {
    json charts = json::array();
    for (const Chart& chart : f.charts) charts.push_back(chart_json(chart));
    all["figures"].push_back({{"name", f.figure.name},
                              {"title", f.figure.title},
                              {"charts", charts},
                              {"commands", f.commands},
                              {"problems", f.problems},
                              {"seconds", f.seconds}});
  }
  return all;
}

}  // namespace

void write_results(const std::filesystem::path& folder, const Results& results) {
  for (const DrawnFigure& f : results.figures)
    for (std::size_t i = 0; i < f.charts.size(); ++i) write(folder / file_of(f, i), svg_chart(f.charts[i]));
  write(folder / "README.md", markdown(results));
  write(folder / "index.html", html(results));
  write(folder / "results.json", all_json(results).dump(1) + "\n");
}

}  // namespace cairn::bench
