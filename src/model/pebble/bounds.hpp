// Lower bounds for the pebble game at finite sizes, and the papers' formulas to hold against the simulator.
//
// The papers' formulas are leading terms or rest on assumptions that small sizes break; two of them are
// beaten by schedules that the simulator plays (docs/internals/pebble.md). What is called `finite` here is
// proved for every size and for every pebbling that computes no vertex twice, the multiply also with
// recomputation:
//
// Cut a game into phases of T events. An update reads an element x(i,k), an element y(k,j) and an element
// z(i,j). An element that takes part in a phase was red when it began or was loaded during it, apart from the
// cases that are made events below. So N_x + N_y + N_z <= S + T, and by Loomis and Whitney the phase makes at
// most sqrt(N_x N_y N_z) <= ((S + T) / 3)^(3/2) updates. With T = 2S that is S^(3/2). Before the first event
// nothing is red, so the first phase has S + T events.
#pragma once

#include "base/size.hpp"
#include "model/pebble/problems.hpp"

namespace cairn::model::pebble {

// The elements that `updates` read: three separate matrices, or x and y parts of the same one (Cholesky,
// where x(i,k) also serves as y(k,i), so that a phase makes up to sqrt(2) ((S + T) / 3)^(3/2) updates).
enum class Operands { separate, symmetric };

// The least number of events that `updates` need with `red` pebbles.
double least_events(double updates, double red, Operands operands = Operands::separate);

// Loads and stores of any pebbling, the larger of the phase bound and what cannot be avoided (every input
// that is read is loaded once, every computed output is stored once):
//   multiply C = AB:   least_events(mnk). Events: loads and starts of a sum, and each start ends in a store.
//   multiply C += AB:  least_events(mnk) + mn. Events: loads.
//   LU:                least_events(S2) + 2(N-1). Events: loads, and the (N-1)(N-2) times that an element is
//                      finished and may be both z and x or y of one phase; N(N-1) stores.
//   Cholesky:          least_events(S3 with i > j, symmetric) + 2N - 1; (N-1)(N-2)/2 such events, N(N+1)/2
//   stores.
//   syrk C = A A^T:    least_events(n(n-1)/2 k, symmetric) + n. Events: loads and starts of the sums with i >
//   j.
double finite_bound(const Problem& problem, Index red);

// Paper 000, theorem 1: 2mnk / sqrt(S) + mn. Counts loads and stores of C = AB, inputs included.
double multiply_paper_bound(Index m, Index n, Index k, Index red);

// Paper 002, sections 6.1 and 6.2 before the asymptotic forms, words of the busiest of P processors; the
// input is loaded. LU: |V2| / (P sqrt(M)/2) + |V1| / P with the paper's |V2| = N(N-1)(N-2)/3, |V1| = N(N-1)/2
// (the loops have N(N-1)(2N-1)/6 updates; the paper's number is smaller, so its bound is the weaker one).
// Cholesky: N(N-1)(N-2)/6 updates, N(N-1)/2 divisions, N roots.
double lu_paper_bound(Index n, Index processors, Index red);
double cholesky_paper_bound(Index n, Index processors, Index red);

// What the method of paper 002, section 3.2 gives for syrk if A(i,l) and A(j,l) are taken for different
// arrays, as its section 6.2 does: n(n-1)/2 k updates at an intensity of sqrt(M)/2. Not a bound.
double syrk_paper_bound(Index n, Index k, Index red);

// The paper's bound for `problem` on one processor.
double paper_bound(const Problem& problem, Index red);

}  // namespace cairn::model::pebble
