// multiply_wire_probe TRANSPORT: every named algorithm on 12 shapes, ten random trees, and five on block-cyclic matrices, on
// all ranks of the launch. Prints for each rank what was counted before and what Traffic counted. tests/gemm/wire_test.py runs it under
// tools/wirecount and compares with the wire.
#include <mpi.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "gemm/count.hpp"
#include "gemm/native.hpp"
#include "gemm/product_runner.hpp"
#include "gemm/random_trees.hpp"
#include "layout/kinds.hpp"
#include "plan/plan.hpp"
#include "program/count.hpp"

namespace cairn::gemm {
namespace {

const std::vector<std::array<Index, 3>>& shapes() {
  static const std::vector<std::array<Index, 3>> list{
      {64, 64, 64}, {96, 48, 120}, {97, 89, 83},  {7, 5, 3},     {1, 200, 30},  {200, 1, 30},
      {1, 1, 500},  {300, 20, 20}, {20, 300, 20}, {20, 20, 300}, {128, 128, 4}, {53, 211, 2}};
  return list;
}

comm::Counters data_of(const comm::TrafficSnapshot& moved) {
  comm::Counters sum;
  for (const Matrix x : all_matrices) sum += moved.within(phase_of(x));
  sum += moved.within("gather");  // of A and B together, where a tree cuts the bricks
  return sum;
}

// Words the busiest rank received, by plain MPI.
Index largest(Index mine) {
  Index most = 0;
  MPI_Allreduce(&mine, &most, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
  return most;
}

struct Sums {
  comm::Counters counted;  // before the runs
  Index wrong_plans = 0;   // whose busiest rank received something else than the plan said
};

void run(ProductRunner& context, const plan::Plan& plan, Sums& sums) {
  const Schedule& s = plan.best.schedule;
  const comm::CommView c = context.comm();
  const program::Program program = compile(s, c.rank(), c.size());
  sums.counted += program::count(program).total();
  const comm::TrafficSnapshot before = c.traffic().snapshot();
  dispatch(s.problem.type, [&]<class T>() {
    const auto part = [&](Matrix x) {
      return std::vector<T>(static_cast<std::size_t>(program.array_counts[1 + index(x)]), T(1));
    };
    const std::vector<T> a = part(Matrix::a), b = part(Matrix::b);
    std::vector<T> result = part(Matrix::c);
    context.multiply<T>(s, T(1), a, b, T(0), std::span(result));
  });
  const Index received = largest(data_of(c.traffic().snapshot() - before).received.words);
  sums.wrong_plans += received == plan.best.totals.words_received ? 0 : 1;
}

Sums run_all(comm::CommView c, Transport transport) {
  ProductRunner context(c);
  Sums sums;
  plan::Settings settings;
  settings.candidates = 1;
  settings.transport = transport;
  int turn = 0;
  const bool one_sided = transport == Transport::one_sided;
  for (const auto name : plan::algorithm_names())
    for (const auto& [m, n, k] : shapes()) {
      if (one_sided && (name == "tree" || name == "carma")) continue;  // trees are two-sided
      Problem p{.m = m, .n = n, .k = k};
      p.op_a = turn % 2 == 0 ? Op::none : Op::transpose;
      p.op_b = turn++ % 3 == 0 ? Op::none : Op::transpose;
      run(context, plan::plan_named(name, p, c.size(), settings), sums);
    }
  test::RandomTrees random(static_cast<std::uint64_t>(c.size()));
  for (int trial = 0; trial < 10 && !one_sided; ++trial) {
    const Schedule s = random.schedule(120, c.size());
    run(context, plan::plan_schedule(s, c.size(), settings), sums);
  }
  for (int trial = 0; trial < 5 && !one_sided && c.size() > 1; ++trial) {
    const Schedule s = random.schedule(120, c.size());
    const Problem& p = s.problem;
    plan::Settings given = settings;
    given.tree = s.tree;
    const layout::BlockCyclic dealt{
        .process_columns = c.size(), .mb = random.number(1, 30), .nb = random.number(1, 30)};
    const auto lies = [&](Matrix x) {
      return layout::block_cyclic(stored_rows(p, x), stored_columns(p, x), dealt);
    };
    if (p.multiplies())
      run(context,
          plan::plan_multiply(p, {lies(Matrix::a), lies(Matrix::b), lies(Matrix::c)}, c.size(), given), sums);
  }
  return sums;
}

void print(comm::CommView c, const Sums& sums) {
  const comm::TrafficSnapshot moved = c.traffic().snapshot();
  const comm::Counters data = data_of(moved), all = moved.total();
  const std::array<Index, 13> mine{sums.counted.sent.bytes,
                                   sums.counted.sent.messages,
                                   sums.counted.received.bytes,
                                   sums.counted.received.messages,
                                   data.sent.bytes,
                                   data.sent.messages,
                                   data.received.bytes,
                                   data.received.messages,
                                   all.sent.bytes,
                                   all.sent.messages,
                                   all.received.bytes,
                                   all.received.messages,
                                   sums.wrong_plans};
  std::vector<Index> every(mine.size() * static_cast<std::size_t>(c.size()));
  MPI_Gather(mine.data(), static_cast<int>(mine.size()), MPI_INT64_T, every.data(),
             static_cast<int>(mine.size()), MPI_INT64_T, 0, MPI_COMM_WORLD);
  if (c.rank() != 0) return;
  nlohmann::json ranks = nlohmann::json::array();
  for (std::size_t i = 0; i < every.size(); i += mine.size()) {
    const auto four = [&](std::size_t from) {
      return nlohmann::json{{"sent_bytes", every[i + from]},
                            {"sent_messages", every[i + from + 1]},
                            {"received_bytes", every[i + from + 2]},
                            {"received_messages", every[i + from + 3]}};
    };
    ranks.push_back({{"counted", four(0)},
                     {"traffic", four(4)},
                     {"all_traffic", four(8)},
                     {"wrong_plans", every[i + 12]}});
  }
  std::printf("TRAFFIC %s\n", ranks.dump().c_str());
}

}  // namespace
}  // namespace cairn::gemm

// NOLINTNEXTLINE(bugprone-exception-escape): an error ends the probe, and with it the test
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    namespace comm = cairn::comm;
    namespace gemm = cairn::gemm;
    const comm::Communicator world = comm::Communicator::of(MPI_COMM_WORLD, {.watchdog_seconds = 120});
    const bool one_sided = argc > 1 && std::string_view(argv[1]) == "one-sided";
    const gemm::Sums sums =
        gemm::run_all(world, one_sided ? cairn::Transport::one_sided : cairn::Transport::two_sided);
    gemm::print(world, sums);
  }
  MPI_Finalize();
}
