#include "bench/driver.hpp"

#include <fmt/ranges.h>
#include <mpi.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "cli/measure.hpp"
#include "cli/session.hpp"

namespace cairn::bench {

using nlohmann::json;

std::string output_of(const std::vector<std::string>& command) {
  std::string line;
  for (const std::string& word : command) line += "'" + word + "' ";
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(line.c_str(), "r"), &pclose);
  require<IoError>(pipe != nullptr, "cannot start: {}", line);
  std::string text;
  for (int ch; (ch = std::fgetc(pipe.get())) != EOF;) text += static_cast<char>(ch);
  return text;
}

json run_launch(int ranks, std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--worker", "--json"});
  const std::string text = output_of(cli::launch_command(ranks, arguments));
  json rows = json::parse(text, nullptr, false);
  require<IoError>(rows.is_array(), "the launch on {} ranks gave no result: {}", ranks, text.substr(0, 300));
  return rows;
}

void add_ranked_options(cli::Command app, RankedOptions& o) {
  app.add_option("--ranks", o.ranks,
                 fmt::format("Numbers of ranks, a launch each; ignored under mpirun (default {})",
                             fmt::join(o.ranks, ",")))
      .delimiter(',')
      .at_least(1);
  app.add_flag("--json", o.json, "Print one JSON object");
  app.add_flag("--worker", o.worker).group("");  // prints the bare rows to the launch above it
}

void run_bench(std::string_view name, const RankedBench& bench, cli::Invocation& invocation) {
  if (!cli::under_launcher()) {
    json rows = json::array();
    for (const int p : bench.options.ranks) {
      fmt::print(stderr, "cairn bench {}: {} ranks\n", name, p);
      for (const json& row : bench.launch(p, invocation.arguments)) rows.push_back(row);
    }
    return bench.print(rows, bench.options.json);
  }
  invocation.exit_code = cli::run_on_ranks(invocation.watchdog_seconds, [&](comm::CommView c) {
    const json rows = bench.run(c);
    if (c.rank() != 0) return;
    if (bench.options.worker)
      fmt::print("{}\n", rows.dump());
    else
      bench.print(rows, bench.options.json);
  });
}

double slowest(comm::CommView c, const std::function<void()>& f) {
  MPI_Barrier(c.handle());
  const double start = cli::seconds_now();
  f();
  double seconds = cli::seconds_now() - start;
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, c.handle());
  return seconds;
}

double median(std::vector<double> v) {
  std::nth_element(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2), v.end());
  return v[v.size() / 2];
}

double Timings::ratio(std::size_t way, std::size_t to) const {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < times_[way].size(); ++i) ratios.push_back(times_[way][i] / times_[to][i]);
  return bench::median(std::move(ratios));
}

Timings interleaved(comm::CommView c, const std::vector<Way>& ways, double budget_seconds, int least,
                    int most) {
  const auto prepared = [&](const Way& way) {
    way.prepare();
    return slowest(c, way.run);
  };
  double once = 0;
  for (const Way& way : ways) {
    prepared(way);  // warm
    once += prepared(way);
  }
  const int rounds = static_cast<int>(
      std::clamp(budget_seconds / once, static_cast<double>(least), static_cast<double>(most)));
  Timings times(ways.size());
  for (int i = 0; i < rounds; ++i)
    for (std::size_t k = 0; k < ways.size(); ++k) {
      const std::size_t way = i % 2 == 0 ? k : ways.size() - 1 - k;
      times.add(way, prepared(ways[way]));
    }
  return times;
}

}  // namespace cairn::bench
