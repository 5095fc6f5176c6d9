// Every benchmark one after the other, each in a process of its own, and a page of what they found.
#include "bench/all.hpp"

#include <fmt/chrono.h>

#include <algorithm>
#include <cairn/version.hpp>
#include <cstdlib>
#include <fstream>
#include <memory>

#include "base/error.hpp"
#include "bench/driver.hpp"
#include "bench/results_page.hpp"
#include "cli/measure.hpp"
#include "cli/session.hpp"
#include "cli/table.hpp"

namespace cairn::bench {
namespace {

using nlohmann::json;

struct Options {
  std::string report;
  std::vector<std::string> only;
  bool quick = false;
};

std::vector<Figure> all_figures() {
  std::vector<Figure> all = words_figures();
  for (auto* more : {&times_figures, &scale_figures})
    for (Figure& figure : (*more)()) all.push_back(std::move(figure));
  return all;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown";
}

// Of the sources in the folder this was started in; else the version.
std::string commit() {
  const std::string name = first_line(output_of({"sh", "-c", "git rev-parse --short=12 HEAD 2>/dev/null"}));
  if (name.empty()) return "version " CAIRN_VERSION;
  const bool changed =
      !output_of({"sh", "-c", "git status --porcelain -- src include bench cmake 2>/dev/null"}).empty();
  return name + (changed ? ", with changes that are not committed" : "");
}

std::vector<std::pair<std::string, std::string>> about(Measurements& m, bool quick) {
  std::array<double, 1> load{};
  if (getloadavg(load.data(), 1) != 1) load[0] = -1;
  const json info = m.run({"info"}, 120).value_or(json::object());
  const auto text = [&](const char* pointer) {
    return info.value(json::json_pointer(pointer), std::string("unknown"));
  };
  std::vector<std::pair<std::string, std::string>> lines{
      {"Date", fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::time(nullptr)))},
      {"Commit", commit()},
      {"Processor", processor()},
      {"Cores", info.empty() ? "unknown"
                             : fmt::format("{:.0f} ({:.0f} hardware threads)", number_at(info, "/cores"),
                                           number_at(info, "/hardware_threads"))},
      {"Memory", info.empty() ? "unknown" : cli::bytes_text(number_at(info, "/memory_bytes"))},
      {"BLAS", text("/blas/version")},
      {"MPI", first_line(text("/mpi/version"))},
      {"Load before it began", fmt::format("{:.1f}", load[0])},
      {"Run", quick ? "quick: small sizes and few rounds" : "full"}};
  if (const char* core = std::getenv("OPENBLAS_CORETYPE"); core != nullptr)
    lines.emplace_back("OPENBLAS_CORETYPE", core);
  m.taken_commands();
  for (const std::string& problem : m.taken_problems()) lines.emplace_back("Not known", problem);
  return lines;
}

DrawnFigure drawn(const Figure& figure, Measurements& m) {
  DrawnFigure result{.figure = figure, .charts = {}, .commands = {}, .problems = {}};
  const double start = cli::seconds_now();
  try {
    result.charts = figure.draw(m);
  } catch (const std::exception& e) {  // JSON of another form than expected: this figure alone is missing
    result.problems.emplace_back(e.what());
  }
  result.seconds = cli::seconds_now() - start;
  result.commands = m.taken_commands();
  for (const std::string& problem : m.taken_problems()) result.problems.push_back(problem);
  return result;
}

bool wanted(const Options& o, const Figure& figure) {
  return o.only.empty() || std::ranges::find(o.only, figure.name) != o.only.end();
}

void check_names(const Options& o, const std::vector<Figure>& figures) {
  std::string names;
  for (const Figure& f : figures) names += (names.empty() ? "" : ", ") + f.name;
  for (const std::string& name : o.only)
    require(std::ranges::find(figures, name, &Figure::name) != figures.end(),
            "--only is '{}', expected some of {}", name, names);
}

void run_every_benchmark(const Options& o) {
  require(!cli::under_launcher(), "bench all starts its own ranks: run it without a launcher");
  std::vector<Figure> figures = all_figures();
  check_names(o, figures);
  std::erase_if(figures, [&](const Figure& f) { return !wanted(o, f); });
  std::error_code error;
  std::filesystem::create_directories(o.report, error);
  require<IoError>(!error, "cannot make the folder '{}': {}", o.report, error.message());
  Measurements m(o.quick);
  Results results{.about = about(m, o.quick), .figures = {}};
  std::size_t failed = 0;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    fmt::print(stderr, "[{}/{}] {}\n", i + 1, figures.size(), figures[i].title);
    results.figures.push_back(drawn(figures[i], m));
    if (!results.figures.back().problems.empty()) ++failed;
    fmt::print(stderr, "    done in {:.0f} s\n", results.figures.back().seconds);
    write_results(o.report,
                  results);  // what is there can be looked at, and is kept if the rest is interrupted
  }
  fmt::print("{} figures, {} of them with something that failed: {}/index.html and README.md\n",
             figures.size(), failed, o.report);
}

}  // namespace

void add_all(cli::Command bench) {
  auto o = std::make_shared<Options>();
  const cli::Command app = bench.add_subcommand(
      "all", "Run every benchmark and write one page with plots, as HTML and as Markdown");
  app.add_option("--report", o->report, "Folder of the pages and pictures").type_name("FOLDER").required();
  app.add_flag("--quick", o->quick, "Small sizes and few rounds: some minutes on two cores");
  app.add_option("--only", o->only, "Figures to make, by the names of their pictures (default: all)")
      .delimiter(',');
  app.callback([o] { run_every_benchmark(*o); });
}

}  // namespace cairn::bench
