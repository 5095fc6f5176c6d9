// fault_probe KIND SECONDS: ranks work together until rank 2 is gone.
//   killed   rank 2 kills itself
//   stopped  rank 2 stops itself; the watchdog of SECONDS must end the run
//   window   the same while everybody has a window, which is destroyed on the way out
//   after_finalize  handles are used and destroyed after MPI_Finalize
#include <mpi.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "comm/collectives.hpp"
#include "comm/grid.hpp"

namespace {

using namespace cairn;  // NOLINT(google-build-using-namespace): a test program

void work(comm::CommView c, int signal_number) {
  const comm::Phase phase(c.traffic(), "work");
  for (int i = 0; i < 1000000; ++i) {
    if (c.rank() == 2 && i == 100) std::raise(signal_number);
    comm::allreduce<Index>(c, i, comm::ReduceOp::sum);
  }
}

int after_finalize() {
  comm::Communicator whole = comm::Communicator::of(MPI_COMM_WORLD);
  comm::Communicator part = whole.view().split(0, 0);
  auto grid = std::make_unique<comm::ProcessGrid>(whole, comm::GridShape({whole.view().size(), 1}));
  double x = 1;
  auto window = std::make_unique<comm::Window>(whole, std::span(&x, 1));
  comm::barrier(whole);
  MPI_Finalize();
  grid.reset();
  window.reset();
  part = {};
  whole = {};
  try {
    comm::Communicator::of(MPI_COMM_WORLD);
  } catch (const ArgumentError&) {
    return 0;
  }
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const std::string kind = argc > 1 ? argv[1] : "";
  const double watchdog = argc > 2 ? std::atof(argv[2]) : 0;
  if (kind == "after_finalize") return after_finalize();
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  try {
    const comm::Communicator c = comm::Communicator::of(MPI_COMM_WORLD, {.watchdog_seconds = watchdog});
    double shown = 0;
    std::optional<comm::Window> window;
    if (kind == "window") window.emplace(c, std::span(&shown, 1));
    work(c, kind == "killed" ? SIGKILL : SIGSTOP);
  } catch (const Error& e) {
    std::fprintf(stderr, "[rank %d] %s\n", rank, e.what());
    std::fflush(stderr);
    std::this_thread::sleep_for(std::chrono::seconds(1));  // the others have something to say, too
    MPI_Abort(MPI_COMM_WORLD, 4);
  }
  MPI_Finalize();
  return 0;
}
