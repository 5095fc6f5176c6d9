// sparse_wire_probe: every algorithm of sparse products on all ranks of the launch, planning, conversions and
// checks included. Prints for each rank what Traffic counted. tests/sparse/wire_test.py compares with the
// wire.
#include <mpi.h>

#include <array>
#include <cstdio>
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
    run_sparse(world, "er n=500 d=4");
    run_sparse(world, "stencil5 nx=16");
    print_traffic(world);
  }
  MPI_Finalize();
}
