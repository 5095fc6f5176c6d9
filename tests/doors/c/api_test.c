// The C door, from C99, on communicators of 1, 2, 3 and all ranks: mpirun -n 5 c_api_test
#include "check.h"

static void run_on(MPI_Comm comm) {
  struct world w = {comm, NULL, 0, 0};
  cairn_context_options options = CAIRN_INIT(cairn_context_options);
  options.watchdog_seconds = 60;
  OK(cairn_context_create(comm, &options, &w.context));
  OK(cairn_context_rank(w.context, &w.rank, &w.size));
  seed_random((unsigned)w.size);
  test_basics(&w);
  test_errors(&w);
  test_layouts(&w);
  test_multiply(&w);
  test_plans(&w);
  test_factors(&w);
  test_sparse(&w);
  test_files(&w);
  test_symmetric(&w);
  OK(cairn_context_trim(w.context));
  OK(cairn_context_free(&w.context));
  CHECK(w.context == NULL);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int sizes[] = {1, 2, 3, size};
  for (int s = 0; s < 4; ++s) {
    MPI_Comm part;
    MPI_Comm_split(MPI_COMM_WORLD, world_rank < sizes[s] ? 0 : MPI_UNDEFINED, 0, &part);
    if (part == MPI_COMM_NULL) continue;
    run_on(part);
    MPI_Comm_free(&part);
  }
  int all = 0;
  MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (world_rank == 0) printf(all == 0 ? "ok\n" : "%d checks failed\n", all);
  MPI_Finalize();
  return all == 0 ? 0 : 1;
}
