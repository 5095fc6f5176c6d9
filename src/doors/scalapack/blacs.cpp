#include "doors/scalapack/blacs.hpp"

#include <cstdlib>

#include "doors/scalapack/original.hpp"

namespace cairn::scalapack {
namespace {

// Each routine is looked for once.
template <class... Arguments>
void blacs(void* routine, Arguments... arguments) {
  if (routine == nullptr) std::abort();  // a context without BLACS cannot be
  call_original(routine, arguments...);
}

}  // namespace

ProcessGrid grid_info(int context) {
  static void* const routine = find_original("blacs_gridinfo");
  ProcessGrid grid;
  if (routine == nullptr || context < 0) return grid;
  blacs(routine, &context, &grid.rows, &grid.columns, &grid.row, &grid.column);
  return grid;
}

int communicator_handle(int context) {
  static void* const routine = find_original("blacs_get");
  int what = 10, handle = 0;  // 10: the communicator that the context was made on
  blacs(routine, &context, &what, &handle);
  return handle;
}

int context_of_all() {
  static void* const routine = find_original("blacs_get");
  static void* const init = find_original("blacs_gridinit");
  static void* const info = find_original("blacs_pinfo");
  int none = 0, what = 0, context = 0, me = 0, processes = 0, one = 1;
  blacs(info, &me, &processes);
  blacs(routine, &none, &what, &context);
  blacs(init, &context, "Row", &one, &processes, 3L);
  return context;
}

int process_number() {
  static void* const routine = find_original("blacs_pinfo");
  int me = 0, processes = 0;
  if (routine != nullptr) blacs(routine, &me, &processes);
  return me;
}

void least_of_all(int context, std::span<int> numbers) {
  static void* const routine = find_original("igamn2d");
  int count = static_cast<int>(numbers.size()), one = 1, no_places = -1, everybody = -1, place = 0;
  blacs(routine, &context, "All", " ", &count, &one, numbers.data(), &count, &place, &place, &no_places,
        &everybody, &everybody, 3L, 1L);
}

double largest_of_all(int context, double number) {
  static void* const routine = find_original("dgamx2d");
  int one = 1, no_places = -1, everybody = -1, place = 0;
  blacs(routine, &context, "All", " ", &one, &one, &number, &one, &place, &place, &no_places, &everybody,
        &everybody, 3L, 1L);
  return number;
}

void abort_program(int context, int code) {
  static void* const routine = find_original("blacs_abort");
  blacs(routine, &context, &code);
  std::abort();
}

}  // namespace cairn::scalapack
