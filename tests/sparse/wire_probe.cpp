// sparse_wire_probe: every algorithm of sparse products on all ranks of the launch, planning, conversions and
// checks included; or with a generator and a number, the planner's choice for it this many times. Prints for each rank what
// Traffic counted. tests/sparse/wire_test.py compares with the
// wire.
#include <mpi.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "sparse/generate_sparse.hpp"
#include "sparse/spgemm_run.hpp"

namespace {

namespace comm = cairn::comm;
namespace sparse = cairn::sparse;
using cairn::Index;

void run_sparse(comm::CommView c, const char* text) {
  const sparse::Generator g = sparse::parse_generator(text);
  const auto rows = sparse::SparseLayout::row_blocks(g.rows, g.columns, c.size());
  const auto a = sparse::generate_sparse<double>(g, rows, c.rank());
  for (const sparse::SpgemmAlgorithm algorithm : sparse::all_spgemm_algorithms()) {
    sparse::SpgemmRunOptions<double> options;
    options.planning.algorithm = algorithm;
    options.verify = 1;
    sparse::multiply_sparse(c, a, a, options);
  }
}

// The planner's choice, where the method wants A and B, `times` times.
void run_planned(comm::CommView c, const char* text, int times) {
  const sparse::Generator ga = sparse::parse_generator(text);
  sparse::Generator gb = ga;
  if (ga.family == sparse::Family::er) gb.seed += 1;
  const auto rows = sparse::SparseLayout::row_blocks(ga.rows, ga.columns, c.size());
  const auto plan = sparse::plan_spgemm(sparse::sample_product(
      c, sparse::generate_sparse<double>(ga, rows, c.rank()),
      sparse::generate_sparse<double>(gb, rows, c.rank()), sparse::spgemm_grids(c.size())));
  const auto layouts = sparse::layouts_of(plan.best.method, plan.sample.shape);
  const auto a = sparse::generate_sparse<double>(ga, layouts.a, c.rank());
  const auto b = sparse::generate_sparse<double>(gb, layouts.b, c.rank());
  for (int i = 0; i < times; ++i)
    sparse::multiply_bricks<double>(c, plan.best.method, a, b,
                                    sparse::make_kernel<double>(sparse::Semiring::plus_times));
  if (c.rank() == 0) std::printf("METHOD %s\n", plan.best.method.describe().c_str());
}

void print_traffic(comm::CommView c) {
  const comm::Counters all = c.traffic().snapshot().total();
  const std::array<Index, 4> mine{all.sent.bytes, all.sent.messages, all.received.bytes,
                                  all.received.messages};
  std::vector<Index> every(4 * static_cast<std::size_t>(c.size()));
  MPI_Gather(mine.data(), 4, MPI_INT64_T, every.data(), 4, MPI_INT64_T, 0, MPI_COMM_WORLD);
  if (c.rank() != 0) return;
  nlohmann::json ranks = nlohmann::json::array();
  for (std::size_t i = 0; i < every.size(); i += 4)
    ranks.push_back({{"sent_bytes", every[i]},
                     {"sent_messages", every[i + 1]},
                     {"received_bytes", every[i + 2]},
                     {"received_messages", every[i + 3]}});
  std::printf("TRAFFIC %s\n", ranks.dump().c_str());
}

}  // namespace

// NOLINTNEXTLINE(bugprone-exception-escape): an error ends the probe, and with it the test
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    const comm::Communicator world = comm::Communicator::of(MPI_COMM_WORLD, {.watchdog_seconds = 120});
    if (argc == 3) {
      run_planned(world, argv[1], std::atoi(argv[2]));
    } else {
      run_sparse(world, "er n=500 d=4");
      run_sparse(world, "stencil5 nx=16");
    }
    print_traffic(world);
  }
  MPI_Finalize();
}
