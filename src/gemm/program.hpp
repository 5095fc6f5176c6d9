// A schedule compiled for one rank: a flat list of operations on places that are known before anything
// starts. The same Program is run, counted and simulated.
#pragma once

#include <variant>
#include <vector>

#include "gemm/native.hpp"

namespace cairn::gemm {

// An element of the user's A, B or C on this rank, or of the work buffer.
struct Location {
  enum class Space : std::uint8_t { a, b, c, work };
  Space space = Space::work;
  Index offset = 0;

  static Location user(Matrix x, Index offset) { return {static_cast<Space>(x), offset}; }
  static Location work(Index offset) { return {Space::work, offset}; }
  friend bool operator==(const Location&, const Location&) = default;
};

// Slices along the fibre that misses the matrix -> face, (1 - 1/p) of its words.
struct Gather {
  Matrix matrix = Matrix::a;
  Location from;  // my slice
  Location to;    // the face
  comm::Partition slices;
};

// Sum of the fibre's C faces -> slices.
struct Combine {
  Location from;  // my face
  Location to;    // my slice
  comm::Partition slices;
};

// c := alpha op(a) op(b) + factor c.
struct Multiply {
  enum class Factor : std::uint8_t { beta, zero, one };
  Index m = 0, n = 0, k = 0;
  Location a, b, c;
  Index lda = 1, ldb = 1, ldc = 1;
  Factor factor = Factor::zero;
};

struct Scale {  // c := beta c
  Location c;
  Index count = 0;
};
struct Clear {  // c := 0
  Location c;
  Index count = 0;
};
struct AddScaled {  // to := to + beta from
  Location from, to;
  Index count = 0;
};

struct Operation {
  std::variant<Gather, Combine, Multiply, Scale, Clear, AddScaled> action;
  Index round = 0;
  // Communication that must be over before this starts: indices of operations. Everything else is done in
  // order; communication is started in order, and over at the end of the Program at the latest.
  std::array<int, 3> waits{none, none, none};

  static constexpr int none = -1;
};

struct Program {
  Schedule schedule;
  int rank = 0;
  Coordinates at;
  bool idle = false;                    // beyond the grid
  std::array<Index, 3> local_counts{};  // elements of the user's A, B, C on this rank
  Index work_count = 0;                 // elements of the work buffer, the same on all ranks of the grid
  std::vector<Operation> operations;

  Index local_count(Matrix x) const { return local_counts[index(x)]; }
};

// The Program of one rank. Pure; O(rounds). Throws ArgumentError for a schedule that does not pass check().
Program compile(const Schedule& schedule, int rank);

// Elements of the work buffer: the faces of the longest parts, with their slots.
Index work_count(const Schedule& schedule);

}  // namespace cairn::gemm
