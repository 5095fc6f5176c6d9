// The few routines of the BLACS that the door needs, those of the BLACS in the process.
#pragma once

#include <mpi.h>

#include <span>

namespace cairn::scalapack {

// A process grid and this process in it; no rows: this process is not in the grid, or there is no such context.
struct ProcessGrid {
  int rows = 0;
  int columns = 0;
  int row = -1;
  int column = -1;

  bool has_me() const { return rows > 0 && columns > 0 && row >= 0 && column >= 0; }
  int processes() const { return rows * columns; }
  int me() const { return row * columns + column; }  // the rank in the communicator of the context
  friend bool operator==(const ProcessGrid&, const ProcessGrid&) = default;
};

ProcessGrid grid_info(int context);
// The communicator of a context, as the integer that Fortran has for it. BLACS numbers its ranks along the rows of the
// grid, whatever the order was in which the grid was filled.
int communicator_handle(int context);
// The context of all processes, which the `o` variants of the redistribution talk over.
int context_of_all();
// This process among all of them.
int process_number();

// Collective over the context: each number becomes the least that any process has there.
void least_of_all(int context, std::span<int> numbers);

// Collective over the context: the largest of numbers that are not negative.
double largest_of_all(int context, double number);

[[noreturn]] void abort_program(int context, int code);

}  // namespace cairn::scalapack
