#include <mpi.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>

// MPI's plugins stay loaded to the end: otherwise nobody knows whose leak it is.
extern "C" int dlclose(void*) noexcept { return 0; }
#endif

#include "support/mpi_test.hpp"

// A program of the tests may ask for less: then multiplies overlap without a thread of their own.
#ifndef CAIRN_TEST_THREADS
#define CAIRN_TEST_THREADS MPI_THREAD_SERIALIZED
#endif

// What MPI allocates while it starts and never frees is no leak of ours.
static void start_mpi(int* argc, char*** argv) {
#ifdef __SANITIZE_ADDRESS__
  const __lsan::ScopedDisabler unseen;
#endif
  int provided = 0;
  MPI_Init_thread(argc, argv, CAIRN_TEST_THREADS, &provided);
}

int main(int argc, char** argv) {
  start_mpi(&argc, &argv);
  testing::InitGoogleTest(&argc, argv);
  cairn::test::install_listeners();
  cairn::test::world();
  int failed = RUN_ALL_TESTS();
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return failed;
}
