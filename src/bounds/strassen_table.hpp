// The rows of Table 1 of paper 001 ("Communication-Optimal Parallel Algorithm for Strassen's Matrix
// Multiplication") and the ratios of its section 4 and appendix B. All of them are orders of growth,
// evaluated with constant 1 and log2: good for comparing rows, not for predicting a run. n x n matrices, P
// ranks, M words each, l Strassen steps.
#pragma once

#include "bounds/strassen.hpp"

namespace cairn::bounds::strassen::table1 {

struct Arguments {
  double n = 0;
  Index ranks = 1;
  double memory = 0;
  double steps = 0;  // l, for the rows that take Strassen steps before a classical algorithm
};

Cost classical_bound(const Arguments& x);  // words max{n^3/(P M^(1/2)), n^2/P^(2/3)}
Cost classical_2d(const Arguments& x);
Cost classical_3d(const Arguments& x);
Cost classical_25d(const Arguments& x);
Cost strassen_bound(const Arguments& x);       // as strassen::lower_bound
Cost strassen_within_2d(const Arguments& x);   // "2D-Strassen": 2D between ranks, Strassen inside
Cost strassen_before_2d(const Arguments& x);   // "Strassen-2D": l DFS steps, then 2D
Cost strassen_within_25d(const Arguments& x);  // "2.5D-Strassen"
Cost strassen_before_25d(const Arguments& x);  // "Strassen-2.5D"
Cost caps(const Arguments& x);

// l_opt of section 4.5: max{0, ceil(log2(n / (M^(1/2) P^(1/3))))}.
Index printed_best_steps(double n, Index ranks, double memory);
// The l with the fewest words of strassen_before_25d. Rounding up costs up to 7/4, rounding down at most 8/7:
// the paper's choice is the better one only for a fraction above 0.81.
Index best_steps(double n, Index ranks, double memory);

// Appendix B: classical bound over Strassen bound, in words. `dependent` means both bounds depend on M,
// `mixed` only the classical one, `independent` none. (The appendix prints M = O(P^(2/3)) for the last, where
// M = Omega(n^2/P^(2/3)) is meant.)
enum class MemoryCase { dependent, mixed, independent };
struct Ratio {
  MemoryCase memory_case = MemoryCase::dependent;
  double value = 1;
  double least = 1;  // over the M of this case with PM >= n^2
  double most = 1;
};
Ratio classical_over_strassen(double n, Index ranks, double memory);

}  // namespace cairn::bounds::strassen::table1
