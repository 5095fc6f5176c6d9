// factor_wire_probe N LU|CHOLESKY: the plan with the fewest words on all ranks of the launch. Prints for each rank what
// was counted and what Traffic counted. tests/factor/wire_test.py runs it under tools/wirecount and compares with the
// wire.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "factor/cholesky_count.hpp"
#include "factor/factored.hpp"
#include "factor/lu_count.hpp"
#include "factor/matrices.hpp"

namespace cairn::factor {
namespace {

struct Seen {
  comm::Counters counted, traffic;
  double mean = 0, busiest = 0;  // planned
};

Seen take(comm::CommView c, const RankWords& words, const comm::TrafficSnapshot& before, const char* phase,
          const FactorPlan& plan) {
  comm::Counters counted = c.rank() < words.ranks() ? words[c.rank()] : comm::Counters{};
  counted.sent.bytes = counted.sent.words * Index{sizeof(double)};
  counted.received.bytes = counted.received.words * Index{sizeof(double)};
  return {counted, (c.traffic().snapshot() - before).within(phase), plan.best.mean_words,
          plan.best.busiest_words};
}

Seen run_one(comm::CommView c, Index n, Kind kind) {
  const FactorPlan plan = plan_factor({kind, n, n, ScalarType::f64}, c.size(), {.goal = Goal::words});
  const comm::TrafficSnapshot before = c.traffic().snapshot();
  if (kind == Kind::lu) {
    LuTiles<double> tiles(plan.lu, c.rank());
    layout::fill(tiles.view(), c.rank(), [](Index i, Index j) { return test::uniform_at<double>(i, j); });
    const LuResult<double> result = run_lu(c, tiles);
    return take(c, count_lu(*plan.lu, result.order), before, "lu", plan);
  }
  CholeskyTiles<double> tiles(plan.cholesky, c.rank());
  layout::fill(tiles.view(), c.rank(), [&](Index i, Index j) { return test::definite_at<double>(i, j, n); });
  run_cholesky(c, tiles);
  return take(c, count_cholesky(*plan.cholesky), before, "cholesky", plan);
}

void print(comm::CommView c, const Seen& seen) {
  const comm::Counters all = c.traffic().snapshot().total();
  std::vector<Index> mine;
  for (const comm::Counters* x : {&seen.counted, &seen.traffic, &all})
    for (const comm::Volume* v : {&x->sent, &x->received}) mine.insert(mine.end(), {v->bytes, v->messages});
  const auto count = static_cast<int>(mine.size());
  std::vector<Index> every(mine.size() * static_cast<std::size_t>(c.size()));
  MPI_Gather(mine.data(), count, MPI_INT64_T, every.data(), count, MPI_INT64_T, 0, MPI_COMM_WORLD);
  if (c.rank() != 0) return;
  nlohmann::json ranks = nlohmann::json::array();
  for (std::size_t i = 0; i < every.size(); i += mine.size()) {
    const auto four = [&](std::size_t from) {
      return nlohmann::json{{"sent_bytes", every[i + from]},
                            {"sent_messages", every[i + from + 1]},
                            {"received_bytes", every[i + from + 2]},
                            {"received_messages", every[i + from + 3]}};
    };
    ranks.push_back({{"counted", four(0)}, {"traffic", four(4)}, {"all_traffic", four(8)}});
  }
  const nlohmann::json out{{"planned_mean", seen.mean}, {"planned_busiest", seen.busiest}, {"ranks", ranks}};
  std::printf("TRAFFIC %s\n", out.dump().c_str());
}

}  // namespace
}  // namespace cairn::factor

// NOLINTNEXTLINE(bugprone-exception-escape): an error ends the probe, and with it the test
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    namespace comm = cairn::comm;
    namespace factor = cairn::factor;
    const comm::Communicator world = comm::Communicator::of(MPI_COMM_WORLD, {.watchdog_seconds = 120});
    const cairn::Index n = argc > 1 ? std::atoll(argv[1]) : 100;
    const bool lu = argc <= 2 || std::string_view(argv[2]) == "lu";
    factor::print(world, factor::run_one(world, n, lu ? factor::Kind::lu : factor::Kind::cholesky));
  }
  MPI_Finalize();
}
