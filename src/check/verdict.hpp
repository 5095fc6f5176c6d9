// What a check found, and the words for it: the same for every operation.
#pragma once

#include <string>
#include <string_view>

#include "cairn/verification.hpp"
#include "comm/communicator.hpp"

namespace cairn::check {

using Verdict = Verification;

enum class Outcome : std::uint8_t {
  right,    // all rows
  partly,   // those that could be checked
  unknown,  // none could be checked
  wrong
};
Outcome outcome(const Verdict& verdict);
std::string_view word(Outcome outcome);  // "right", "partly right", "NOT CHECKED", "WRONG"

// One more row: |what is there - what should be there|, and what rounding explains.
void compare_row(Verdict& verdict, Index row, double residual, double tolerance);
// One more row that may be anything.
void skip_row(Verdict& verdict);

// Collective. Each rank has compared other rows: what is true of all of them, on every rank.
Verdict worst_of_all(comm::CommView comm, Verdict mine);

// "row 17 of C differs by 0.3, rounding explains 1e-12"
std::string describe(const Verdict& verdict, std::string_view result = "C");
// Throws ResultError with that unless the result is right, or those rows of it that could be checked are.
void require_right(const Verdict& verdict, std::string_view operation);

}  // namespace cairn::check
