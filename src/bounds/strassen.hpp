// Strassen's algorithm: its flops, its lower bounds, and CAPS, the parallel algorithm that attains them.
// Paper 001 ("Communication-Optimal Parallel Algorithm for Strassen's Matrix Multiplication"), sections 2.4,
// 3 and appendix A. n is the side of square matrices; it is a real number because the recursion halves it.
#pragma once

#include <span>

#include "bounds/cost.hpp"

namespace cairn::bounds::strassen {

inline constexpr double omega0 = 2.807354922057604107;  // log2(7)

// Additions of one step: Strassen's 18 or Winograd's 15 (appendix A).
struct Variant {
  double additions = 18;
};
inline constexpr Variant original{18};
inline constexpr Variant winograd{15};

// One-processor Strassen, classical (2 c^3 - c^2 flops) from side `cutoff` on.
struct Local {
  Variant variant = original;
  double cutoff = 8;
};

// c_s in F(n) = c_s n^omega0 - (additions/3) n^2: (2c - 1 + additions/3) / c^(omega0 - 2) for cutoff c. The
// paper gives (2c + 4) / c^(omega0 - 2) for Winograd, least at c = 8: 3.73.
double leading_constant(const Local& local);
double local_flops(double n, const Local& local);

// Lower bounds, with the constant 1 that the paper's Omega leaves open. Words of Theorem 2.1
// (memory-dependent): (n / sqrt(M))^omega0 M / P; messages: the same over M.
Cost memory_dependent_bound(double n, Index ranks, double memory);
// Theorem 2.2 (memory-independent): words n^2 / P^(2/omega0), messages 1.
Cost memory_independent_bound(double n, Index ranks);
// The larger of both; flops n^omega0 / P.
Cost lower_bound(double n, Index ranks, double memory);

// CAPS. Words and messages are sent PLUS received, as section 3.3.3 counts them (6 messages out and 6 in for
// each of S, T and Q: 36 a step). The wire carries half of it: see on_the_wire.
enum class Step { bfs, dfs };

constexpr Cost on_the_wire(const Cost& caps) {
  return {caps.words / 2, caps.messages / 2, caps.flops, caps.memory};
}

// The recurrences of sections 3.3 and 3.4 unrolled for any interleaving; P must be 7^(number of BFS steps).
//   BFS:  W(n,P) = 36 n^2/(4P) + W(n/2,P/7)   L = 36 + L(n/2,P/7)   F = additions n^2/(4P) + F(n/2,P/7)
//   DFS:  W(n,P) = 7 W(n/2,P)                 L = 7 L(n/2,P)        F = additions n^2/(4P) + 7 F(n/2,P)
//   both: memory 3n^2/P + that of one subproblem
Cost caps(double n, Index ranks, std::span<const Step> steps, const Local& local = {});

// All BFS, section 3.3 and eq. (1): words 12n^2/P^(2/omega0) - 12n^2/P, messages 36 log7(P), memory
// 7n^2/P^(2/omega0) - 4n^2/P, flops (c_s n^omega0 - (additions/3) n^2) / P. P a power of 7.
Cost caps_unlimited(double n, Index ranks, const Local& local = {});

// l of eq. (3): max{0, ceil(log2(4n / (P^(1/omega0) sqrt(M))))}. Enough for any M that satisfies eq. (2),
// 3n^2/P <= M/3; other M are refused.
Index caps_dfs_steps(double n, Index ranks, double memory);

// l DFS steps, then all BFS, section 3.4: words and messages 7^l times those of caps_unlimited(n / 2^l).
Cost caps_limited(double n, Index ranks, double memory, const Local& local = {});

// The upper bounds of eq. (4): words 12 4^(omega0-2) n^omega0 / (P M^(omega0/2-1)), messages
// 36 (4n)^omega0 / (P M^(omega0/2)) log7(P). They leave out that l is rounded up, which can cost a factor of
// 7/4 in words and 7 in messages; these factors are included here.
Cost caps_limited_ceiling(double n, Index ranks, double memory);

}  // namespace cairn::bounds::strassen
