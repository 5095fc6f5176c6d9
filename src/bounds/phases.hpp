// The argument by phases that the bounds for finite sizes rest on.
//
// An update z(i,j) += x(i,k) y(k,j) reads three elements. Cut a run with S words of fast memory into phases
// of T events. If each element that takes part in a phase was in fast memory when it began, or belongs to an
// event of it, then N_x + N_y + N_z <= S + T, and by Loomis and Whitney the phase makes at most
// sqrt(N_x N_y N_z) <= ((S + T) / 3)^(3/2) updates. With T = 2S that is S^(3/2). Nothing is in fast memory
// before the first event, so the first phase has S + T events. What the events are, kernel by kernel, is in
// model/pebble/bounds.hpp; for C = A B they are loads and starts of a sum, each of which ends in a store.
#pragma once

namespace cairn::bounds {

// The elements that `updates` read: three separate matrices, or x and y parts of the same one (Cholesky,
// syrk, where x(i,k) also serves as y(k,i), so that a phase makes up to sqrt(2) ((S + T) / 3)^(3/2) updates).
enum class Operands { separate, symmetric };

// The least number of events that `updates` need with `memory` words.
double least_events(double updates, double memory, Operands operands = Operands::separate);

// A closed form that is at most 0.385 S lower, S = memory, for separate operands and V = updates:
//   V < S^(3/2)   3 V^(2/3)
//   otherwise     2V / sqrt(S) + (1 - 2/3^(3/2)) S
// The last term is the least that the rounding of V to whole phases leaves, at a rest of (S/3)^(3/2).
double least_events_smooth(double updates, double memory);

// Less than one phase: the memory is not a limit.
bool one_phase(double updates, double memory);

}  // namespace cairn::bounds
