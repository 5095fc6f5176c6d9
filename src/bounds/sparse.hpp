// C = A B for n x n random matrices in which each entry is nonzero with probability d/n (Erdos-Renyi), on P
// ranks: paper 004 ("Communication Optimal Parallel Multiplication of Sparse Random Matrices"). A word is one
// nonzero. The paper states orders of growth; the expectations with constants are derived here from its
// algorithms (section 4) and are exact for such matrices, for one copy of the inputs spread evenly.
#pragma once

#include "bounds/cost.hpp"

namespace cairn::bounds::sparse {

struct Random {
  Index n = 0;
  double d = 0;  // nonzeros a row on average
  Index ranks = 1;
};

// Lemma 2.2, expected: nonzeros of A (or B) dn, scalar products d^2 n, nonzeros of C
// n^2 (1 - (1 - d^2/n^2)^n), which is d^2 n (1 - o(1)).
double nonzeros(const Random& x);
double products(const Random& x);
double nonzeros_of_c(const Random& x);

// Theorem 3.1 with the constant 1 that its Omega leaves open: min{dn / sqrt(P), d^2 n / P}; messages 1.
Cost lower_bound(const Random& x);

// The same with the constants of its proof: the least of d^2 n/(4P) (case 1), (1 - 1/e) dn/sqrt(24P) - dn/P
// (case 2a) and d^2 n/(12P) - dn/P (cases 2b, 2c), where dn/P is what the rank holds; not below 0. More than
// 0 needs d > 12 and P > 60.
double lower_bound_with_constants(const Random& x);

// Eq. (1), the bound before that paper: d^2 n / (P sqrt(M)).
double previous_lower_bound(const Random& x, double memory);

// Expected words received, messages as in Table 1 (orders).
Cost naive_block_row(const Random& x);  // 4.1.1: (P-1)/P dn; P - 1 shifts
Cost improved_block_row(
    const Random& x);                 // 4.1.2: d (n - n/P) (1 - (1 - d/n)^(n/P)), the rows of B that are hit
Cost outer_product(const Random& x);  // 4.1.3: (1 - 1/P) n^2 (1 - (1 - d^2/n^2)^(n/P))
Cost summa(const Random& x);          // 4.2: 2 (1 - 1/sqrt(P)) dn/sqrt(P)

// 4.3, c layers of sqrt(P/c) x sqrt(P/c): the inputs all-to-all among c ranks, 2 (1 - 1/c) dn/P; gathered,
// 2 (1 - sqrt(c/P)) dn/sqrt(Pc); C all-to-all, (1 - 1/c) (c n^2/P) (1 - (1 - d^2/n^2)^(n/c)).
Cost iterative(const Random& x, double layers);

// 4.3.6: max{1, P/d^2}, at most P. (The paper prints min{1, P/d^2}, against its own reasoning.)
double balanced_layers(const Random& x);

// 4.4, P a power of 4. The recursion on m x k x m with P ranks takes the cheaper of
//   split m in two:  2 d m k / (nP) words (A and B gathered in pairs), then (m/2, k, P/4)
//   split k in four: 3/4 d^2 m^2 k / (n^2 P) words (C all-to-all in fours), then (m, k/4, P/4)
// where products that meet in one entry of C are counted apart. recursive_unrolled follows it; recursive is
// its closed form: 2dn/P (2^s - 1) + (log4(P) - s) 3/4 d^2 n/P, with s = min{log4(P), splits of m that are
// cheaper: the i = 0, 1, .. with 2^(i+1) <= 3d/4}.
Cost recursive_unrolled(const Random& x);
Cost recursive(const Random& x);

}  // namespace cairn::bounds::sparse
