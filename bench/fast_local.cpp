// Local fast products against BLAS, interleaved in one run, with the rates measured in the same run and what
// the model makes of them.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/buffer.hpp"
#include "bench/fast.hpp"
#include "bench/in_turn.hpp"
#include "bench/shape.hpp"
#include "cli/arguments.hpp"
#include "cli/measure.hpp"
#include "cli/table.hpp"
#include "gemm/fast/rates.hpp"

namespace cairn::bench {
namespace {

using gemm::fast::FastRates;
using gemm::fast::LocalProduct;
using nlohmann::json;

struct LocalOptions {
  std::vector<int> threads{1, 2};
  std::vector<std::string> shapes{"1024x1024x1024", "2048x2048x2048", "4096x4096x4096", "4000x2400x4000",
                                  "8192x8192x8192"};
  int small = 50;  // sizes from 16 to 1500
  int levels = -1;
  int rounds = 3;
  double seconds = 12;       // for each shape
  double small_seconds = 1;  // for each of the small ones
  double tune_seconds = 8;
  bool json = false;
};

Index prime_from(Index n) {
  const auto is_prime = [](Index x) {
    for (Index d = 2; d * d <= x; ++d)
      if (x % d == 0) return false;
    return true;
  };
  while (!is_prime(n)) ++n;
  return n;
}

// Cubes of prime sides, any sides, and thin ones, the same in every run.
std::vector<bounds::Product> small_shapes(int count) {
  std::vector<bounds::Product> all;
  std::uint64_t x = 1;
  const auto next = [&](Index least, Index most) {
    x = x * 6364136223846793005ULL + 1442695040888963407ULL;
    return least + static_cast<Index>((x >> 33) % static_cast<std::uint64_t>(most - least + 1));
  };
  for (int i = 0; i < count; ++i) {
    const Index n = next(16, 1500);
    if (i % 3 == 0)
      all.push_back({prime_from(n), prime_from(n), prime_from(n)});
    else
      all.push_back({next(16, 1500), next(16, 1500), i % 3 == 1 ? next(16, 1500) : next(16, 64)});
  }
  return all;
}

LocalProduct product_of(const bounds::Product& p, const FastRates& rates, int levels) {
  LocalProduct x{p.m, p.n, p.k};
  if (levels < 0) return gemm::fast::choose_levels(x, false, ScalarType::f64, rates);
  x.levels.assign(static_cast<std::size_t>(levels), gemm::fast::winograd_level(gemm::fast::Temporaries::few));
  return x;
}

// Beside the fast product BLAS twice: how far its two times are apart is what a difference must exceed to mean
// anything.
json time_shape(const bounds::Product& p, const FastRates& rates, Workers& workers, const LocalOptions& o,
                double seconds) {
  const LocalProduct fast = product_of(p, rates, o.levels), plain{p.m, p.n, p.k};
  const Buffer<double> a(p.m * p.k), b(p.k * p.n), c(p.m * p.n),
      work(gemm::fast::workspace_elements(fast, false));
  for (const Buffer<double>* x : {&a, &b, &c, &work})
    for (Index i = 0; i < x->size(); ++i) (*x)[i] = 1.0 / static_cast<double>(i % 1000 + 1);
  const std::function<void()> by_blas = [&] {
    blas::gemm<double>(Op::none, Op::none, p.m, p.n, p.k, 1, a.data(), p.m, b.data(), p.k, 0, c.data(), p.m);
  };
  const std::function<void()> by_levels = [&] {
    gemm::fast::multiply<double>(fast, 1, a.data(), p.m, b.data(), p.k, 0, c.data(), p.m, work.span(),
                                 workers);
  };
  const Timings times = in_turn({by_blas, by_levels, by_blas}, o.rounds, seconds);
  const double model = gemm::fast::predicted_seconds(plain, false, ScalarType::f64, rates) /
                       gemm::fast::predicted_seconds(fast, false, ScalarType::f64, rates);
  return {{"m", p.m},
          {"n", p.n},
          {"k", p.k},
          {"threads", workers.threads()},
          {"levels", fast.levels.size()},
          {"noise", rates.noise},
          {"blas_seconds", times.median(0)},
          {"fast_seconds", times.median(1)},
          {"speed_up", times.ratio(0, 1)},
          {"blas_over_itself", times.ratio(0, 2)},
          {"model", model},
          {"share", model > 1 ? json((times.ratio(0, 1) - 1) / (model - 1)) : json()}};
}

std::string local_shape_of(const json& r) {
  return fmt::format("{} x {} x {}", r["m"].get<Index>(), r["n"].get<Index>(), r["k"].get<Index>());
}

void print_local(const json& rows) {
  cli::Table table({"m x n x k", "threads", "levels", "BLAS, s", "Gflop/s", "fast, s", "speed-up",
                    "BLAS beside itself", "model", "share"});
  for (const json& r : rows) {
    const double flops = 2 * r["m"].get<double>() * r["n"].get<double>() * r["k"].get<double>();
    table.add({local_shape_of(r), std::to_string(r["threads"].get<int>()),
               std::to_string(r["levels"].get<int>()), fmt::format("{:.4g}", r["blas_seconds"].get<double>()),
               fmt::format("{:.1f}", flops / r["blas_seconds"].get<double>() / 1e9),
               fmt::format("{:.4g}", r["fast_seconds"].get<double>()),
               fmt::format("{:.3f}", r["speed_up"].get<double>()),
               fmt::format("{:.3f}", r["blas_over_itself"].get<double>()),
               fmt::format("{:.3f}", r["model"].get<double>()),
               r["share"].is_null() ? "-" : fmt::format("{:.0f} %", 100 * r["share"].get<double>())});
  }
  fmt::print("{}", table.text());
}

// The row where the fast product is slowest beside BLAS, for each number of threads.
std::vector<json> worst_rows(const json& rows) {
  std::vector<json> worst;
  for (const json& r : rows) {
    const auto same = [&](const json& x) { return x["threads"] == r["threads"]; };
    const auto found = std::ranges::find_if(worst, same);
    if (found == worst.end())
      worst.push_back(r);
    else if (r["speed_up"] < (*found)["speed_up"])
      *found = r;
  }
  return worst;
}

void print_worst(const json& rows) {
  for (const json& r : worst_rows(rows))
    fmt::print("worst of all on {} threads: {:.3f}, {} with {} levels; noise of the rates {:.1f} %\n",
               r["threads"].get<int>(), r["speed_up"].get<double>(), local_shape_of(r),
               r["levels"].get<int>(), 100 * r["noise"].get<double>());
}

void run_local(const LocalOptions& o) {
  json rows = json::array();
  std::vector<bounds::Product> shapes;
  for (const std::string& x : o.shapes) shapes.push_back(parse_shape(x));
  for (const int t : o.threads) {
    require(t >= 1, "--threads is {}, expected 1 or more", t);
    blas::set_threads(t);
    Workers workers(t);
    const FastRates rates = gemm::fast::measure_rates(workers, o.tune_seconds);
    for (const bounds::Product& p : shapes) rows.push_back(time_shape(p, rates, workers, o, o.seconds));
    for (const bounds::Product& p : small_shapes(o.small))
      rows.push_back(time_shape(p, rates, workers, o, o.small_seconds));
  }
  if (o.json) return fmt::print("{}\n", json{{"rows", rows}, {"worst", worst_rows(rows)}}.dump(1));
  print_local(rows);
  print_worst(rows);
}

}  // namespace

void add_fast_local(cli::Command bench) {
  auto o = std::make_shared<LocalOptions>();
  const cli::Command app = bench.add_subcommand("fast-local", "Local fast products against BLAS");
  app.add_option("--threads", o->threads, "Numbers of threads").delimiter(',');
  app.add_option("--shapes", o->shapes, "m x n x k, such as 4096x4096x4096").delimiter(',');
  app.add_option("--small", o->small,
                 "Number of additional shapes from 16 to 1500, primes and thin ones among them")
      .at_least(0);
  app.add_option("--levels", o->levels, "Levels (default: as the rates say)");
  app.add_option("--rounds", o->rounds, "Rounds of each shape, at least").at_least(1);
  app.add_option("--seconds", o->seconds, "For each shape").non_negative();
  app.add_option("--small-seconds", o->small_seconds, "For each of the shapes of --small").non_negative();
  app.add_option("--tune-seconds", o->tune_seconds, "For the rates").non_negative();
  app.add_flag("--json", o->json, "Print JSON");
  app.callback([o] { run_local(*o); });
}

}  // namespace cairn::bench
