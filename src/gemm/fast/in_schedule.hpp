// Strassen-like steps and levels as part of the one Schedule: what gemm asks of them.
#pragma once

#include "gemm/fast/local_steps.hpp"
#include "gemm/fast/steps.hpp"
#include "layout/layout.hpp"

namespace cairn::gemm::fast {

// Rows, columns or part of k that the steps do not divide, peeled off: a thin classical product of parts of the same
// placed matrices, which begin at row, column and k `first`. Its beta is 1 where that is not the first k: it adds to
// what the steps made.
struct Rest {
  std::array<Index, 3> first{};  // by dimension; the sizes are those of the schedule's problem
  Schedule schedule;
};

struct Steps {
  std::vector<FastStep> all;
  std::vector<Rest> rests = {};  // none: the blocks are padded by zeros
};

// What the steps divide: the parts of all steps together go into m, n and k so often.
Problem core_of(const Problem& problem, std::span<const FastStep> steps);
// A part of a product of placed matrices, from there on and of that size: A, B and C where they are.
std::array<layout::Layout, 3> parts_of(const std::array<layout::Layout, 3>& matrices, const Problem& part,
                                       const std::array<Index, 3>& first);

bool same_steps(const Schedule& x, const Schedule& y);
Index fingerprint_of_steps(const Schedule& schedule);
std::string describe_steps(const Schedule& schedule);  // "winograd BB"
void check_in_schedule(const Schedule& schedule, Index ranks);

// The same with steps, base and levels in the compiler's words, of the whole product, whether padded or peeled; and
// back. Classical schedules are those without steps.
FastSchedule fast_schedule_of(const Schedule& schedule);
Schedule schedule_of(const FastSchedule& schedule);

// Levels of Winograd's form.
std::vector<Level> winograd_levels(int count);
// The product of a brick by this many levels.
LocalProduct local_product_of(const program::Multiply& x, int levels);

// A schedule with steps for matrices that lie as its first step wants them: nothing is copied where the steps
// divide m, n and k. O(leaf blocks x ranks).
Schedule where_dealt(const Schedule& schedule);

// gemm::compile for a schedule with steps: on matrices dealt as Dealt says, or on those that are placed.
program::Program compile_steps(const Schedule& schedule, int rank, int ranks,
                               const std::array<Index, 3>& leading);

}  // namespace cairn::gemm::fast
