// Two threads with a communicator each, under MPI_THREAD_MULTIPLE; and ten thousand contexts, one after the other,
// that leave nothing behind. mpirun -n 2 c_threads_test
#include <pthread.h>
#include <unistd.h>

#include "check.h"

static void* multiply_often(void* argument) {
  const struct world* w = argument;
  const struct filling fa = {CAIRN_F64, 1, 0, 0}, fb = {CAIRN_F64, 2, 0, 0};
  cairn_layout_t layout = NULL;
  cairn_matrix_t a = NULL, b = NULL, c = NULL;
  cairn_verification verification = CAIRN_INIT(cairn_verification);
  struct filling f = fa, g = fb;
  cairn_status bad = cairn_layout_row_blocks(40, 40, w->size, &layout);
  bad |= cairn_matrix_create(w->context, CAIRN_F64, layout, &a);
  bad |= cairn_matrix_create(w->context, CAIRN_F64, layout, &b);
  bad |= cairn_matrix_create(w->context, CAIRN_F64, layout, &c);
  bad |= cairn_matrix_for_each(a, fill_element, &f);
  bad |= cairn_matrix_for_each(b, fill_element, &g);
  for (int i = 0; i < 50; ++i) bad |= cairn_multiply(NULL, i % 3, a, 0, b, NULL, c, NULL, NULL, NULL);
  bad |= cairn_verify(NULL, 49 % 3, a, 0, b, c, 2, &verification);
  // The text of an error belongs to the thread that made it.
  const int wrong =
      cairn_layout_shape(NULL, NULL, NULL) == CAIRN_SUCCESS || strstr(cairn_last_error(), "null") == NULL;
  bad |= cairn_matrix_free(&a) | cairn_matrix_free(&b) | cairn_matrix_free(&c) | cairn_layout_free(&layout);
  return (void*)(size_t)(bad != CAIRN_SUCCESS || wrong || !verification.passed);
}

static void test_threads(void) {
  struct world worlds[2];
  pthread_t threads[2];
  for (int t = 0; t < 2; ++t) {
    MPI_Comm_dup(MPI_COMM_WORLD, &worlds[t].comm);
    OK(cairn_context_create(worlds[t].comm, NULL, &worlds[t].context));
    OK(cairn_context_rank(worlds[t].context, &worlds[t].rank, &worlds[t].size));
  }
  for (int t = 0; t < 2; ++t) pthread_create(&threads[t], NULL, multiply_often, &worlds[t]);
  for (int t = 0; t < 2; ++t) {
    void* bad = NULL;
    pthread_join(threads[t], &bad);
    CHECK(bad == NULL);
    OK(cairn_context_free(&worlds[t].context));
    MPI_Comm_free(&worlds[t].comm);
  }
}

static long resident_pages(void) {
  long size = 0, resident = 0;
  FILE* file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%ld %ld", &size, &resident) != 2) resident = 0;
  if (file != NULL) fclose(file);
  return resident;
}

static void make_contexts(int count) {
  for (int i = 0; i < count; ++i) {
    cairn_context_t context = NULL;
    if (cairn_context_create(MPI_COMM_SELF, NULL, &context) != CAIRN_SUCCESS ||
        cairn_context_free(&context) != CAIRN_SUCCESS) {
      CHECK(!"a context");
      return;
    }
  }
}

// The same on a communicator of its own each: what is kept for it goes with it.
static void make_communicators(int count) {
  for (int i = 0; i < count; ++i) {
    MPI_Comm comm;
    cairn_context_t context = NULL;
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    OK(cairn_context_create(comm, NULL, &context));
    OK(cairn_context_free(&context));
    MPI_Comm_free(&comm);
  }
}

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  if (provided == MPI_THREAD_MULTIPLE) test_threads();
  make_contexts(1000);
  make_communicators(100);
  const long before = resident_pages();
  make_contexts(10000);
  make_communicators(400);
  CHECK((resident_pages() - before) * sysconf(_SC_PAGESIZE) < 1 << 20);
  int all = 0;
  MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (world_rank == 0)
    printf(all == 0 ? "ok%s\n" : "%s: failed\n", provided == MPI_THREAD_MULTIPLE ? "" : ", no threads");
  MPI_Finalize();
  return all == 0 ? 0 : 1;
}
