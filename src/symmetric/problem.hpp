// Products in which one matrix is a triangle: of order n, times or made of panels with n rows. All of them are
// one thing to the words: a triangle T (n x n, half of it), a panel X (n x k) that is read and, where T is
// read, a panel Y (n x k) that is written.
#pragma once

#include <cstdint>
#include <string>

#include "base/blas.hpp"

namespace cairn::symmetric {

enum class Kind : std::uint8_t {
  rank_k,     // C := alpha op(A) op(A)' + beta C, C a triangle
  rank_2k,    // C := alpha op(A) op(B)' + alpha' op(B) op(A)' + beta C, C a triangle
  symmetric,  // C := alpha A B + beta C or alpha B A + beta C, A a triangle
  triangular  // B := alpha op(A) B or alpha B op(A), A a triangle
};

// What a scalar is decides what is done; its value only what is computed.
enum class Coefficient : std::uint8_t { zero, one, other };
template <Scalar T>
Coefficient kind_of(T value) {
  return value == T(0) ? Coefficient::zero : value == T(1) ? Coefficient::one : Coefficient::other;
}

struct Problem {
  Kind kind = Kind::rank_k;
  bool hermitian = false;  // X' is X^H and T = T^H; else X^T and T = T^T
  Side side = Side::left;  // where the triangle stands in a product
  Triangle triangle = Triangle::lower;
  Op op = Op::none;  // of the panels of an update, of the triangle of a triangular product
  Diagonal diagonal = Diagonal::stored;
  Index n = 0;  // order of the triangle
  Index k = 0;  // columns of the panels
  ScalarType type = ScalarType::f64;
  Coefficient alpha = Coefficient::one;
  Coefficient beta = Coefficient::zero;

  bool updates() const {
    return kind == Kind::rank_k || kind == Kind::rank_2k;
  }  // the triangle is the result
  bool multiplies() const { return n > 0 && k > 0 && alpha != Coefficient::zero; }
  // Complex conjugation makes a difference.
  bool conjugates() const { return hermitian && is_complex(type); }
  friend bool operator==(const Problem&, const Problem&) = default;
};

// How a panel is read from the user's matrix, and written back: with the triangle on the right the product is
// computed transposed, or adjoint where that leaves the triangle as it is.
inline Op turn(const Problem& p) {
  if (p.updates()) return p.op;
  if (p.side == Side::left) return Op::none;
  const bool adjoint = p.kind == Kind::symmetric ? p.conjugates() : p.op == Op::adjoint;
  return adjoint ? Op::adjoint : Op::transpose;
}
// What the triangle is then multiplied as: B A is (A^T B^T)^T, B A^T is (A B^T)^T, B A^H is (A B^H)^H.
inline Op turned_op(const Problem& p) {
  if (p.side == Side::left) return p.op;
  return p.op == Op::none ? Op::transpose : Op::none;
}

// How a cell of a triangle that is read is multiplied: as it stands, from the panel at its columns to the one at its rows,
// and mirrored, from its rows to its columns.
struct Way {
  bool straight = false;
  bool mirrored = false;

  int count() const { return (straight ? 1 : 0) + (mirrored ? 1 : 0); }
  friend bool operator==(const Way&, const Way&) = default;
};
inline Way way_of(const Problem& p) {
  if (p.kind != Kind::triangular) return {true, true};
  return turned_op(p) == Op::none ? Way{true, false} : Way{false, true};
}
inline int panels_read(const Problem& p) { return p.kind == Kind::rank_2k ? 2 : 1; }
// Elements of the triangle are used in this many multiplications per column of the panels.
inline int uses(const Problem& p) { return p.kind == Kind::rank_2k || p.kind == Kind::symmetric ? 2 : 1; }

inline Index triangle_elements(Index n) { return n % 2 == 0 ? n / 2 * (n + 1) : (n + 1) / 2 * n; }
double flops(const Problem& p);
std::string describe(const Problem& p);  // "rank-k update, n = 100, k = 20, lower, double"

}  // namespace cairn::symmetric
