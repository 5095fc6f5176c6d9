// Lower bounds of the classical product on P ranks, and the domain that attains them: paper 000 ("Red-Blue
// Pebbling Revisited"), section 6.3, and the memory-independent bound in its three cases.
#pragma once

#include "bounds/product.hpp"

namespace cairn::bounds::classical {

// A rank's brick [a x a x b]: b outer products of vectors of length a. Real numbers: grids are fitted later.
struct Domain {
  double a = 0;
  double b = 0;
};

// Paper 000, eq. (4): a = min{sqrt(S), (mnk/P)^(1/3)}, b = mnk / (P a^2).
Domain optimal_domain(const Product& p, Index ranks, double memory);

// 2ab + a^2, the faces of the domain: what eq. (3) trades against its volume.
double domain_words(const Domain& domain);

// Words that enter or leave a rank, those it owns included: paper 000, Theorem 2, that is eq. (4) put into
// 2ab + a^2. Eq. (5) prints min{2V/sqrt(S) + S, 3V^(2/3)}, V = mnk/P; that min is always its second term,
// because 2V/a + a^2 has its minimum 3V^(2/3) at a = V^(1/3). The first term holds while S < V^(2/3), the
// second from there on.
double io_lower_bound(const Product& p, Index ranks, double memory);

// Which faces are large enough for a brick to be cut in one, two or three dimensions.
enum class Cut { one, two, three };

struct FacesBound {
  Cut cut = Cut::three;
  double touched = 0;  // words of A, B and C that some rank touches at least
  double owned = 0;    // of them, what one copy of A, B and C spread evenly gives it: (mk + kn + mn) / P
  double words() const { return touched - owned; }  // what it must receive or send
};

// For any memory. With d1 >= d2 >= d3 the sizes m, n, k in order, the least x + y + z with
// x y z >= (mnk/P)^2 (Loomis-Whitney) and each face at least its share: x >= d1 d2 / P, y >= d1 d3 / P,
// z >= d2 d3 / P. The largest face d1 d2 is the first to sit on its limit:
//   P <= d1 / d2                 (d1 d2 + d1 d3) / P + d2 d3
//   d1 / d2 <= P <= d1 d2 / d3^2  d1 d2 / P + 2 sqrt(d1 d2 d3^2 / P)
//   beyond                       3 (mnk / P)^(2/3)
FacesBound memory_independent(const Product& p, Index ranks);

// Words some rank must receive or send, one copy of the matrices spread evenly before and after: the larger
// of memory_independent and Theorem 2 less the owned words. Theorem 2 compares bricks [a x a x b].
double words_lower_bound(const Product& p, Index ranks, double memory);

// For a rank that does its voxels in any order, at most 0.385 S less: the larger of memory_independent and
// least_events_smooth(V) less the owned words. A word of A or B that enters a rank is an event, and so is the
// start of a sum, which leaves it as a partial or final element of C unless it owns that.
double proven_words_lower_bound(const Product& p, Index ranks, double memory);

// Paper 000, section 6.3, "I/O-latency trade-off": the domain with side a, in rounds of h outer products with
// a^2 + 2ah = S. words = 2V/a + a^2, messages = L = b/h = 2V / (a (S - a^2)). No larger a than
// sqrt(S + 1) - 1, where h = 1. L falls until a = sqrt(S/3) and rises after it (the paper says only "rises").
Cost trade_off(const Product& p, Index ranks, double memory, double a);

// sqrt(S/3): the side with the fewest rounds. Below it both words and rounds get worse.
double fewest_rounds_side(double memory);

}  // namespace cairn::bounds::classical
