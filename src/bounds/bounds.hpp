// Lower bounds as reports: a number, the formula it is the value of, and the parts it is made of. What
// `cairn bound` prints.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bounds/product.hpp"
#include "bounds/sparse.hpp"
#include "bounds/symmetric.hpp"
#include "bounds/tables.hpp"

namespace cairn::bounds {

struct BoundPart {
  std::string name;
  Cell cell;
};

struct BoundReport {
  std::string what;  // what `bound` counts
  Cell bound;
  std::vector<BoundPart> parts;
  Symbols symbols;
  std::vector<std::string> notes;
};

// Words some rank must move: classical::proven_words_lower_bound. Without memory: the memory-independent
// bound alone.
BoundReport bound_multiply(const Product& p, Index ranks, std::optional<double> memory);
// Loads and stores of one processor with a fast memory: sequential::floor, Theorem 1 among the parts.
BoundReport bound_multiply_sequential(const Product& p, double memory);
// strassen::lower_bound, constant 1; CAPS among the parts where it runs on this many ranks in this much memory.
// One rank: loads and stores.
BoundReport bound_strassen(Index n, Index ranks, std::optional<double> memory);
// factor::lu_lower_bound and cholesky_symmetric_lower_bound, statement by statement. The printed bound of
// Cholesky is beaten by schedules, its S3 is shown beside. Without memory: factor::lu_resident_words and
// cholesky_resident_words, the words between ranks.
BoundReport bound_lu(Index n, Index ranks, std::optional<double> memory);
BoundReport bound_cholesky(Index n, Index ranks, std::optional<double> memory);
// symmetric::words: what a rank with an even share of the work touches, less what it owns.
BoundReport bound_triangle_product(const symmetric::TriangleProduct& x, Index ranks);
// sparse::lower_bound, constant 1, and 0 for one rank; the one with the proof's constants among the parts.
BoundReport bound_spgemm(const sparse::Random& x);

}  // namespace cairn::bounds
