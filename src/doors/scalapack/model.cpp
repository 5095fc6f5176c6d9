#include "doors/scalapack/model.hpp"

#include <algorithm>
#include <cmath>

namespace cairn::scalapack {
namespace {

constexpr double panel = 32;  // columns that PBLAS multiplies at a time
// What ScaLAPACK takes over what BLAS takes for one product of the whole: measured for 3000^2 on 4 processes.
constexpr double thin = 1.35;  // products in panels so thin, and their packing
// Factorizations, in which products wait for panels and panels for products. Of Cholesky less than the 2.7 measured: ours
// waits as well, and is planned as if it did not.
constexpr double lu_steps = 2.0, cholesky_steps = 1.6;
// An element of a panel of LU that is read and written for one column, over one that is copied.
constexpr double touched = 0.7;
constexpr double copy_seconds = 1.5e-9;  // a word of 8 bytes read, written and found

double log2_of(double p) { return p > 1 ? std::ceil(std::log2(p)) : 0; }
double away(double p) { return 1 - 1 / p; }  // what one of p must get of what they all need

}  // namespace

Estimate Model::priced(Estimate e) const {
  const double words = weight_.bytes / 8;
  e.seconds = machine_.alpha * e.messages + machine_.beta * words * e.words +
              machine_.gamma * e.flops / weight_.speed + copy_seconds * words * e.copied;
  return e;
}

// Indices of the process that has most of them.
double Model::largest_share(double n, double processes) const {
  return std::min(n, std::ceil(std::ceil(n / block_) / processes) * block_);
}

// One of the three matrices stays; of the others each process gets what its part of that one touches.
Estimate Model::product(const Shape& s) const {
  const auto m = static_cast<double>(s.m), n = static_cast<double>(s.n), k = static_cast<double>(s.k);
  const double c_stays = m * k / rows_ * away(columns_) + k * n / columns_ * away(rows_);
  const double a_stays = k * n / columns_ * away(rows_) + m * n / rows_ * away(columns_);
  const double b_stays = m * k / rows_ * away(columns_) + m * n / columns_ * away(rows_);
  const double cut = c_stays <= std::min(a_stays, b_stays) ? k : a_stays <= b_stays ? n : m;
  const double sent = (rows_ > 1) + (columns_ > 1);
  return priced({.words = std::min({c_stays, a_stays, b_stays}),
                 .messages = sent * std::ceil(cut / panel),
                 .flops = thin * flops(largest_share(m, rows_) * largest_share(n, columns_) * k)});
}

// The triangle goes along the rows of the grid, the solved rows down its columns.
Estimate Model::triangular(const Shape& s) const {
  const auto m = static_cast<double>(s.m), n = static_cast<double>(s.n), k = static_cast<double>(s.k);
  const double steps = std::ceil(k / block_);
  return priced({.words = k * k / 2 / rows_ * away(columns_) + m * n / columns_ * away(rows_),
                 .messages = steps * (log2_of(rows_) + log2_of(columns_)),
                 .flops = thin * flops(m * n * k / 2) / processes()});
}

Estimate Model::rank_k(Index n, Index k) const {
  Estimate e = product({n, n, k});
  e.flops /= 2;
  return priced(e);
}

// Panels along the rows, rows of U down the columns, and the rows that change places; a search in each column.
Estimate Model::lu(Index rows, Index columns) const {
  const auto m = static_cast<double>(rows), n = static_cast<double>(columns);
  const double r = std::min(m, n), voxels = r * (m * n - (m + n) * r / 2 + r * r / 3);
  const double in_panels = (m * r - r * r / 2) * std::min(block_, r) / 2;
  const double panels = (m * r - r * r / 2) / rows_ * away(columns_),
               upper = (n * r - r * r / 2) / columns_ * away(rows_);
  return priced({.words = panels + upper + r * n / columns_ * away(rows_) / 2,
                 .messages = r * 2 * log2_of(rows_) + 4 * std::ceil(r / block_),
                 .flops = lu_steps * flops(voxels) / processes(),
                 .copied = r * n / columns_ + touched * in_panels / rows_});
}

Estimate Model::cholesky(Index order) const {
  const auto n = static_cast<double>(order);
  return priced({.words = n * n / 2 * (away(columns_) / rows_ + away(rows_) / columns_),
                 .messages = 2 * std::ceil(n / block_) * (log2_of(rows_) + log2_of(columns_)),
                 .flops = cholesky_steps * flops(n * n * n / 6) / processes()});
}

// Through a buffer for each block of rows and columns, in as many messages.
Estimate Model::add(Index m, Index n, bool transposed) const {
  Estimate e = move(m, n);
  e.copied *= transposed ? 2 : 1.5;
  e.messages *= 2;
  return priced(e);
}

// Each element's place is searched for on both sides.
Estimate Model::between(Index m, Index n) const {
  Estimate e = move(m, n);
  e.copied *= 1.5;
  return priced(e);
}

Estimate Model::move(Index m, Index n) const {
  const double mine = static_cast<double>(m) * static_cast<double>(n) / processes();
  return priced({.words = mine * away(processes()), .messages = processes() - 1, .copied = 2 * mine});
}

Estimate Model::copied_twice(Index m, Index n) const {
  return priced({.copied = 2 * static_cast<double>(m) * static_cast<double>(n) / processes()});
}

// The triangle stays; sums and unknowns of whole blocks go across it, and both sides to where their blocks are at home.
Estimate Model::our_triangular(const Shape& s) const {
  const auto m = static_cast<double>(s.m), n = static_cast<double>(s.n);
  Estimate e = triangular(s);
  const Estimate sides = move(s.m, s.n);
  e.flops /= thin;
  e.words = m * n * (away(rows_) / columns_ + away(columns_) / rows_) + 2 * sides.words;
  e.messages *= 2;
  e.copied = 2 * sides.copied;
  return priced(e);
}

// Row by row, between two processes where they have not both.
Estimate Model::row_exchanges(Index rows, Index columns) const {
  const double each = static_cast<double>(rows) * away(rows_);
  return priced({.words = each * static_cast<double>(columns) / columns_, .messages = 2 * each});
}

// About seven small agreements, each up and down a tree.
double Model::overhead() const { return 14 * log2_of(processes()) * machine_.alpha + 2e-5; }

}  // namespace cairn::scalapack
