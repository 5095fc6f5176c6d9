#include <mpi.h>

#include "support/mpi_test.hpp"

// A program of the tests may ask for less: then multiplies overlap without a thread of their own.
#ifndef CAIRN_TEST_THREADS
#define CAIRN_TEST_THREADS MPI_THREAD_SERIALIZED
#endif

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, CAIRN_TEST_THREADS, &provided);
  testing::InitGoogleTest(&argc, argv);
  cairn::test::install_listeners();
  cairn::test::world();
  int failed = RUN_ALL_TESTS();
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return failed;
}
