// The rows of Table 1 of paper 004 ("Communication Optimal Parallel Multiplication of Sparse Random
// Matrices"): orders of growth, evaluated with constant 1 and log2. The rows marked with a star there name
// the better of two all-to-all algorithms for words and for messages; no one algorithm has both
// (section 2.2).
#pragma once

#include "bounds/sparse.hpp"

namespace cairn::bounds::sparse::table1 {

Cost previous_bound(const Random& x, double memory);  // d^2 n / (P sqrt(M)), 0 messages
Cost bound(const Random& x);                          // min{dn/sqrt(P), d^2 n/P}, 1
Cost naive_block_row(const Random& x);                // dn, P
Cost improved_block_row(const Random& x);             // d^2 n/P, min{log P, dn/P}
Cost outer_product(const Random& x);                  // d^2 n/P, log P
Cost summa(const Random& x);                          // dn/sqrt(P), sqrt(P)
// dn/sqrt(P), log P max{1, dn/(M sqrt(P))}: gathered at once if it fits, else in as many parts as it takes.
// The extracted text has lost what stands around the second factor; section 4.2.2 gives log P for enough
// memory.
Cost improved_summa(const Random& x, double memory);
Cost iterative(const Random& x);  // min{dn/sqrt(P), d^2 n/P}, log P
Cost recursive(const Random& x);  // min{dn/sqrt(P), d^2 n/P ceil(log(P/d^2))}, log P

}  // namespace cairn::bounds::sparse::table1
