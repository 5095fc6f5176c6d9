// fast_wire_probe N ORDER...: products by these orders of steps, in native layouts, on all ranks of the launch.
// The base takes what the BFS steps leave of the ranks. Prints for each rank what was counted before and what
// Traffic counted; tests/gemm/fast/wire_test.py runs it under tools/wirecount and compares with the wire and
// with the formulas.
#include <mpi.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "gemm/fast/catalogue.hpp"
#include "gemm/fast/compile.hpp"
#include "program/count.hpp"
#include "program/run.hpp"

namespace cairn::gemm::fast {
namespace {

using nlohmann::json;

FastSchedule schedule_of(std::string_view order, int ranks, Index n) {
  FastSchedule s{{.m = n, .n = n, .k = n}, parse_steps(order, find_bilinear("winograd")), {}, {}, {}};
  s.base.pm = static_cast<int>(ranks / s.ranks());
  return s;
}

constexpr std::size_t fields = 4;
using Numbers = std::vector<Index>;

void append(Numbers& list, const comm::Counters& c) {
  for (const Index x : {c.sent.bytes, c.sent.messages, c.received.bytes, c.received.messages})
    list.push_back(x);
}

// Every element of A and B is 1, those of the padding as well: of C, the padded n.
bool all_are(const std::vector<double>& c, double value) {
  return std::all_of(c.begin(), c.end(), [&](double x) { return std::abs(x - value) <= 1e-9 * value; });
}

void run_one(comm::CommView comm, std::string_view order, Index n, Numbers& list) {
  const FastSchedule s = schedule_of(order, comm.size(), n);
  const program::Program p = compile(s, comm.rank(), comm.size());
  const auto memory = [&](int array, double value) {
    return std::vector<double>(static_cast<std::size_t>(p.array_counts[static_cast<std::size_t>(array)]),
                               value);
  };
  std::vector<double> work = memory(0, 0), a = memory(1, 1), b = memory(2, 1), c = memory(3, 0);
  const std::array<double*, 4> arrays{work.data(), a.data(), b.data(), c.data()};
  const std::array<double, 2> parameters{1, 0};
  const comm::TrafficSnapshot before = comm.traffic().snapshot();
  program::run<double>(p, comm, {arrays, parameters});
  const Index padded = Dealt(s).leaf(Dim::k) << s.steps.size();
  list.push_back(all_are(c, static_cast<double>(padded)) ? 1 : 0);
  append(list, program::count(p).total());
  append(list, (comm.traffic().snapshot() - before).total());
}

void print(const Numbers& mine, const std::vector<std::string>& orders, int ranks, int rank) {
  Numbers every(mine.size() * static_cast<std::size_t>(ranks));
  MPI_Gather(mine.data(), static_cast<int>(mine.size()), MPI_INT64_T, every.data(),
             static_cast<int>(mine.size()), MPI_INT64_T, 0, MPI_COMM_WORLD);
  if (rank != 0) return;
  json rows = json::array();
  for (std::size_t i = 0; i < every.size(); i += mine.size()) {
    std::size_t at = i;
    const auto next = [&] {
      at += fields;
      return json{{"sent_bytes", every[at - 4]},
                  {"sent_messages", every[at - 3]},
                  {"received_bytes", every[at - 2]},
                  {"received_messages", every[at - 1]}};
    };
    json row{{"orders", json::array()}};
    for (const std::string& order : orders) {
      const bool right = every[at++] == 1;
      const json counted = next(), traffic = next();
      row["orders"].push_back(
          {{"order", order}, {"right", right}, {"counted", counted}, {"traffic", traffic}});
    }
    row["all_traffic"] = next();
    rows.push_back(row);
  }
  std::printf("TRAFFIC %s\n", rows.dump().c_str());
}

}  // namespace
}  // namespace cairn::gemm::fast

// NOLINTNEXTLINE(bugprone-exception-escape): an error ends the probe, and with it the test
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    namespace fast = cairn::gemm::fast;
    const cairn::comm::Communicator world =
        cairn::comm::Communicator::of(MPI_COMM_WORLD, {.watchdog_seconds = 120});
    const cairn::comm::CommView comm = world;
    const std::vector<std::string> orders(argv + 2, argv + argc);
    std::vector<cairn::Index> mine;
    for (const std::string& order : orders) fast::run_one(comm, order, std::atoi(argv[1]), mine);
    fast::append(mine, comm.traffic().snapshot().total());
    fast::print(mine, orders, comm.size(), comm.rank());
  }
  MPI_Finalize();
}
