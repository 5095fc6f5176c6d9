// Strassen-like steps and levels as part of the one Schedule: what gemm asks of them.
#pragma once

#include "gemm/fast/local_steps.hpp"
#include "gemm/fast/steps.hpp"
#include "layout/layout.hpp"

namespace cairn::gemm::fast {

struct Steps {
  std::vector<FastStep> all;
};

bool same_steps(const Schedule& x, const Schedule& y);
Index fingerprint_of_steps(const Schedule& schedule);
std::string describe_steps(const Schedule& schedule);  // "winograd BB"
void check_in_schedule(const Schedule& schedule, Index ranks);

// The same with steps, base and levels in the compiler's words; and back. Classical schedules are those without steps.
FastSchedule fast_schedule_of(const Schedule& schedule);
Schedule schedule_of(const FastSchedule& schedule);

// Levels of Winograd's form.
std::vector<Level> winograd_levels(int count);
// The product of a brick by so many levels.
LocalProduct local_product_of(const program::Multiply& x, int levels);

// A schedule with steps for matrices that lie as its first step wants them: nothing is copied where the steps
// divide m, n and k. O(leaf blocks x ranks).
Schedule where_dealt(const Schedule& schedule);

// gemm::compile for a schedule with steps: on matrices dealt as Dealt says, or on those that are placed.
program::Program compile_steps(const Schedule& schedule, int rank, int ranks,
                               const std::array<Index, 3>& leading);

}  // namespace cairn::gemm::fast
