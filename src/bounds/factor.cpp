#include "bounds/factor.hpp"

#include <algorithm>
#include <cmath>

namespace cairn::bounds::factor {
namespace {

void require_valid(Index n, double memory) {
  require_positive(n, "n");
  require_positive(memory, "memory");
}

double pairs(double n) { return n * (n - 1) / 2; }

double lu_updates(double n, Count count) {
  return count == Count::printed ? n * (n - 1) * (n - 2) / 3 : n * (n - 1) * (2 * n - 1) / 6;
}

double cholesky_updates(double n, Count count) {
  return count == Count::printed ? n * (n - 1) * (n - 2) / 6 : n * (n - 1) * (n + 1) / 6;
}

std::vector<Statement> cholesky_with(Index n, Count count, double intensity) {
  const double side = as_real(n);
  return {{"S1", side, 1}, {"S2", pairs(side), 1}, {"S3", cholesky_updates(side, count), intensity}};
}

}  // namespace

std::vector<Statement> lu_statements(Index n, double memory, Count count) {
  require_valid(n, memory);
  const double side = as_real(n);
  return {{"S1", pairs(side), 1}, {"S2", lu_updates(side, count), std::sqrt(memory) / 2}};
}

std::vector<Statement> cholesky_statements(Index n, double memory, Count count) {
  require_valid(n, memory);
  return cholesky_with(n, count, std::sqrt(memory) / 2);
}

std::vector<Statement> cholesky_symmetric_statements(Index n, double memory, Count count) {
  require_valid(n, memory);
  return cholesky_with(n, count, std::sqrt(memory / 2));
}

double io_lower_bound(const std::vector<Statement>& statements, Index ranks) {
  require_positive(ranks, "ranks");
  double words = 0;
  for (const Statement& s : statements) words += s.vertices / s.intensity;
  return words / as_real(ranks);
}

double lu_lower_bound(Index n, Index ranks, double memory, Count count) {
  return io_lower_bound(lu_statements(n, memory, count), ranks);
}

double cholesky_lower_bound(Index n, Index ranks, double memory, Count count) {
  return io_lower_bound(cholesky_statements(n, memory, count), ranks);
}

double cholesky_symmetric_lower_bound(Index n, Index ranks, double memory, Count count) {
  return io_lower_bound(cholesky_symmetric_statements(n, memory, count), ranks);
}

double lu_words_lower_bound(Index n, Index ranks, double memory) {
  const double owned = as_real(n) * as_real(n) / as_real(ranks);
  return std::max(0.0, lu_lower_bound(n, ranks, memory) - 2 * owned);
}

double cholesky_words_lower_bound(Index n, Index ranks, double memory) {
  const double owned = pairs(as_real(n) + 1) / as_real(ranks);
  return std::max(0.0, cholesky_symmetric_lower_bound(n, ranks, memory) - 2 * owned);
}

double lu_resident_words(Index n, Index ranks) {
  require_positive(ranks, "ranks");
  const double square = as_real(n) * as_real(n), p = as_real(ranks);
  return std::max(0.0, (std::cbrt(3.0) * square / std::pow(p, 2.0 / 3) - 2 * square / p) / 2);
}

double cholesky_resident_words(Index n, Index ranks) { return lu_resident_words(n, ranks) / 2; }

}  // namespace cairn::bounds::factor
