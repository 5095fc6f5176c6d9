// Products with triangles: rank-k updates, symmetric and Hermitian products, triangular products. Of a matrix that is
// symmetric, Hermitian or triangular only the named triangle is read, written and moved, its diagonal included.
//
//   cairn::Matrix<double> a(context, rows_of_a), c(context, layout_of_c);   // a filled
//   cairn::rank_k_update(cairn::Triangle::lower, cairn::Op::none, 1.0, a, 0.0, c);   // lower triangle of A A^T
//
// All are collective, for matrices of one context in any layouts. Errors are the same on all ranks, before any work.
// Results share no memory with what is read. A second call of the same shapes plans nothing and allocates nothing.
//
// Words per rank, n the order of the triangle, k the columns of the panels (A of an update, B of a product), on P ranks:
// about z n k / P of each panel, z about sqrt(2 P), and n^2 / (2 P) of the triangle, which is 0 where it stays where it
// is; fewer where ranks already have what they need, and on parts of k where that is better (the library plans it). A
// general product moves 2 n k / sqrt(P) and n^2 / P.
// Memory per rank: the panels and cells it needs, about that many words again.
#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "cairn/export.hpp"
#include "cairn/matrix.hpp"
#include "cairn/multiply.hpp"
#include "cairn/plan.hpp"

namespace cairn {

struct SymmetricOptions {
  // time: shortest predicted time on `machine`. words (and volume): fewest words of the busiest rank.
  Objective objective = Objective::time;
  // auto; in-place: the triangle stays where it is; pattern: its cells go to a symmetric pattern of ranks.
  std::string algorithm = "auto";
  std::optional<int> parts = {};  // of the columns of the panels, each on ranks of its own
  std::optional<Index> memory_bytes =
      {};  // most bytes a rank may hold: its parts of the matrices and work memory
  Machine machine = {};
  int threads = 0;  // for packing and for the BLAS during this call; 0: the BLAS as it is, one for packing
};

// What was or would be done. Words are elements.
struct CAIRN_EXPORT SymmetricReport {
  std::string pattern;  // "S16 r=13": a symmetric pattern of 13 classes; "4x4 in place"
  int parts = 1;        // of the columns of the panels
  bool in_place = false;
  double mean_words = 0;     // received per rank
  double busiest_words = 0;  // of the busiest rank, the larger of sent and received
  bool counted = false;      // on the messages of every rank: what the run moves; else expected
  double bound_words = 0;    // some rank must send or receive this many, whatever the algorithm
  double work = 1;           // of the busiest rank, over an even share
  Index memory_bytes = 0;    // of the rank that holds most, at most
  double seconds = 0;        // predicted
  Moved moved = {};          // by this rank; of a plan nothing
  std::vector<std::string> candidates = {};  // best first, and why the others lost
  std::string describe() const;
};

// C := alpha op(A) op(A)^T + beta C, one triangle of C (BLAS: syrk). op(A) is n x k.
template <Scalar T>
CAIRN_EXPORT SymmetricReport rank_k_update(Triangle triangle, Op op, std::type_identity_t<T> alpha,
                                           const Matrix<T>& a, std::type_identity_t<T> beta, Matrix<T>& c,
                                           const SymmetricOptions& options = {});
// C := alpha op(A) op(A)^H + beta C, one triangle of C (herk; for real types syrk). The imaginary parts of C's diagonal
// are taken to be zero, and are zero afterwards.
template <Scalar T>
CAIRN_EXPORT SymmetricReport hermitian_rank_k_update(Triangle triangle, Op op,
                                                     typename ScalarTraits<T>::Real alpha, const Matrix<T>& a,
                                                     typename ScalarTraits<T>::Real beta, Matrix<T>& c,
                                                     const SymmetricOptions& options = {});
// C := alpha op(A) op(B)^T + alpha op(B) op(A)^T + beta C, one triangle of C (syr2k).
template <Scalar T>
CAIRN_EXPORT SymmetricReport rank_2k_update(Triangle triangle, Op op, std::type_identity_t<T> alpha,
                                            const Matrix<T>& a, const Matrix<T>& b,
                                            std::type_identity_t<T> beta, Matrix<T>& c,
                                            const SymmetricOptions& options = {});
// C := alpha op(A) op(B)^H + conj(alpha) op(B) op(A)^H + beta C, one triangle of C (her2k).
template <Scalar T>
CAIRN_EXPORT SymmetricReport hermitian_rank_2k_update(Triangle triangle, Op op, std::type_identity_t<T> alpha,
                                                      const Matrix<T>& a, const Matrix<T>& b,
                                                      typename ScalarTraits<T>::Real beta, Matrix<T>& c,
                                                      const SymmetricOptions& options = {});
// C := alpha A B + beta C (left) or alpha B A + beta C (right), A symmetric with one triangle stored (symm).
template <Scalar T>
CAIRN_EXPORT SymmetricReport multiply_symmetric(Side side, Triangle triangle, std::type_identity_t<T> alpha,
                                                const Matrix<T>& a, const Matrix<T>& b,
                                                std::type_identity_t<T> beta, Matrix<T>& c,
                                                const SymmetricOptions& options = {});
// The same for a Hermitian A (hemm); imaginary parts of its diagonal are taken to be zero.
template <Scalar T>
CAIRN_EXPORT SymmetricReport multiply_hermitian(Side side, Triangle triangle, std::type_identity_t<T> alpha,
                                                const Matrix<T>& a, const Matrix<T>& b,
                                                std::type_identity_t<T> beta, Matrix<T>& c,
                                                const SymmetricOptions& options = {});
// B := alpha op(A) B (left) or alpha B op(A) (right), A triangular (trmm). A unit diagonal is not used.
template <Scalar T>
CAIRN_EXPORT SymmetricReport multiply_triangular(Side side, Triangle triangle, Op op, Diagonal diagonal,
                                                 std::type_identity_t<T> alpha, const Matrix<T>& a,
                                                 Matrix<T>& b, const SymmetricOptions& options = {});

enum class SymmetricKind { rank_k, rank_2k, symmetric, triangular };
// A product to be planned: a triangle of order n and panels with k columns.
struct SymmetricProduct {
  SymmetricKind kind = SymmetricKind::rank_k;
  bool hermitian = false;
  Side side = Side::left;
  Triangle triangle = Triangle::lower;
  Op op = Op::none;  // of A, where the operation has one
  Diagonal diagonal = Diagonal::stored;
  Index n = 0;
  Index k = 0;
  ScalarType type = ScalarType::f64;
};
// Pure: what the operation would do for matrices with these layouts; c is ignored where the operation has none. Counted up to 64
// ranks. Throws MemoryError where nothing fits; it names the least that does.
CAIRN_EXPORT SymmetricReport plan_symmetric(const SymmetricProduct& product, const Layout& a, const Layout& b,
                                            const Layout& c, int ranks, const SymmetricOptions& options = {});
// Some rank must send or receive this many words, whatever the algorithm.
CAIRN_EXPORT double symmetric_bound(const SymmetricProduct& product, int ranks);

}  // namespace cairn
