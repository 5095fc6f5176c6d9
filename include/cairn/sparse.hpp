// Distributed sparse matrices and their products. Five lines:
//
//   cairn::Context context(MPI_COMM_WORLD);
//   std::vector<cairn::SparseEntry<double>> mine = ...;        // any entries on any rank
//   cairn::SparseMatrix<double> a(context, n, n, mine);
//   auto [c, report] = cairn::spgemm(a, a);
//   c.for_each([](cairn::Index i, cairn::Index j, double x) { ... });
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "cairn/context.hpp"
#include "cairn/error.hpp"
#include "cairn/export.hpp"
#include "cairn/multiply.hpp"
#include "cairn/semiring.hpp"
#include "cairn/shared.hpp"
#include "cairn/types.hpp"

namespace cairn {

namespace detail {
template <Scalar T>
struct SparseState;
template <Scalar T>
struct SparsePatternState;
}  // namespace detail

// One entry by its place in the whole matrix, counted from 0.
template <Scalar T>
struct SparseEntry {
  Index row = 0;
  Index column = 0;
  T value = {};
  friend bool operator==(const SparseEntry&, const SparseEntry&) = default;
};

// A matrix of which only some entries are stored. A handle: copies share the entries, which never change.
// Layouts by name: "rows" (blocks of rows), "columns", "2d PRxPC", "on R" (all on one rank); products have
// layouts of their own.
template <Scalar T>
class CAIRN_EXPORT SparseMatrix {
 public:
  // Collective. Entries given on any rank go to their owners; duplicates are summed.
  // An entry outside the matrix is the same ArgumentError on every rank. Words: entries that are elsewhere.
  SparseMatrix(const Context& context, Index rows, Index columns, std::span<const SparseEntry<T>> mine,
               std::string_view layout = "rows");

  const Context& context() const;
  Index rows() const;
  Index columns() const;
  std::string layout() const;
  Index local_entries() const;
  Index entries() const;  // collective: of all ranks

  // Local. f(i, j, value) for every entry of this rank, row after row.
  void for_each(const std::function<void(Index, Index, const T&)>& f) const;
  std::vector<SparseEntry<T>> local() const;  // the same as a list
  // Collective. All entries on one rank, row after row; none elsewhere.
  std::vector<SparseEntry<T>> gather(int root = 0) const;
  // Collective. The same matrix in another layout. Words: entries that are elsewhere, packed.
  SparseMatrix in_layout(std::string_view layout) const;
  // Local: entries stay where they are.
  SparseMatrix transposed() const;
  SparseMatrix adjoint() const;  // conjugated, too
  // Local. Entries for which keep(i, j, value) holds; entries whose absolute value is above a threshold (0 drops
  // stored zeros).
  SparseMatrix select(const std::function<bool(Index, Index, const T&)>& keep) const;
  SparseMatrix prune(double threshold = 0) const;
  // Collective. Entry (r, c) of the result is entry (rows[r], columns[c]): any order, also twice; the same lists on
  // every rank. In row blocks. Words: entries that are elsewhere, packed; so do the two below.
  SparseMatrix extract(std::span<const Index> rows, std::span<const Index> columns) const;
  // Collective. Entry (i, j) goes to (new_row[i], new_column[j]): permutations, the same on every rank; an empty one
  // changes nothing.
  SparseMatrix permuted(std::span<const Index> new_row, std::span<const Index> new_column) const;
  // Collective. The same by random permutations that follow from the seed and the sizes alone (a square matrix has
  // one for both sides), and back.
  SparseMatrix shuffled(std::uint64_t seed = 1) const;
  SparseMatrix unshuffled(std::uint64_t seed = 1) const;
  // Collective. Sums of rows, of columns by the semiring's addition, cut as dense_rows says; its zero where there is
  // no entry. plus_pair counts entries. Words: as spmm.
  std::vector<T> row_sums(SparseSemiring semiring = SparseSemiring::plus_times) const;
  std::vector<T> column_sums(SparseSemiring semiring = SparseSemiring::plus_times) const;

  explicit SparseMatrix(std::shared_ptr<const detail::SparseState<T>> state) : state_(std::move(state)) {}
  const detail::SparseState<T>& state() const { return *state_; }  // for the library's own use

 private:
  detail::Shared<const detail::SparseState<T>> state_;
};

// What a product has learnt of its patterns. Given to a later product of matrices with the same patterns and
// layouts, that plans nothing and sends values alone.
template <Scalar T>
class CAIRN_EXPORT SparsePattern {
 public:
  SparsePattern();
  bool known() const;
  detail::SparsePatternState<T>& state() const { return *state_; }  // for the library's own use

 private:
  detail::Shared<detail::SparsePatternState<T>> state_;
};

struct SpgemmOptions {
  Op op_a = Op::none, op_b = Op::none;  // C = op(A) op(B): transposing moves nothing
  // auto (by the objective), block-row-naive, block-row, block-column, outer-product, outer-product-improved,
  // summa, summa-improved, iterative, recursive, aware-2d, aware-3d.
  std::string algorithm = "auto";
  std::optional<int> layers = {};  // of 3D algorithms: divides the number of ranks
  SparseSemiring semiring = SparseSemiring::plus_times;
  bool fewest_bytes = true;  // auto: fewest bytes; otherwise least time
  // Most a rank may hold. Column phases are planned for the busiest rank, and cut again in the run where a block
  // turns out not to fit; MemoryError on every rank where that does not help.
  std::optional<Index> memory_bytes = {};
  // Permutes rows and columns at random first, and C back in the end, so that ranks have equal shares. Costs moving A,
  // B and C once more; the plan's explanation advises it where the work is uneven.
  bool shuffle = false;
  int verify = 0;   // rounds of the check of the result; not with a mask
  int threads = 1;  // of this rank
};

struct SpgemmReport {
  std::string method;   // "aware-2d on [4, 4, 1]"
  std::string explain;  // several lines: what was chosen, what it costs, what lost and why
  Index bytes_sent = 0, bytes_received = 0;        // by this rank, planning and conversions left out
  Index messages_sent = 0, messages_received = 0;  // of these
  Index bytes_around = 0;      // received to plan, to bring A and B where the method wants them, to check
  Index entries_received = 0;  // of A, B and C
  double expected_bytes = 0;   // received per rank on average, as planned; 0 where nothing was planned
  double bound_entries = 0;    // that an average rank must receive; 0 where no bound is known
  Index voxels = 0;            // products A(i,k) B(k,j) of this rank
};

template <Scalar T>
struct SpgemmResult {
  SparseMatrix<T> c;
  SpgemmReport report;
};

// Collective. C = A B over a semiring, from any layouts; C is where the method leaves it. With a mask, only
// entries of C where the mask has one (or, complemented, has none) are computed. Bad arguments are the same
// ArgumentError on every rank, a result that does not pass its check the same ResultError. Words: as the
// report says; planning moves O((nnz(A) + nnz(B)) / P) bytes.
template <Scalar T>
CAIRN_EXPORT SpgemmResult<T> spgemm(const SparseMatrix<T>& a, const SparseMatrix<T>& b,
                                    const SpgemmOptions& options = {}, SparsePattern<T>* pattern = nullptr);
// Over a semiring of one's own, the same on every rank; options.semiring is not looked at, and options.verify must be 0.
// Slower than those that are compiled in: a call for every product and every sum.
template <Scalar T>
CAIRN_EXPORT SpgemmResult<T> spgemm(const SparseMatrix<T>& a, const SparseMatrix<T>& b,
                                    const OwnSemiring<T>& semiring, const SpgemmOptions& options = {},
                                    SparsePattern<T>* pattern = nullptr);
template <Scalar T>
CAIRN_EXPORT SpgemmResult<T> spgemm_masked(const SparseMatrix<T>& a, const SparseMatrix<T>& b,
                                           const SparseMatrix<T>& mask, bool complement = false,
                                           const SpgemmOptions& options = {});

// Collective. Entries of either matrix, those of both added up; entries of both, multiplied: by the semiring's + and *.
// In A's layout. Words: entries of B that lie elsewhere.
template <Scalar T>
CAIRN_EXPORT SparseMatrix<T> add(const SparseMatrix<T>& a, const SparseMatrix<T>& b,
                                 SparseSemiring semiring = SparseSemiring::plus_times);
template <Scalar T>
CAIRN_EXPORT SparseMatrix<T> multiply_elements(const SparseMatrix<T>& a, const SparseMatrix<T>& b,
                                               SparseSemiring semiring = SparseSemiring::plus_times);

// Collective. P^H A P, the coarse matrix of a multigrid step: two products, bytes of both in the report.
template <Scalar T>
CAIRN_EXPORT SpgemmResult<T> galerkin(const SparseMatrix<T>& a, const SparseMatrix<T>& p,
                                      const SpgemmOptions& options = {});
// Collective. A^exponent of a square matrix by repeated squaring: at most 2 log2(exponent) products, bytes of all in the
// report. Exponent 0: the identity of the semiring (plus_pair has none). op_a and op_b must be none.
template <Scalar T>
CAIRN_EXPORT SpgemmResult<T> power(const SparseMatrix<T>& a, Index exponent,
                                   const SpgemmOptions& options = {});

// The rows of a dense n x r matrix beside sparse ones that this rank has: [first, first + count).
struct DenseRows {
  Index first = 0;
  Index count = 0;
};
CAIRN_EXPORT DenseRows dense_rows(const Context& context, Index length);

// Collective. Y = A X with X dense, `columns` wide, its rows cut as dense_rows says, row after row in memory;
// Y alike. Words: `columns` numbers for each row of X that this rank's part of A meets and each sum others
// made for it.
template <Scalar T>
CAIRN_EXPORT std::vector<T> spmm(const SparseMatrix<T>& a, std::span<const std::type_identity_t<T>> x,
                                 Index columns = 1, SparseSemiring semiring = SparseSemiring::plus_times);

#define CAIRN_EXTERN(T)                                                                                      \
  extern template class SparseMatrix<T>;                                                                     \
  extern template class SparsePattern<T>;                                                                    \
  extern template SpgemmResult<T> spgemm<T>(const SparseMatrix<T>&, const SparseMatrix<T>&,                  \
                                            const SpgemmOptions&, SparsePattern<T>*);                        \
  extern template SpgemmResult<T> spgemm<T>(const SparseMatrix<T>&, const SparseMatrix<T>&,                  \
                                            const OwnSemiring<T>&, const SpgemmOptions&, SparsePattern<T>*); \
  extern template SpgemmResult<T> spgemm_masked<T>(const SparseMatrix<T>&, const SparseMatrix<T>&,           \
                                                   const SparseMatrix<T>&, bool, const SpgemmOptions&);      \
  extern template SparseMatrix<T> add<T>(const SparseMatrix<T>&, const SparseMatrix<T>&, SparseSemiring);    \
  extern template SparseMatrix<T> multiply_elements<T>(const SparseMatrix<T>&, const SparseMatrix<T>&,       \
                                                       SparseSemiring);                                      \
  extern template SpgemmResult<T> galerkin<T>(const SparseMatrix<T>&, const SparseMatrix<T>&,                \
                                              const SpgemmOptions&);                                         \
  extern template SpgemmResult<T> power<T>(const SparseMatrix<T>&, Index, const SpgemmOptions&);             \
  extern template std::vector<T> spmm<T>(const SparseMatrix<T>&, std::span<const std::type_identity_t<T>>,   \
                                         Index, SparseSemiring);
CAIRN_EXTERN(float)
CAIRN_EXTERN(double)
CAIRN_EXTERN(std::complex<float>)
CAIRN_EXTERN(std::complex<double>)
#undef CAIRN_EXTERN

}  // namespace cairn
