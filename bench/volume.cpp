// Words that are planned in the scenarios of two papers. The twelve of paper 000 ("Red-Blue Pebbling Revisited"), sections 8 and 9: square, largeK, largeM
// and flat matrices in strong scaling, with limited and with extra memory. Nothing runs: every figure is
// counted on the schedule. The paper's Table 3 stands beside it.
#include "bench/volume.hpp"

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "bench/volume_factor.hpp"
#include "bench/volume_point.hpp"
#include "cli/arguments.hpp"
#include "cli/table.hpp"

namespace cairn::bench {
namespace {

using nlohmann::json;

constexpr double word_bytes = 8, megabyte = 1e6;

struct Options {
  // Powers of two, whole nodes of 36 cores, and one rank more than that.
  std::vector<int> ranks{128,  144,  256,  288,  512,  576,  577,  1024, 1152,  2048,
                         2304, 2305, 4096, 4608, 4609, 8192, 9216, 9217, 16384, 18432};
  Index words_per_core = 1 << 21;
  std::vector<int> factor_ranks{4, 16, 64, 256, 1024};
  std::vector<std::string> only;
  bool points = false;
  bool strassen = false;
  bool json = false;
};

// One line on a terminal that is written over; an empty one ends it.
void show_progress(const std::string& text) {
  if (isatty(STDERR_FILENO) != 1) return;
  fmt::print(stderr, "\r\033[K{}", text);
  std::fflush(stderr);
}

constexpr std::array algorithms{"cosma", "2d", "2.5d", "carma"};

json volume_json(const Volume& v) {
  if (!v.fits) return {{"mean_words", nullptr}, {"busiest_words", nullptr}, {"how", v.how}};
  return {{"mean_words", v.words}, {"busiest_words", v.busiest}, {"how", v.how}};
}

json point_json(const Scenario& s, int ranks) {
  const Setting at = s.at(ranks);
  const VolumePoint point(at, ranks);
  return {{"ranks", ranks},
          {"m", at.product.m},
          {"n", at.product.n},
          {"k", at.product.k},
          {"memory_words", at.memory_words},
          {"bound_words", point.bound()},
          {"cosma", volume_json(point.cosma())},
          {"2d", volume_json(point.summa())},
          {"2.5d", volume_json(point.layers())},
          {"carma", volume_json(point.carma())}};
}

double megabytes(double words) { return words * word_bytes / megabyte; }

// Means over the numbers of ranks where an algorithm fits, and of cosma over the same ones.
json means(const json& points, const char* algorithm) {
  double words = 0, cosma = 0, bound = 0, busiest = 0;
  int fitting = 0;
  for (const json& p : points) {
    if (p[algorithm]["mean_words"].is_null()) continue;
    ++fitting;
    words += p[algorithm]["mean_words"].get<double>();
    busiest += p[algorithm]["busiest_words"].get<double>();
    cosma += p["cosma"]["mean_words"].is_null() ? 0 : p["cosma"]["mean_words"].get<double>();
    bound += p["bound_words"].get<double>();
  }
  if (fitting == 0) return {{"points", 0}, {"megabytes", nullptr}};
  return {{"points", fitting},
          {"megabytes", megabytes(words / fitting)},
          {"busiest_to_mean", words > 0 ? json(busiest / words) : json(nullptr)},
          {"to_cosma", cosma > 0 ? json(words / cosma) : json(nullptr)},
          {"to_bound", bound > 0 ? json(words / bound) : json(nullptr)}};
}

json run_scenario(const Scenario& s, const Options& o) {
  json points = json::array();
  double bound = 0;
  for (const int ranks : o.ranks) {
    if (ranks < s.fewest_ranks) continue;
    show_progress(fmt::format("{}, {}, {} ranks", s.shape, s.benchmark, ranks));
    points.push_back(point_json(s, ranks));
    bound += points.back()["bound_words"].get<double>();
  }
  json row{{"shape", s.shape},
           {"benchmark", s.benchmark},
           {"bound_megabytes", points.empty() ? 0 : megabytes(bound / static_cast<double>(points.size()))},
           {"paper_megabytes",
            {{"scalapack", s.paper.scalapack},
             {"ctf", s.paper.ctf},
             {"carma", s.paper.carma},
             {"cosma", s.paper.cosma}}}};
  for (const char* name : algorithms) row["mean"][name] = means(points, name);
  row["points"] = std::move(points);
  return row;
}

// ---- output -----------------------------------------------------------------------------------------------
constexpr const char* note =
    "MB are 10^6 bytes of 8-byte words that a rank of the grid receives, the mean over these ranks, then "
    "over "
    "the numbers of\n"
    "ranks; `a (b of c)`: over the b of c numbers of ranks where the algorithm fits the memory, which the "
    "ratios to cosma use, too.\n"
    "Comparable with Table 3 of the paper are the ratios to cosma, roughly. In absolute terms only strong "
    "scaling has sizes\n"
    "that the paper prints, and of its numbers of cores only the range is known, 109 (largeK and largeM: "
    "2,048) to 18,432. With\n"
    "limited and extra memory it prints neither sizes nor memory; here a core has the input words named "
    "above and room for\n"
    "twice as many. The paper's volumes are what a profiler saw of whole libraries: fewer ranks than cores, "
    "and all that their\n"
    "layouts and collectives cost. Here every algorithm is its grid on one engine in native layouts, "
    "counted: "
    "2D with the best\n"
    "of all grids instead of ScaLAPACK, 2.5D with the best number of layers that fit instead of CTF, and "
    "carma "
    "on the power of\n"
    "two below P, in halves one after the other where it does not fit at once.\n";

std::string number(const json& x, const char* format) {
  return x.is_null() ? "-" : fmt::format(fmt::runtime(format), x.get<double>());
}

std::string mean_text(const json& mean, std::size_t points) {
  const auto fitting = mean["points"].get<std::size_t>();
  if (fitting == 0) return "does not fit";
  const std::string value = number(mean["megabytes"], "{:.1f}");
  return fitting == points ? value : fmt::format("{} ({} of {})", value, fitting, points);
}

json field(const json& mean, const char* name) { return mean.contains(name) ? mean[name] : json(nullptr); }

void print_summary(const json& rows, const Options& o) {
  cli::Table table({"scenario", "P", "bound MB", "cosma", "2D", "2.5D", "carma", "cosma/bound",
                    "busiest/mean", "2D/cosma", "2.5D/cosma", "carma/cosma", "| paper: COSMA", "ScaLAPACK",
                    "CTF", "CARMA", "ScaLAPACK/COSMA", "CTF/COSMA", "CARMA/COSMA"});
  for (const json& r : rows) {
    const json &m = r["mean"], &p = r["paper_megabytes"];
    const std::size_t points = r["points"].size();
    std::vector<std::string> cells{
        fmt::format("{}, {}", r["shape"].get<std::string>(), r["benchmark"].get<std::string>()),
        std::to_string(points), number(r["bound_megabytes"], "{:.1f}")};
    for (const char* name : algorithms) cells.push_back(mean_text(m[name], points));
    cells.push_back(number(field(m["cosma"], "to_bound"), "{:.2f}"));
    cells.push_back(number(field(m["cosma"], "busiest_to_mean"), "{:.2f}"));
    for (const char* name : {"2d", "2.5d", "carma"})
      cells.push_back(number(field(m[name], "to_cosma"), "{:.2f}"));
    cells.push_back("| " + number(p["cosma"], "{:.0f}"));
    for (const char* name : {"scalapack", "ctf", "carma"}) cells.push_back(number(p[name], "{:.0f}"));
    for (const char* name : {"scalapack", "ctf", "carma"})
      cells.push_back(fmt::format("{:.2f}", p[name].get<double>() / p["cosma"].get<double>()));
    table.add(std::move(cells));
  }
  fmt::print("{}\n{} input words per core with limited memory, times P^(-1/3) with extra memory.\n{}",
             table.text(), o.words_per_core, note);
}

void print_points(const json& row) {
  fmt::print("\n{}, {}\n", row["shape"].get<std::string>(), row["benchmark"].get<std::string>());
  cli::Table table(
      {"P", "m x n x k", "bound", "cosma", "grid", "2D", "grid", "2.5D", "grid", "carma", "grid"});
  for (const json& p : row["points"]) {
    std::vector<std::string> cells{
        std::to_string(p["ranks"].get<int>()),
        fmt::format("{} x {} x {}", p["m"].get<Index>(), p["n"].get<Index>(), p["k"].get<Index>()),
        fmt::format("{:.0f}", p["bound_words"].get<double>())};
    for (const char* name : algorithms) {
      cells.push_back(number(p[name]["mean_words"], "{:.0f}"));
      cells.push_back(p[name]["how"]);
    }
    table.add(std::move(cells));
  }
  fmt::print("{}", table.text());
}

bool wanted(const Options& o, const Scenario& s) {
  return o.only.empty() || std::ranges::count(o.only, s.shape) > 0;
}

void run(const Options& o) {
  json rows = json::array();
  for (const Scenario& s : volume_scenarios(o.words_per_core))
    if (wanted(o, s)) rows.push_back(run_scenario(s, o));
  std::vector<std::string> kinds;
  for (const char* kind : {"lu", "cholesky"})
    if (std::ranges::count(o.only, kind) > 0) kinds.emplace_back(kind);
  const json factors = factor_volumes(kinds, o.factor_ranks);
  show_progress("");
  if (o.json)
    return fmt::print(
        "{}\n",
        json{{"scenarios", rows}, {"words_per_core", o.words_per_core}, {"note", note}, {"factors", factors}}
            .dump(1));
  if (!rows.empty()) print_summary(rows, o);
  if (!factors.empty()) print_factor_volumes(factors);
  if (o.points)
    for (const json& row : rows) print_points(row);
}

}  // namespace

void add_volume(cli::Command bench) {
  auto o = std::make_shared<Options>();
  const cli::Command app = bench.add_subcommand(
      "volume", "Words per rank in the scenarios of the COSMA and COnfLUX papers, planned, beside theirs");
  app.add_option("--ranks", o->ranks, "Numbers of ranks (default: 20 of them, 128 to 18432)")
      .delimiter(',')
      .at_least(1);
  cli::add_size(app, "--words-per-core", o->words_per_core,
                "Input words per core with limited memory (default 2097152)");
  app.add_option("--factor-ranks", o->factor_ranks,
                 "Numbers of ranks of LU and Cholesky (default 4,16,64,256,1024)")
      .delimiter(',')
      .at_least(1);
  app.add_option("--only", o->only,
                 "square, largeK, largeM, flat (default: these four); lu, cholesky: about a minute each")
      .delimiter(',')
      .one_of({"square", "largeK", "largeM", "flat", "lu", "cholesky"});
  app.add_flag("--points", o->points, "Print every number of ranks, too");
  app.add_flag("--json", o->json, "Print one JSON object");
  app.add_flag("--strassen", o->strassen,
               "The scenario of the CAPS paper's Fig. 3 instead: n = 94080, 49 to 7203 ranks");
  app.callback([o] { o->strassen ? run_strassen_figure(o->json) : run(*o); });
}

}  // namespace cairn::bench
