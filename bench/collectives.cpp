// Every collective beside the MPI library's own, interleaved in one run: ours, theirs, theirs, ours, ... A
// time is that of the slowest rank; a launch gives the medians and their ratio, and the table has the medians
// of several launches: where the system puts ranks and their memory stays for a launch and favours one side.
// Words are counted by Traffic (which a test holds against the wire) and compared with the fewest possible.
#include "bench/collectives.hpp"

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>

#include "bench/driver.hpp"
#include "cli/session.hpp"
#include "cli/table.hpp"
#include "comm/collectives.hpp"
#include "comm/library.hpp"
#include "comm/traffic_table.hpp"

namespace cairn::bench {
namespace {

using comm::CommView;
using nlohmann::json;

struct Options : RankedOptions {
  Options() : RankedOptions{.ranks = {2, 3, 4, 5, 6, 7, 8, 12, 16}} {}

  std::vector<Index> bytes{1 << 10, 1 << 13, 1 << 16, 1 << 20, 1 << 22, 1 << 23};
  std::vector<std::string> only;
  double seconds_per_row = 0.4;
  int launches = 3;
  bool schedules = false;
};

// Two ways of one collective, and the fewest words it can do with (p ranks, n words).
struct Contest {
  std::string name;
  double total_optimum;    // words all ranks receive together
  double busiest_allowed;  // words the busiest rank may send or receive, for large data
  std::function<void()> ours, theirs;
};

// Vectors of n words per rank, n a multiple of the number of ranks.
struct Vectors {
  Vectors(int p, Index words)
      : block(std::max<Index>(1, words / p)),
        n(block * p),
        mine(static_cast<std::size_t>(block), 1.0),
        input(static_cast<std::size_t>(n), 1.0),
        output(input.size(), 2.0),
        int_counts(static_cast<std::size_t>(p), static_cast<int>(block)),
        int_offsets(int_counts.size()),
        counts(int_counts.size(), block) {
    std::exclusive_scan(int_counts.begin(), int_counts.end(), int_offsets.begin(), 0);
  }
  Index block, n;
  std::vector<double> mine, input, output;
  std::vector<int> int_counts, int_offsets;
  std::vector<Index> counts;
};

std::vector<Contest> contests(CommView c, Vectors& v) {
  const double p = c.size(), n = static_cast<double>(v.n);
  const MPI_Comm m = c.handle();
  const auto b = static_cast<int>(v.block), all = static_cast<int>(v.n);
  const double share = (p - 1) / p * n;
  constexpr auto sum = comm::ReduceOp::sum;
  const auto mine = std::span<const double>(v.mine), input = std::span<const double>(v.input);
  const auto output = std::span(v.output), my_output = std::span(v.mine);
  return {
      {"allgather", p * share, share, [=] { comm::allgather(c, mine, output); },
       [=, &v] { MPI_Allgather(v.mine.data(), b, MPI_DOUBLE, v.output.data(), b, MPI_DOUBLE, m); }},
      {"allgatherv", p * share, share, [=, &v] { comm::allgatherv(c, mine, output, v.counts); },
       [=, &v] {
         MPI_Allgatherv(v.mine.data(), b, MPI_DOUBLE, v.output.data(), v.int_counts.data(),
                        v.int_offsets.data(), MPI_DOUBLE, m);
       }},
      {"reduce_scatter", p * share, share, [=] { comm::reduce_scatter(c, input, my_output, sum); },
       [=, &v] { MPI_Reduce_scatter_block(v.input.data(), v.mine.data(), b, MPI_DOUBLE, MPI_SUM, m); }},
      {"reduce_scatterv", p * share, share,
       [=, &v] { comm::reduce_scatterv(c, input, my_output, v.counts, sum); },
       [=, &v] {
         MPI_Reduce_scatter(v.input.data(), v.mine.data(), v.int_counts.data(), MPI_DOUBLE, MPI_SUM, m);
       }},
      {"broadcast", (p - 1) * n, 2 * share, [=] { comm::broadcast(c, output, 0); },
       [=, &v] { MPI_Bcast(v.output.data(), all, MPI_DOUBLE, 0, m); }},
      {"reduce", (p - 1) * n, 2 * share, [=] { comm::reduce(c, input, output, sum, 0); },
       [=, &v] { MPI_Reduce(v.input.data(), v.output.data(), all, MPI_DOUBLE, MPI_SUM, 0, m); }},
      {"allreduce", 2 * p * share, 2 * share, [=] { comm::allreduce(c, input, output, sum); },
       [=, &v] { MPI_Allreduce(v.input.data(), v.output.data(), all, MPI_DOUBLE, MPI_SUM, m); }},
      {"alltoall", p * share, share, [=] { comm::alltoall(c, input, output); },
       [=, &v] { MPI_Alltoall(v.input.data(), b, MPI_DOUBLE, v.output.data(), b, MPI_DOUBLE, m); }},
      {"alltoallv", p * share, share, [=, &v] { comm::alltoallv(c, input, v.counts, output, v.counts); },
       [=, &v] {
         MPI_Alltoallv(v.input.data(), v.int_counts.data(), v.int_offsets.data(), MPI_DOUBLE, v.output.data(),
                       v.int_counts.data(), v.int_offsets.data(), MPI_DOUBLE, m);
       }},
      {"gather", share, share, [=] { comm::gather(c, mine, output, 0); },
       [=, &v] { MPI_Gather(v.mine.data(), b, MPI_DOUBLE, v.output.data(), b, MPI_DOUBLE, 0, m); }},
      {"scatter", share, share, [=] { comm::scatter(c, input, my_output, 0); },
       [=, &v] { MPI_Scatter(v.input.data(), b, MPI_DOUBLE, v.mine.data(), b, MPI_DOUBLE, 0, m); }},
  };
}

// The schedules that one operation can choose from, each run by itself.
std::vector<Contest> schedule_contests(CommView c, Vectors& v) {
  const std::vector<Contest> chosen = contests(c, v);
  const comm::Seat seat = comm::seat_of(c, comm::element_type<double>());
  const comm::Partition parts = comm::Partition::even(c.size(), v.block);
  const comm::ElementType& type = comm::element_type<double>();
  const Index n = v.n;
  std::vector<Contest> all;
  const auto add = [&](const char* operation, const char* schedule,
                       const std::function<comm::RankSchedule()>& make, const double* in, double* out) {
    for (const Contest& contest : chosen) {
      if (contest.name != operation) continue;
      const comm::Binding binding{in, out, &type, type.sum, schedule};
      all.push_back({fmt::format("{}/{}", operation, schedule), contest.total_optimum,
                     contest.busiest_allowed, [=] { c.start(make(), binding).wait(); }, contest.theirs});
    }
  };
  double* mine = v.mine.data();
  double* input = v.input.data();
  double* output = v.output.data();
  add(
      "allgather", "doubling", [=] { return comm::allgather_doubling(seat, parts); }, mine, output);
  add(
      "allgather", "ring", [=] { return comm::allgather_ring(seat, parts); }, mine, output);
  add(
      "allgather", "direct", [=] { return comm::allgather_direct(seat, parts); }, mine, output);
  add(
      "reduce_scatter", "halving", [=] { return comm::reduce_scatter_halving(seat, parts); }, input, mine);
  add(
      "reduce_scatter", "ring", [=] { return comm::reduce_scatter_ring(seat, parts); }, input, mine);
  add(
      "reduce_scatter", "direct", [=] { return comm::reduce_scatter_direct(seat, parts); }, input, mine);
  add(
      "broadcast", "tree", [=] { return comm::broadcast_tree(seat, n, 0); }, nullptr, output);
  add(
      "broadcast", "parts", [=] { return comm::broadcast_scatter_allgather(seat, n, 0); }, nullptr, output);
  add(
      "broadcast", "direct", [=] { return comm::broadcast_scatter_direct(seat, n, 0); }, nullptr, output);
  add(
      "broadcast", "two trees", [=] { return comm::broadcast_two_trees(seat, n, 0); }, nullptr, output);
  add(
      "broadcast", "three trees", [=] { return comm::broadcast_three_trees(seat, n, 0); }, nullptr, output);
  add(
      "reduce", "direct", [=] { return comm::reduce_direct_gather(seat, n, 0); }, input, output);
  add(
      "allreduce", "direct", [=] { return comm::allreduce_direct(seat, n); }, input, output);
  add(
      "reduce", "tree", [=] { return comm::reduce_tree(seat, n, 0); }, input, output);
  add(
      "reduce", "parts", [=] { return comm::reduce_scatter_gather(seat, n, 0); }, input, output);
  add(
      "allreduce", "doubling", [=] { return comm::allreduce_doubling(seat, n); }, input, output);
  add(
      "allreduce", "tree", [=] { return comm::allreduce_tree(seat, n); }, input, output);
  add(
      "allreduce", "rsag", [=] { return comm::allreduce_rsag(seat, n); }, input, output);
  add(
      "gather", "direct", [=] { return comm::gather_direct(seat, parts, 0); }, mine, output);
  add(
      "gather", "tree", [=] { return comm::gather_tree(seat, parts, 0); }, mine, output);
  add(
      "scatter", "direct", [=] { return comm::scatter_direct(seat, parts, 0); }, input, mine);
  add(
      "scatter", "tree", [=] { return comm::scatter_tree(seat, parts, 0); }, input, mine);
  return all;
}

json run_contest(CommView c, const Contest& contest, Index bytes, double budget) {
  slowest(c, contest.ours);
  const comm::TrafficSnapshot before = c.traffic().snapshot();
  const double first = slowest(c, contest.ours);
  const comm::TrafficRow words = comm::gather_traffic(c, c.traffic().snapshot() - before).back();
  const double second = slowest(c, contest.theirs);
  // A library that spins on shared cores takes very long.
  const int fewest = first + second < 0.1 ? 11 : 5;
  const Timings times = interleaved(c, {contest.ours, contest.theirs}, budget, fewest, 201);
  const double busiest = static_cast<double>(std::max(words.words_sent.max, words.words_received.max));
  return {{"operation", contest.name},
          {"ranks", c.size()},
          {"bytes", bytes},
          {"words",
           {{"total", words.words_received.total},
            {"optimum_total", contest.total_optimum},
            {"busiest", busiest},
            {"allowed_busiest", contest.busiest_allowed}}},
          {"messages_busiest", words.messages_sent.max},
          {"seconds", times.median(0)},
          {"mpi_seconds", times.median(1)},
          {"time_ratio", times.ratio(0, 1)},
          {"launch_ratios", {times.ratio(0, 1)}}};
}

bool wanted(const Options& o, const std::string& name) {
  const std::string operation = name.substr(0, name.find('/'));
  return o.only.empty() || std::find(o.only.begin(), o.only.end(), operation) != o.only.end();
}

json run_all(CommView checked, const Options& o) {
  const CommView c = checked.unchecked();
  json rows = json::array();
  for (const Index bytes : o.bytes) {
    Vectors v(c.size(), bytes / 8);
    for (const Contest& contest : o.schedules ? schedule_contests(c, v) : contests(c, v))
      if (wanted(o, contest.name)) rows.push_back(run_contest(c, contest, bytes, o.seconds_per_row));
  }
  return rows;
}

// The same row of several launches as one: medians of the times, the most words of any.
json one_of(const std::vector<json>& launches) {
  json row = launches.front();
  const auto each = [&](const char* key) {
    std::vector<double> values;
    for (const json& launch : launches) values.push_back(launch[key]);
    return values;
  };
  for (const char* key : {"seconds", "mpi_seconds", "time_ratio"}) row[key] = median(each(key));
  row["launch_ratios"] = each("time_ratio");
  for (const json& launch : launches) {
    row["messages_busiest"] = std::max(row["messages_busiest"], launch["messages_busiest"]);
    for (const char* key : {"total", "busiest"})
      row["words"][key] = std::max(row["words"][key], launch["words"][key]);
  }
  return row;
}

json run_launches(int ranks, const std::vector<std::string>& arguments, int launches) {
  std::vector<json> tables;
  for (int i = 0; i < launches; ++i) tables.push_back(run_launch(ranks, arguments));
  json rows = json::array();
  for (std::size_t i = 0; i < tables.front().size(); ++i) {
    std::vector<json> same;
    for (const json& table : tables) same.push_back(table.at(i));
    rows.push_back(one_of(same));
  }
  return rows;
}

// A large row is one where beta outweighs alpha: there the words must be as few as stated on the busiest
// rank, too.
constexpr Index large_bytes = 1 << 20;

json summary(const json& rows) {
  double log_sum = 0, worst = 0;
  int timed = 0, slower = 0, once_slower = 0, wasteful = 0;
  for (const json& r : rows) {
    const json& w = r["words"];
    const std::string name = r["operation"];
    const bool exact = name.starts_with("allgather") || name.starts_with("reduce_scatter");
    const bool large = r["bytes"].get<Index>() >= large_bytes;
    if (large || exact) {
      const bool few = w["total"].get<double>() <= w["optimum_total"].get<double>() + 0.5 &&
                       w["busiest"].get<double>() <= w["allowed_busiest"].get<double>() + 0.5;
      wasteful += few ? 0 : 1;
    }
    if (!large) continue;
    const double ratio = r["time_ratio"];
    log_sum += std::log(ratio);
    worst = std::max(worst, ratio);
    slower += ratio > 1.1 ? 1 : 0;
    const std::vector<double> each = r["launch_ratios"];
    once_slower += std::ranges::max(each) > 1.1 ? 1 : 0;
    ++timed;
  }
  return {{"rows", rows.size()},
          {"rows_with_more_words_than_stated", wasteful},
          {"timed_rows_1MiB_and_more", timed},
          {"rows_above_1.1", slower},
          {"rows_above_1.1_in_some_launch", once_slower},
          {"worst_time_ratio", worst},
          {"geometric_mean_time_ratio", timed > 0 ? std::exp(log_sum / timed) : 0.0}};
}

void add_row(cli::Table& table, const json& r) {
  const json& w = r["words"];
  const auto ratio = [](const json& a, const json& b) {
    return b.get<double>() > 0 ? a.get<double>() / b.get<double>() : 1.0;
  };
  table.add({r["operation"], std::to_string(r["ranks"].get<int>()), cli::bytes_text(r["bytes"].get<double>()),
             std::to_string(w["total"].get<Index>()),
             fmt::format("{:.3f}", ratio(w["total"], w["optimum_total"])),
             fmt::format("{:.3f}", ratio(w["busiest"], w["allowed_busiest"])),
             std::to_string(r["messages_busiest"].get<int>()),
             fmt::format("{:.1f}", 1e6 * r["seconds"].get<double>()),
             fmt::format("{:.1f}", 1e6 * r["mpi_seconds"].get<double>()),
             fmt::format("{:.2f}", r["time_ratio"].get<double>())});
}

void print(const json& rows, bool as_json) {
  const json sum = summary(rows);
  if (as_json) {
    fmt::print("{}\n", json{{"mpi", comm::mpi_library().version}, {"rows", rows}, {"summary", sum}}.dump(1));
    return;
  }
  cli::Table table({"operation", "ranks", "data", "words, all", "/optimum", "busiest/stated", "messages",
                    "us", "MPI us", "ratio"});
  for (const json& r : rows) add_row(table, r);
  fmt::print("{}\n{}\n", table.text(), comm::mpi_library().version);
  for (const auto& [key, value] : sum.items()) fmt::print("{:<36}{}\n", key, value.dump());
}

}  // namespace

void add_collectives(cli::Command bench, cli::Invocation& invocation) {
  auto o = std::make_shared<Options>();
  const cli::Command app = bench.add_subcommand(
      "collectives", "Words against the optimum, time against the MPI library's own calls");
  add_ranked_options(app, *o);
  app.add_option("--bytes", o->bytes, "Sizes of the whole vector in bytes").delimiter(',').at_least(1);
  app.add_option("--only", o->only, "Operations to run (default: all)").delimiter(',');
  app.add_option("--seconds", o->seconds_per_row, "Seconds to spend on a row").non_negative();
  app.add_option("--launches", o->launches,
                 "Launches for each number of ranks, of which a row has the medians; ignored under mpirun")
      .at_least(1);
  app.add_flag("--schedules", o->schedules,
               "Run every schedule of an operation instead of the one it would choose");
  app.callback([o, &invocation] {
    run_bench("collectives",
              {.options = *o,
               .run = [&](CommView c) { return run_all(c, *o); },
               .print = &print,
               .launch =
                   [&](int p, const std::vector<std::string>& arguments) {
                     return run_launches(p, arguments, o->launches);
                   }},
              invocation);
  });
}

}  // namespace cairn::bench
