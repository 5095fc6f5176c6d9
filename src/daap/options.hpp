// What the analysis assumes where the paper's method leaves a choice.
#pragma once

namespace cairn::daap {

// Two inputs A[i,k], A[j,k] of one statement may reach the same vertices (SYRK, Cholesky).
enum class Overlap {
  disjoint,  // count both in full, as section 6.2 does for Cholesky; the analysis says so in a note
  shared,    // count a p-th of each of p such inputs: |A u B| >= max >= mean, which always holds
};

// An input that an earlier statement S computes with intensity rho_S > 1.
enum class OutputReuse {
  corollary,  // Corollary 1: at least |B(D)| / rho_S of its vertices are in any dominator set
  free,       // nothing is counted: recomputation may be free; always holds
};

struct Options {
  Overlap overlap = Overlap::disjoint;
  OutputReuse output_reuse = OutputReuse::corollary;
};

}  // namespace cairn::daap
