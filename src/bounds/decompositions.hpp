// The four parallel decompositions of the classical product that paper 000 ("Red-Blue Pebbling Revisited")
// compares in its Table 2. Words are the faces of a rank's brick, 2ab + a^2: those it owns at the start are
// included, `owned_inputs` says how many they are. Messages are the paper's latency cost L.
#pragma once

#include "bounds/classical.hpp"

namespace cairn::bounds::classical {

// (mk + kn) / P: the inputs a rank holds before it starts. The second special case of Table 2 leaves them out
// for the recursive and the COSMA column, and nowhere else.
double owned_inputs(const Product& p, Index ranks);

// Grid [sqrt(P), sqrt(P), 1]: words k(m+n)/sqrt(P) + mn/P, messages 2k log2(sqrt(P)). Table 2, column 2D.
Cost grid_2d(const Product& p, Index ranks);

// c = PS / (mk + kn), held to 1 <= c <= P. Section 2.4.
double layers_25d(const Product& p, Index ranks, double memory);

// Grid [sqrt(P/c), sqrt(P/c), c]: words k(m+n)/sqrt(Pc) + mnc/P, in rounds that fill the memory that the face
// of C leaves: k(m+n)/sqrt(Pc) / (S - mnc/P), plus 3 log2(c) messages. With c = PS/(mk+kn) this is Table 2,
// column 2.5D; the extracted text has lost a plus sign in its latency, whose last factor is km + kn - mn.
// Messages are infinite where the face of C fills the memory. c = P^(1/3) is the 3D algorithm.
Cost grid_25d(const Product& p, Index ranks, double memory, double layers);
Cost grid_25d(const Product& p, Index ranks, double memory);

// Bricks near to cubes of side a_c = min{V^(1/3), sqrt(S/3)} (section 6.2): words 2V/a_c + V^(2/3), that is
// 2 max{sqrt(3) V/sqrt(S), V^(2/3)} + V^(2/3); messages 3^(3/2) V / S^(3/2) + 3 log2(P). Table 2 prints min
// where a_c makes it max; its own special case "limited memory" has the max.
Cost recursive(const Product& p, Index ranks, double memory);

// The recursion itself: halve the largest dimension log2(P) times, k before n before m among equals; words
// are the faces of the brick that is left. P a power of two.
Cost recursive_exact(const Product& p, Index ranks);

// The optimal domain of eq. (4) in rounds that fill the memory: words as in io_lower_bound, messages
// 2ab / (S - a^2) log2(mn / a^2). For the messages a is at most sqrt(S + 1) - 1: at a = sqrt(S), where Table
// 2 is evaluated by the paper's eq. (4), no room is left for a column and the printed latency is infinite.
Cost cosma(const Product& p, Index ranks, double memory);

// Side of the domain that `cosma` counts messages with.
double feasible_side(const Product& p, Index ranks, double memory);

}  // namespace cairn::bounds::classical
