// Lower bounds for the pebble game at finite sizes, and the papers' formulas to compare with the simulator.
//
// The papers' formulas are leading terms or rest on assumptions that small sizes break; two of them are
// beaten by schedules that the simulator plays (docs/internals/pebble.md). What is called `finite` here is
// proved for every size and for every pebbling that computes no vertex twice, the multiply also with
// recomputation, by the argument of model/phases.hpp.
#pragma once

#include "base/size.hpp"
#include "pebble/problems.hpp"

namespace cairn::pebble {

// Loads and stores of any pebbling, the larger of the phase bound and what cannot be avoided (every input
// that is read is loaded once, every computed output is stored once):
//   multiply C = AB:   least_events(mnk). Events: loads and starts of a sum, and each start ends in a store.
//   multiply C += AB:  least_events(mnk) + mn. Events: loads.
//   LU:                least_events(S2) + 2(N-1). Events: loads, and the (N-1)(N-2) times that an element is
//                      finished and may be both z and x or y of one phase; N(N-1) stores.
//   Cholesky:          least_events(S3 with i > j, symmetric) + 2N - 1; (N-1)(N-2)/2 such events, N(N+1)/2
//                      stores.
//   syrk C = A A^T:    least_events(n(n-1)/2 k, symmetric) + n. Events: loads and starts of the sums with
//                      i > j.
double finite_bound(const Problem& problem, Index red);

// Words of the busiest of `ranks` processors, Account::words, each with `red` pebbles: the least that the
// processor with the most updates needs for V / P of them (received + starts + finishes, and it sends or
// stores what it starts or finishes), what cannot be avoided over P, and for a multiply the faces it touches.
// For one processor it is finite_bound.
double busiest_bound(const Problem& problem, Index ranks, Index red);

// What the method of paper 002, section 3.2 gives for syrk if A(i,l) and A(j,l) are taken for different
// arrays, as its section 6.2 does: n(n-1)/2 k updates at an intensity of sqrt(M)/2. Not a bound.
double syrk_paper_bound(Index n, Index k, Index red);

// The paper's formula for `problem`: sequential::theorem1, on several ranks classical::io_lower_bound
// (Theorem 2); factor::lu_lower_bound, factor::cholesky_lower_bound (the printed one), syrk_paper_bound / P.
double paper_bound(const Problem& problem, Index red, Index ranks = 1);

}  // namespace cairn::pebble
