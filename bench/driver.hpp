// What all benchmarks share: launches, interleaved timing, medians.
#pragma once

#include <concepts>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "comm/communicator.hpp"

namespace cairn::bench {

// The standard output of a command; its standard error is ours.
std::string output_of(const std::vector<std::string>& command);

// One launch of this program on this many ranks with --worker --json added: no idle rank disturbs. Its standard
// output must be a JSON array, which is returned.
nlohmann::json run_launch(int ranks, std::vector<std::string> arguments);

// Of every benchmark that runs on ranks.
struct RankedOptions {
  std::vector<int> ranks;
  bool json = false;
  bool worker = false;
};
// --ranks, with what is in `o` as the default, --json and the hidden --worker.
void add_ranked_options(cli::Command app, RankedOptions& o);

// The end of every benchmark that runs on ranks. Without a launcher one launch for each number of ranks, with
// a line on stderr; on ranks `run`, whose rows a --worker prints for the launch above it. Rank 0 alone
// prints.
struct RankedBench {
  RankedOptions options;
  std::function<nlohmann::json(comm::CommView)> run;
  std::function<void(const nlohmann::json& rows, bool as_json)> print;
  // Of one number of ranks, instead of run_launch.
  std::function<nlohmann::json(int ranks, const std::vector<std::string>& arguments)> launch = &run_launch;
};
void run_bench(std::string_view name, const RankedBench& bench, cli::Invocation& invocation);

// Collective: the slowest rank's time, the same on every rank.
double slowest(comm::CommView c, const std::function<void()>& f);

double median(std::vector<double> v);

// The times of several ways of doing the same thing, round by round.
class Timings {
 public:
  explicit Timings(std::size_t ways) : times_(ways) {}
  void add(std::size_t way, double seconds) { times_[way].push_back(seconds); }
  double median(std::size_t way) const { return bench::median(times_[way]); }
  // Median over the rounds of one way's time over the other's in the same round: a machine that others slow
  // down for a while slows down both.
  double ratio(std::size_t way, std::size_t to) const;

 private:
  std::vector<std::vector<double>> times_;
};

// One of several ways of doing the same thing: what is timed, and what must be done before each time.
struct Way {
  template <std::invocable F>
  Way(F f) : run(std::move(f)) {}  // NOLINT(google-explicit-constructor): a way without preparation
  Way(std::function<void()> before, std::function<void()> timed)
      : prepare(std::move(before)), run(std::move(timed)) {}

  std::function<void()> prepare = [] {};
  std::function<void()> run;
};

// Collective. Ways of doing the same thing, interleaved: each round runs all of them, every second round in
// the opposite order. At least `least` and as many rounds as fit into the budget.
Timings interleaved(comm::CommView c, const std::vector<Way>& ways, double budget_seconds, int least,
                    int most);

}  // namespace cairn::bench
