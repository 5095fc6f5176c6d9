// The dense product C = A B as a problem: A is m x k, B is k x n, C is m x n.
#pragma once

#include "bounds/cost.hpp"

namespace cairn::bounds {

struct Product {
  Index m = 0;
  Index n = 0;
  Index k = 0;
};

constexpr double voxels(const Product& p) { return as_real(p.m) * as_real(p.n) * as_real(p.k); }
constexpr double words_a(const Product& p) { return as_real(p.m) * as_real(p.k); }
constexpr double words_b(const Product& p) { return as_real(p.k) * as_real(p.n); }
constexpr double words_c(const Product& p) { return as_real(p.m) * as_real(p.n); }
constexpr double all_words(const Product& p) { return words_a(p) + words_b(p) + words_c(p); }

inline void require_valid(const Product& p) {
  require_positive(p.m, "m");
  require_positive(p.n, "n");
  require_positive(p.k, "k");
}

}  // namespace cairn::bounds
