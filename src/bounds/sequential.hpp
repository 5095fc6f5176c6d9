// Classical multiplication on one processor with S words of fast memory: paper 000 ("Red-Blue Pebbling
// Revisited"), section 5. Words are loads plus stores.
#pragma once

#include "bounds/product.hpp"

namespace cairn::bounds::sequential {

// 2 mnk / sqrt(S) + mn: paper 000, Theorem 1, as printed. The theorem's additive mn is not a bound when k is
// short: for k < 2 sqrt(S) a schedule that keeps A in fast memory and streams B and C needs about
// mnk k / S + mn. With m = n = 4, k = 1, S = 3 the formula says 34.5 and a schedule with 33 exists (tested).
// Use `floor` where a number must not be beaten.
double theorem1(const Product& p, double memory);

// mk + kn + mn: every input is loaded and every output stored at least once.
double compulsory(const Product& p);

// 2 V / sqrt(S) - 2S for V voxels, 0 where that is negative: Smith and van de Geijn, as quoted in paper 000,
// section 5. Counts the first load of C too. `floor` has more.
double smith_van_de_geijn(double voxels, double memory);

// The larger of compulsory and least_events_smooth: for all sizes, also if products are computed twice. C = A
// B, where a sum starts without a load (docs/internals/pebble.md has the proof).
double floor(const Product& p, double memory);

// The side of the tile of C in Listing 1, the largest integer a with a^2 + 2a <= S, that is
// floor(sqrt(S + 1)) - 1. A strict pebble game needs a^2 + a + 2 <= S, which is weaker from a = 2 on.
Index listing1_tile(Index memory);

// Loads and stores of Listing 1 with that tile, counted exactly, edges included:
// k (m ceil(n/a) + n ceil(m/a)) + mn. Messages are left 0; memory is a^2 + 2a.
Cost listing1(const Product& p, Index memory);

// 2 mnk / (sqrt(S + 1) - 1) + mn: paper 000, section 5.1, where no division leaves a rest.
double listing1_smooth(const Product& p, double memory);

// sqrt(S) / (sqrt(S + 1) - 1): how far Listing 1's leading term is above Theorem 1's. Section 5.1.
double listing1_factor(double memory);

}  // namespace cairn::bounds::sequential
