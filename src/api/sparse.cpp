#include "cairn/sparse.hpp"

#include "api/context_state.hpp"
#include "api/sparse_state.hpp"
#include "base/workers.hpp"
#include "comm/agreement.hpp"
#include "sparse/spmm.hpp"

namespace cairn {
namespace {

using detail::comm_of;
using detail::wrap;
using sparse::DistSparse;

// Parsed on every rank alike: a wrong text is everybody's error.
sparse::SparseLayout agreed_layout(comm::CommView comm, std::string_view text, Index rows, Index columns) {
  sparse::SparseLayout layout;
  comm::agree(comm, "sparse layout",
              [&] {
                require_not_negative(rows, "rows");
                require_not_negative(columns, "columns");
                layout = sparse::SparseLayout::parse(text, rows, columns, comm.size());
              },
              {{"rows", rows}, {"columns", columns}});
  return layout;
}

// What moved since `before`: the product itself, and everything around it.
void add_traffic(SpgemmReport& report, const comm::TrafficSnapshot& moved) {
  for (const auto& [phase, counters] : moved.phases) {
    if (phase.find(comm::agreement_phase) != std::string::npos) continue;
    if (!phase.starts_with("spgemm")) {
      report.bytes_around += counters.received.bytes;
      continue;
    }
    report.bytes_sent += counters.sent.bytes;
    report.bytes_received += counters.received.bytes;
    report.messages_sent += counters.sent.messages;
    report.messages_received += counters.received.messages;
  }
}

using detail::check_same_context;

template <Scalar T>
sparse::SpgemmRunOptions<T> run_options(const SpgemmOptions& o) {
  sparse::SpgemmRunOptions<T> run;
  run.planning.algorithm = sparse::parse_spgemm_algorithm(o.algorithm);
  run.planning.layers = o.layers;
  run.planning.objective = o.fewest_bytes ? sparse::SpgemmObjective::bytes : sparse::SpgemmObjective::time;
  run.planning.memory_bytes = o.memory_bytes;
  run.semiring = o.semiring;
  run.shuffle = o.shuffle;
  run.verify = o.verify;
  require(o.threads >= 1, "threads is {}, expected 1 or more", o.threads);
  return run;
}

template <Scalar T>
Index layouts_fingerprint(const SparseMatrix<T>& a, const SparseMatrix<T>& b) {
  const Index both[] = {a.state().matrix.layout.fingerprint(), b.state().matrix.layout.fingerprint()};
  return comm::fingerprint(both);
}

template <Scalar T>
SparseMatrix<T> applied(Op op, const SparseMatrix<T>& a) {
  return op == Op::none ? a : op == Op::transpose ? a.transposed() : a.adjoint();
}

template <Scalar T>
SpgemmResult<T> run_product(const SparseMatrix<T>& a, const SparseMatrix<T>& b, const SparseMatrix<T>* mask,
                            bool complement, const SpgemmOptions& o, SparsePattern<T>* pattern,
                            const OwnSemiring<T>* own = nullptr) {
  if (o.op_a != Op::none || o.op_b != Op::none) {
    SpgemmOptions plain = o;
    plain.op_a = plain.op_b = Op::none;
    return run_product(applied(o.op_a, a), applied(o.op_b, b), mask, complement, plain, pattern, own);
  }
  const comm::CommView comm = comm_of(a.context());
  sparse::SpgemmRunOptions<T> run;
  comm::agree(comm, "spgemm",
              [&] {
                check_same_context(a, b, "B");
                if (mask != nullptr) check_same_context(a, *mask, "the mask");
                run = run_options<T>(o);
                require(pattern == nullptr || !pattern->known() ||
                            pattern->state().layouts == layouts_fingerprint(a, b),
                        "the pattern was learnt with other layouts of A and B");
              },
              {{"pattern", pattern == nullptr ? 0
                           : pattern->known() ? 2
                                              : 1}});
  if (own != nullptr) run.own = *own;
  Workers workers(o.threads);
  run.workers = o.threads > 1 ? &workers : nullptr;
  run.mask = mask == nullptr ? nullptr : &mask->state().matrix;
  run.mask_complement = complement;
  const comm::TrafficSnapshot before = comm.traffic().snapshot();
  if (pattern != nullptr) run.recall = &pattern->state().recall;
  if (pattern != nullptr && pattern->known()) run.method = pattern->state().method;
  sparse::SpgemmOutcome<T> outcome = sparse::multiply_sparse(comm, a.state().matrix, b.state().matrix, run);
  if (pattern != nullptr) {
    pattern->state().method = outcome.method;
    pattern->state().layouts = layouts_fingerprint(a, b);
  }
  SpgemmReport report;
  report.method = outcome.method.describe();
  add_traffic(report, comm.traffic().snapshot() - before);
  report.entries_received = outcome.counts.entries_received();
  report.voxels = outcome.counts.voxels;
  if (outcome.plan) {
    report.explain = outcome.plan->explain();
    report.expected_bytes = outcome.plan->best.cost.bytes;
    report.bound_entries = outcome.plan->bound.entries;
  }
  return {wrap(a.context(), std::move(outcome.c)), std::move(report)};
}

template <Scalar T>
std::vector<SparseEntry<T>> public_entries(const std::vector<sparse::Triple<T>>& triples) {
  std::vector<SparseEntry<T>> entries;
  for (const auto& t : triples) entries.push_back({t.row, t.column, t.value});
  return entries;
}

}  // namespace

template <Scalar T>
SparseMatrix<T>::SparseMatrix(const Context& context, Index rows, Index columns,
                              std::span<const SparseEntry<T>> mine, std::string_view layout) {
  const comm::CommView comm = comm_of(context);
  const sparse::SparseLayout where = agreed_layout(comm, layout, rows, columns);
  std::vector<sparse::Triple<T>> triples;
  for (const SparseEntry<T>& e : mine) triples.push_back({e.row, e.column, e.value});
  *this = wrap(context, sparse::from_triples<T>(comm, where, triples));
}

template <Scalar T>
const Context& SparseMatrix<T>::context() const {
  return state_->context;
}
template <Scalar T>
Index SparseMatrix<T>::rows() const {
  return state_->matrix.layout.rows();
}
template <Scalar T>
Index SparseMatrix<T>::columns() const {
  return state_->matrix.layout.columns();
}
template <Scalar T>
std::string SparseMatrix<T>::layout() const {
  return state_->matrix.layout.text();
}
template <Scalar T>
Index SparseMatrix<T>::local_entries() const {
  return state_->matrix.local.entries();
}
template <Scalar T>
Index SparseMatrix<T>::entries() const {
  return sparse::count_entries(comm_of(context()), state_->matrix);
}

template <Scalar T>
void SparseMatrix<T>::for_each(const std::function<void(Index, Index, const T&)>& f) const {
  for (const auto& t : sparse::global_triples(state_->matrix, context().rank())) f(t.row, t.column, t.value);
}

template <Scalar T>
std::vector<SparseEntry<T>> SparseMatrix<T>::local() const {
  return public_entries(sparse::global_triples(state_->matrix, context().rank()));
}

template <Scalar T>
std::vector<SparseEntry<T>> SparseMatrix<T>::gather(int root) const {
  const comm::CommView comm = comm_of(context());
  comm::agree(comm, "gather",
              [&] {
                require(root >= 0 && root < comm.size(), "root is {}, expected 0 <= root < {}", root,
                        comm.size());
              },
              {{"root", root}});
  return public_entries(sparse::to_triples(sparse::gather_sparse(comm, state_->matrix, root)));
}

template <Scalar T>
SparseMatrix<T> SparseMatrix<T>::in_layout(std::string_view layout) const {
  const comm::CommView comm = comm_of(context());
  return wrap(context(),
              sparse::convert(comm, state_->matrix, agreed_layout(comm, layout, rows(), columns())));
}

template <Scalar T>
SparseMatrix<T> SparseMatrix<T>::transposed() const {
  return wrap(context(), sparse::transpose_sparse(state_->matrix));
}

template <Scalar T>
SparsePattern<T>::SparsePattern() : state_(std::make_shared<detail::SparsePatternState<T>>()) {}
template <Scalar T>
bool SparsePattern<T>::known() const {
  return state_->method.has_value();
}

template <Scalar T>
SpgemmResult<T> spgemm(const SparseMatrix<T>& a, const SparseMatrix<T>& b, const SpgemmOptions& options,
                       SparsePattern<T>* pattern) {
  return run_product<T>(a, b, nullptr, false, options, pattern);
}

template <Scalar T>
SpgemmResult<T> spgemm(const SparseMatrix<T>& a, const SparseMatrix<T>& b, const OwnSemiring<T>& semiring,
                       const SpgemmOptions& options, SparsePattern<T>* pattern) {
  return run_product<T>(a, b, nullptr, false, options, pattern, &semiring);
}

template <Scalar T>
SpgemmResult<T> spgemm_masked(const SparseMatrix<T>& a, const SparseMatrix<T>& b, const SparseMatrix<T>& mask,
                              bool complement, const SpgemmOptions& options) {
  return run_product<T>(a, b, &mask, complement, options, nullptr);
}

DenseRows dense_rows(const Context& context, Index length) {
  const sparse::DenseRange range =
      sparse::dense_range(comm_of(context), require_not_negative(length, "length"));
  return {range.first, range.count};
}

template <Scalar T>
std::vector<T> spmm(const SparseMatrix<T>& a, std::span<const std::type_identity_t<T>> x, Index columns,
                    SparseSemiring semiring) {
  return sparse::multiply_dense<T>(comm_of(a.context()), a.state().matrix, x, columns, semiring);
}

#define CAIRN_INSTANTIATE(T)                                                                                \
  template class SparseMatrix<T>;                                                                           \
  template class SparsePattern<T>;                                                                          \
  template SpgemmResult<T> spgemm<T>(const SparseMatrix<T>&, const SparseMatrix<T>&, const SpgemmOptions&,  \
                                     SparsePattern<T>*);                                                    \
  template SpgemmResult<T> spgemm<T>(const SparseMatrix<T>&, const SparseMatrix<T>&, const OwnSemiring<T>&, \
                                     const SpgemmOptions&, SparsePattern<T>*);                              \
  template SpgemmResult<T> spgemm_masked<T>(const SparseMatrix<T>&, const SparseMatrix<T>&,                 \
                                            const SparseMatrix<T>&, bool, const SpgemmOptions&);            \
  template std::vector<T> spmm<T>(const SparseMatrix<T>&, std::span<const std::type_identity_t<T>>, Index,  \
                                  SparseSemiring);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn
