// Multiplying distributed matrices. Five lines:
//
//   cairn::Context context(MPI_COMM_WORLD);
//   auto [a, b, c] = cairn::make_product<double>(context, m, n, k);
//   a.fill([](cairn::Index i, cairn::Index l) { return ...; });
//   b.fill([](cairn::Index l, cairn::Index j) { return ...; });
//   cairn::multiply(a, b, c);
#pragma once

#include <type_traits>

#include "cairn/error.hpp"
#include "cairn/matrix.hpp"
#include "cairn/plan.hpp"
#include "cairn/verification.hpp"

namespace cairn {

struct MultiplyOptions {
  // How to plan, where no `plan` is given. Options that name a schedule (algorithm, grid, rounds, layers,
  // transport, lookahead) make a plan on native layouts; with the others the matrices decide.
  PlanOptions planning = {};
  // Runs this plan. One on native layouts: matrices in others are copied there and back. One for matrices where
  // they are: their layouts must be those it was made for.
  std::optional<Plan> plan = {};
  // Rounds of Freivalds' check of the result; 0: none. A result that does not pass, or of which no row can be
  // checked because nothing there is finite, is a ResultError on every rank; C is then what it is.
  int verify = 0;
  // Of this rank's BLAS and for packing, during this call; 0: the BLAS as it is, one to pack. May differ
  // between ranks.
  int threads = 0;
};

// Words and messages of this rank.
struct Moved {
  Index words_sent = 0;
  Index words_received = 0;
  Index messages_sent = 0;
  Index messages_received = 0;
};

struct MultiplyReport {
  Plan plan;                        // that was run
  Moved gathers_and_combines = {};  // of the multiply itself: as planned
  Moved redistribution = {};        // from and to native layouts; 0 for native matrices, and where they stay
  std::optional<Verification> verification = {};

  std::string describe() const { return plan.describe(); }
  std::string explain() const { return plan.explain(); }
};

// Three matrices in the native layouts of one plan.
template <Scalar T>
struct ProductMatrices {
  Matrix<T> a;
  Matrix<T> b;
  Matrix<T> c;
};

// Collective. Plans C := op(A) op(B) and makes A, B and C where the plan wants them, all zeros.
// `product.type` is replaced by T. Memory: this rank's parts, about (mk + kn + mn) / P elements.
template <Scalar T>
CAIRN_EXPORT ProductMatrices<T> make_product(const Context& context, Product product,
                                             const PlanOptions& options = {});
template <Scalar T>
ProductMatrices<T> make_product(const Context& context, Index m, Index n, Index k) {
  return make_product<T>(context, Product{.m = m, .n = n, .k = k});
}

// Collective. C := alpha op(A) op(B) + beta C for any layouts of A, B and C. beta = 0 never reads C, alpha =
// 0 never reads A and B. C has no element in common with A and B; parts of one allocation will do.
//
// 1. Matrices in the native layouts of one plan are multiplied by that plan.
// 2. Otherwise the matrices are planned for as they lie: one of them in place, or bricks whose faces are
//    filled straight from where A and B are and summed straight into C. Each word moves once.
// 3. Where `options` gives a plan on native layouts, or names a schedule, that is run: matrices in other
//    layouts are copied to the plan's (A and B in one exchange), and C is added back from there.
//
// Words received by a rank: 1. |A(i,l)| (1 - 1/pn) + |B(l,j)| (1 - 1/pm) + |C(i,j)| (1 - 1/pk) of its faces;
// 2. its faces of A and B less what it has of them, and the parts of C that others sum for it; the report's
// plan tells them. 3. as 1, and every element that is not where the plan wants it, once. Verification adds
// O(rounds (m + k)), agreements on arguments 30 words and log2 P messages each, two per call. The first call of
// a shape plans; the next ones plan and allocate nothing.
// Work memory: as the plan's memory_bytes() says; 3. also a native copy of what is not native and pieces of 4
// MB to move it; for verification (rounds + 1) (3m + n + k) numbers, twice as many for complex types. What
// the context keeps is used again.
//
// Bad arguments (sizes that do not match, matrices of another context, a plan for another product or for
// other layouts, options that cannot be planned, ...) on any rank, or arguments that differ between ranks,
// are the same ArgumentError on every rank, and nothing has been changed. Running out of memory is the same
// MemoryError on every rank. The context and the matrices can be used on.
template <Scalar T>
CAIRN_EXPORT MultiplyReport multiply(std::type_identity_t<T> alpha, Op op_a, const Matrix<T>& a, Op op_b,
                                     const Matrix<T>& b, std::type_identity_t<T> beta, Matrix<T>& c,
                                     const MultiplyOptions& options = {});

// Collective. C := A B.
template <Scalar T>
MultiplyReport multiply(const Matrix<T>& a, const Matrix<T>& b, Matrix<T>& c,
                        const MultiplyOptions& options = {}) {
  return multiply<T>(T(1), Op::none, a, Op::none, b, T(0), c, options);
}

// Collective. Is C = alpha op(A) op(B), up to rounding? Any layouts; the same answer on every rank. An error
// of a single element above twice its row's tolerance is always found; more errors in one row can cancel with
// probability 2^-rounds. `error_growth`: of the plan that made C (Plan::error_growth). Work: (rounds + 1) (mn + mk + kn) / P; words: O(rounds (m + k)).
template <Scalar T>
CAIRN_EXPORT Verification verify(std::type_identity_t<T> alpha, Op op_a, const Matrix<T>& a, Op op_b,
                                 const Matrix<T>& b, const Matrix<T>& c, int rounds = 2,
                                 double error_growth = 1);

#define CAIRN_EXTERN(T)                                                                             \
  extern template ProductMatrices<T> make_product(const Context&, Product, const PlanOptions&);     \
  extern template MultiplyReport multiply<T>(std::type_identity_t<T>, Op, const Matrix<T>&, Op,     \
                                             const Matrix<T>&, std::type_identity_t<T>, Matrix<T>&, \
                                             const MultiplyOptions&);                               \
  extern template Verification verify<T>(std::type_identity_t<T>, Op, const Matrix<T>&, Op,         \
                                         const Matrix<T>&, const Matrix<T>&, int, double);
CAIRN_EXTERN(float)
CAIRN_EXTERN(double)
CAIRN_EXTERN(std::complex<float>)
CAIRN_EXTERN(std::complex<double>)
#undef CAIRN_EXTERN

}  // namespace cairn
