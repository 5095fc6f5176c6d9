// What people do around a sparse product.
#include <cmath>

#include "api/sparse_state.hpp"
#include "comm/agreement.hpp"
#include "sparse/dist_operations.hpp"
#include "sparse/local/operations.hpp"

namespace cairn {
namespace {

using detail::comm_of;
using detail::wrap;
using sparse::DistSparse;

// What leaves every value as it is when multiplied with it; plus_pair makes 1 of all.
template <Scalar T>
T one_of(SparseSemiring semiring) {
  return semiring == SparseSemiring::min_plus || semiring == SparseSemiring::max_plus ? T(0) : T(1);
}

template <Scalar T>
std::vector<T> sums_of_rows(const SparseMatrix<T>& a, SparseSemiring semiring) {
  const DenseRows rows = dense_rows(a.context(), a.columns());
  const std::vector<T> ones(static_cast<std::size_t>(rows.count), one_of<T>(semiring));
  return spmm<T>(a, ones, 1, semiring);
}

template <Scalar T>
SparseMatrix<T> shuffled_by(const SparseMatrix<T>& a, std::uint64_t seed, bool back) {
  const comm::CommView comm = comm_of(a.context());
  comm::agree(comm, "shuffle", [] {}, {{"seed", static_cast<Index>(seed)}});
  const sparse::Shuffle rows(a.rows(), seed), columns(a.columns(), seed);
  return wrap(a.context(), sparse::shuffle_sparse(comm, a.state().matrix, rows, columns, back));
}

// Bytes of several products are added up; what is said of a method is of the last.
void add_report(SpgemmReport& all, SpgemmReport one) {
  one.bytes_sent += all.bytes_sent;
  one.bytes_received += all.bytes_received;
  one.messages_sent += all.messages_sent;
  one.messages_received += all.messages_received;
  one.bytes_around += all.bytes_around;
  one.entries_received += all.entries_received;
  one.expected_bytes += all.expected_bytes;
  one.voxels += all.voxels;
  all = std::move(one);
}

template <Scalar T>
SparseMatrix<T> identity_like(const SparseMatrix<T>& a, SparseSemiring semiring) {
  const DenseRows rows = dense_rows(a.context(), a.rows());
  std::vector<SparseEntry<T>> mine;
  for (Index i = rows.first; i < rows.first + rows.count; ++i) mine.push_back({i, i, one_of<T>(semiring)});
  return SparseMatrix<T>(a.context(), a.rows(), a.columns(), mine);
}

template <Scalar T>
void check_power(const SparseMatrix<T>& a, Index exponent, const SpgemmOptions& o) {
  comm::agree(comm_of(a.context()), "power",
              [&] {
                require(a.rows() == a.columns(), "A is {} x {}, expected a square matrix", a.rows(),
                        a.columns());
                require(exponent >= 0, "exponent is {}, expected 0 or more", exponent);
                require(exponent > 0 || o.semiring != SparseSemiring::plus_pair,
                        "exponent is 0 with plus-pair, which has no identity: expected 1 or more");
                require(o.op_a == Op::none && o.op_b == Op::none,
                        "op_a or op_b is given with a power, expected none");
              },
              {{"exponent", exponent}});
}

}  // namespace

template <Scalar T>
SparseMatrix<T> SparseMatrix<T>::adjoint() const {
  DistSparse<T> matrix = sparse::transpose_sparse(state_->matrix);
  matrix.local = sparse::conjugate(std::move(matrix.local));
  return wrap(context(), std::move(matrix));
}

template <Scalar T>
SparseMatrix<T> SparseMatrix<T>::select(const std::function<bool(Index, Index, const T&)>& keep) const {
  return wrap(context(), sparse::select_sparse(state_->matrix, context().rank(), keep));
}

template <Scalar T>
SparseMatrix<T> SparseMatrix<T>::prune(double threshold) const {
  return wrap(context(),
              DistSparse<T>{state_->matrix.layout, sparse::prune(state_->matrix.local, threshold)});
}

template <Scalar T>
SparseMatrix<T> SparseMatrix<T>::extract(std::span<const Index> rows, std::span<const Index> columns) const {
  return wrap(context(), sparse::extract_sparse(comm_of(context()), state_->matrix, rows, columns));
}

template <Scalar T>
SparseMatrix<T> SparseMatrix<T>::permuted(std::span<const Index> new_row,
                                          std::span<const Index> new_column) const {
  return wrap(context(), sparse::permute_sparse(comm_of(context()), state_->matrix, new_row, new_column));
}

template <Scalar T>
SparseMatrix<T> SparseMatrix<T>::shuffled(std::uint64_t seed) const {
  return shuffled_by(*this, seed, false);
}
template <Scalar T>
SparseMatrix<T> SparseMatrix<T>::unshuffled(std::uint64_t seed) const {
  return shuffled_by(*this, seed, true);
}

template <Scalar T>
std::vector<T> SparseMatrix<T>::row_sums(SparseSemiring semiring) const {
  return sums_of_rows(*this, semiring);
}
template <Scalar T>
std::vector<T> SparseMatrix<T>::column_sums(SparseSemiring semiring) const {
  return sums_of_rows(transposed(), semiring);
}

template <Scalar T>
SparseMatrix<T> add(const SparseMatrix<T>& a, const SparseMatrix<T>& b, SparseSemiring semiring) {
  detail::check_same_context(a, b, "B");
  return wrap(a.context(),
              sparse::add_sparse(comm_of(a.context()), a.state().matrix, b.state().matrix, semiring));
}

template <Scalar T>
SparseMatrix<T> multiply_elements(const SparseMatrix<T>& a, const SparseMatrix<T>& b,
                                  SparseSemiring semiring) {
  detail::check_same_context(a, b, "B");
  return wrap(a.context(), sparse::multiply_elements_sparse(comm_of(a.context()), a.state().matrix,
                                                            b.state().matrix, semiring));
}

template <Scalar T>
SpgemmResult<T> galerkin(const SparseMatrix<T>& a, const SparseMatrix<T>& p, const SpgemmOptions& options) {
  const SpgemmResult<T> ap = spgemm(a, p, options);
  SpgemmOptions second = options;
  second.op_a = Op::adjoint;
  second.op_b = Op::none;
  SpgemmResult<T> coarse = spgemm(p, ap.c, second);
  SpgemmReport both = ap.report;
  add_report(both, std::move(coarse.report));
  return {std::move(coarse.c), std::move(both)};
}

template <Scalar T>
SpgemmResult<T> power(const SparseMatrix<T>& a, Index exponent, const SpgemmOptions& options) {
  check_power(a, exponent, options);
  if (exponent == 0) return {identity_like(a, options.semiring), {}};
  SpgemmReport report;
  const auto multiplied = [&](const SparseMatrix<T>& x, const SparseMatrix<T>& y) {
    SpgemmResult<T> product = spgemm(x, y, options);
    add_report(report, std::move(product.report));
    return std::move(product.c);
  };
  std::optional<SparseMatrix<T>> result;
  SparseMatrix<T> square = a;  // A^(2^i)
  for (Index rest = exponent;; rest /= 2) {
    if (rest % 2 == 1) result = result ? multiplied(*result, square) : square;
    if (rest == 1) return {std::move(*result), std::move(report)};
    square = multiplied(square, square);
  }
}

#define CAIRN_INSTANTIATE(T)                                                                                \
  template SparseMatrix<T> SparseMatrix<T>::adjoint() const;                                                \
  template SparseMatrix<T> SparseMatrix<T>::select(const std::function<bool(Index, Index, const T&)>&)      \
      const;                                                                                                \
  template SparseMatrix<T> SparseMatrix<T>::prune(double) const;                                            \
  template SparseMatrix<T> SparseMatrix<T>::extract(std::span<const Index>, std::span<const Index>) const;  \
  template SparseMatrix<T> SparseMatrix<T>::permuted(std::span<const Index>, std::span<const Index>) const; \
  template SparseMatrix<T> SparseMatrix<T>::shuffled(std::uint64_t) const;                                  \
  template SparseMatrix<T> SparseMatrix<T>::unshuffled(std::uint64_t) const;                                \
  template std::vector<T> SparseMatrix<T>::row_sums(SparseSemiring) const;                                  \
  template std::vector<T> SparseMatrix<T>::column_sums(SparseSemiring) const;                               \
  template SparseMatrix<T> add<T>(const SparseMatrix<T>&, const SparseMatrix<T>&, SparseSemiring);          \
  template SparseMatrix<T> multiply_elements<T>(const SparseMatrix<T>&, const SparseMatrix<T>&,             \
                                                SparseSemiring);                                            \
  template SpgemmResult<T> galerkin<T>(const SparseMatrix<T>&, const SparseMatrix<T>&,                      \
                                       const SpgemmOptions&);                                               \
  template SpgemmResult<T> power<T>(const SparseMatrix<T>&, Index, const SpgemmOptions&);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn
