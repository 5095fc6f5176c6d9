#include "bounds/sparse_table.hpp"

#include <cmath>

namespace cairn::bounds::sparse::table1 {
namespace {

double ranks(const Random& x) { return as_real(x.ranks); }
double log_ranks(const Random& x) { return std::log2(ranks(x)); }
double faces(const Random& x) { return nonzeros(x) / std::sqrt(ranks(x)); }  // dn / sqrt(P)
double made(const Random& x) { return products(x) / ranks(x); }              // d^2 n / P

}  // namespace

Cost previous_bound(const Random& x, double memory) { return {.words = previous_lower_bound(x, memory)}; }
Cost bound(const Random& x) { return lower_bound(x); }
Cost naive_block_row(const Random& x) { return {.words = nonzeros(x), .messages = ranks(x)}; }
Cost improved_block_row(const Random& x) {
  return {.words = made(x), .messages = std::min(log_ranks(x), nonzeros(x) / ranks(x))};
}
Cost outer_product(const Random& x) { return {.words = made(x), .messages = log_ranks(x)}; }
Cost summa(const Random& x) { return {.words = faces(x), .messages = std::sqrt(ranks(x))}; }
Cost improved_summa(const Random& x, double memory) {
  require_positive(memory, "memory");
  return {.words = faces(x), .messages = log_ranks(x) * std::max(1.0, faces(x) / memory)};
}
Cost iterative(const Random& x) { return {.words = std::min(faces(x), made(x)), .messages = log_ranks(x)}; }
Cost recursive(const Random& x) {
  const double splits = std::max(1.0, std::ceil(std::log2(ranks(x) / (x.d * x.d))));
  return {.words = std::min(faces(x), made(x) * splits), .messages = log_ranks(x)};
}

}  // namespace cairn::bounds::sparse::table1
