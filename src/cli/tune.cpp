// cairn tune: measures how fast this machine multiplies and adds, and keeps it. No MPI.
#include <fmt/format.h>
#include <algorithm>

#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/commands.hpp"
#include "cli/rates_file.hpp"
#include "cli/table.hpp"

namespace cairn::cli {
namespace {

using gemm::fast::FastRates;
using nlohmann::json;

struct TuneOptions {
  std::vector<int> threads;
  double seconds = 8;
  std::string save;
  bool json = false;
};

std::vector<int> usual_threads() {
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return cores == 1 ? std::vector{1} : std::vector{1, cores};
}

void print_rates(const std::vector<FastRates>& all, const std::string& path) {
  Table table({"side", "threads", "gemm, Gflop/s", "sums, GB/s"});
  for (const FastRates& r : all)
    for (std::size_t i = 0; i < r.gemm.size(); ++i)
      table.add({fmt::format("{:.0f}", r.gemm[i].side), std::to_string(r.threads),
                 fmt::format("{:.1f}", r.gemm[i].rate / 1e9), fmt::format("{:.1f}", r.sums[i].rate / 1e9)});
  fmt::print("{}", table.text());
  for (const FastRates& r : all)
    fmt::print("with {} threads one and the same product went up or down by {:.1f} %\n", r.threads,
               100 * r.noise);
  fmt::print("kept in {}\n", path);
}

void run_tune(const TuneOptions& o) {
  std::vector<FastRates> all;
  const std::vector<int> threads = o.threads.empty() ? usual_threads() : o.threads;
  for (const int t : threads) {
    require(t >= 1, "--threads is {}, expected 1 or more", t);
    blas::set_threads(t);
    Workers workers(t);
    all.push_back(gemm::fast::measure_rates(workers, o.seconds / static_cast<double>(threads.size())));
  }
  const std::string path = o.save.empty() ? default_rates_file() : o.save;
  save_rates(all, path);
  if (!o.json) return print_rates(all, path);
  json list = json::array();
  for (const FastRates& r : all) list.push_back(rates_json(r));
  fmt::print("{}\n", json{{"file", path}, {"rates", list}}.dump(1));
}

}  // namespace

void add_tune(Command app) {
  auto o = std::make_shared<TuneOptions>();
  const Command tune =
      app.add_subcommand("tune", "Measure how fast this machine multiplies and adds, and keep the rates");
  tune.add_option("--threads", o->threads, "Numbers of threads (default: 1 and all cores)").delimiter(',');
  tune.add_option("--seconds", o->seconds, "Seconds to measure for, approximately").non_negative();
  tune.add_option("--save", o->save,
                  "File to keep the rates in (default: fast-rates.json in the user's cache)")
      .type_name("FILE");
  tune.add_flag("--json", o->json, "Print JSON");
  tune.callback([o] { run_tune(*o); });
}

}  // namespace cairn::cli
