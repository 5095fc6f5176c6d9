#include <cmath>
#include <exception>

#include "cli/node_memory.hpp"
#include "cli/session.hpp"
#include "cli/spgemm_options.hpp"
#include "cli/table.hpp"
#include "comm/agreement.hpp"
#include "io/sparse_files.hpp"
#include "sparse/local/operations.hpp"

namespace cairn::cli {
namespace {

using comm::CommView;
using sparse::Csr;
using sparse::DistSparse;
using sparse::SparseLayout;

std::string file_of_b(const SpgemmRequest& o) { return o.b.empty() ? o.a : o.b; }
std::string generator_of_b(const SpgemmRequest& o) {
  return o.generator_b.empty() ? o.generator : o.generator_b;
}

template <Scalar T>
WholePair<T> pair_of(CommView c, const SpgemmRequest& o) {
  require(c.size() == 1, "a plan is made on one rank, but {} were started", c.size());
  const SpgemmSources<T> s = spgemm_sources<T>(c, o);
  return {s.a.in("on 0").local, s.b.in("on 0").local};
}

// MPI is started on this process alone for what reads files.
template <Scalar T>
WholePair<T> pair_in_files(const SpgemmRequest& o) {
  WholePair<T> pair;
  std::exception_ptr error;
  run_on_ranks(0, [&](CommView c) {
    try {
      pair = pair_of<T>(c, o);
    } catch (...) {
      error = std::current_exception();
    }
  });
  if (error) std::rethrow_exception(error);
  return pair;
}

std::vector<Index> moved_indices(const sparse::Shuffle& shuffle, Index length) {
  std::vector<Index> to;
  for (Index i = 0; i < length && shuffle.moves(); ++i) to.push_back(shuffle(i));
  return to;
}

template <Scalar T>
void turn(std::vector<io::Triple<T>>& triples, Op op) {
  if (op == Op::none) return;
  for (io::Triple<T>& t : triples) {
    std::swap(t.row, t.column);
    if (op == Op::adjoint) t.value = conj(t.value);
  }
}

template <Scalar T>
Csr<T> turned(const Csr<T>& a, Op op) {
  return op == Op::adjoint ? sparse::adjoint(a) : sparse::transpose(a);
}

// What it takes to make a matrix is known before it is made: entries as places, with values, and in rows.
template <Scalar T>
void require_room(const std::string& matrix, double entries, Index rows, double share_of_node) {
  constexpr double each = 2 * sizeof(Index) + sizeof(io::Triple<T>) + sizeof(sparse::Local) + sizeof(T);
  require_free_memory(fmt::format("'{}' with about {} entries", matrix, number_text(std::round(entries))),
                      (each * entries + sizeof(Index) * static_cast<double>(rows)) * share_of_node);
}

template <Scalar T>
void agree_on_room(CommView c, const std::string& matrix, double entries, Index rows) {
  const double share = static_cast<double>(comm::ranks_on_this_node(c)) / c.size();
  comm::agree(c, "memory of the node", [&] { require_room<T>(matrix, entries, rows, share); });
}

template <Scalar T>
Csr<T> whole(const std::string& generator, Op op) {
  const sparse::Generator g = sparse::parse_generator(generator);
  require_room<T>(generator, sparse::expected_entries(g), g.rows, 1);
  Csr<T> a = sparse::generate<T>(g);
  return op == Op::none ? a : turned(a, op);
}

}  // namespace

template <Scalar T>
SpgemmSource<T>::SpgemmSource(CommView c, const std::string& file, const std::string& generator, Op op)
    : comm_(c), op_(op), from_file_(!file.empty()) {
  if (from_file_) {
    const io::SparseInfo info = io::probe_sparse(c, file);
    rows_ = info.rows;
    columns_ = info.columns;
    const int halves = info.symmetry == io::Symmetry::general ? 1 : 2;
    agree_on_room<T>(c, file, static_cast<double>(info.stored) * halves, rows_);
    triples_ = io::read_sparse<T>(c, file);
    turn(triples_, op);
  } else {
    generator_ = sparse::parse_generator(generator);
    rows_ = generator_.rows;
    columns_ = generator_.columns;
    agree_on_room<T>(c, generator, sparse::expected_entries(generator_), rows_);
  }
  if (op != Op::none) std::swap(rows_, columns_);
}

// Made where it is wanted: of op(X) the rank makes the block of X that its own is the transpose of.
template <Scalar T>
DistSparse<T> SpgemmSource<T>::generated(const SparseLayout& layout) const {
  if (op_ == Op::none) return sparse::generate_sparse<T>(generator_, layout, comm_.rank());
  const DistSparse<T> x = sparse::generate_sparse<T>(generator_, layout.transposed(), comm_.rank());
  return {layout, turned(x.local, op_)};
}

template <Scalar T>
DistSparse<T> SpgemmSource<T>::in(const SparseLayout& layout) const {
  if (!from_file_ && !row_shuffle_.moves() && !column_shuffle_.moves()) return generated(layout);
  std::vector<io::Triple<T>> mine = triples_;
  if (!from_file_)
    mine = sparse::global_triples(generated(SparseLayout::row_blocks(rows_, columns_, comm_.size())),
                                  comm_.rank());
  for (io::Triple<T>& t : mine) {
    t.row = row_shuffle_(t.row);
    t.column = column_shuffle_(t.column);
  }
  return sparse::from_triples<T>(comm_, layout, mine);
}

template <Scalar T>
DistSparse<T> SpgemmSource<T>::in(const std::string& layout) const {
  return in(SparseLayout::parse(layout, rows_, columns_, comm_.size()));
}

template <Scalar T>
SpgemmSources<T> spgemm_sources(CommView c, const SpgemmRequest& o) {
  SpgemmSources<T> s{{c, o.a, o.generator, parse_op("--op-a", o.op_a)},
                     {c, file_of_b(o), generator_of_b(o), parse_op("--op-b", o.op_b)},
                     {},
                     {}};
  const SpgemmShuffles by = shuffles_of(o, {s.a.rows(), s.b.columns(), s.a.columns()});
  if (s.a.columns() != s.b.rows()) return s;  // an error that planning names
  s.a.shuffle(by.m, by.k);
  s.b.shuffle(by.k, by.n);
  s.rows = by.m;
  s.columns = by.n;
  return s;
}

template <Scalar T>
WholePair<T> whole_pair(const SpgemmRequest& o) {
  if (!o.a.empty()) return pair_in_files<T>(o);
  const WholePair<T> pair{whole<T>(o.generator, parse_op("--op-a", o.op_a)),
                          whole<T>(generator_of_b(o), parse_op("--op-b", o.op_b))};
  const SpgemmShuffles by = shuffles_of(o, {pair.a.rows, pair.b.columns, pair.a.columns});
  if (!o.shuffle || pair.a.columns != pair.b.rows) return pair;
  const std::vector<Index> m = moved_indices(by.m, pair.a.rows), k = moved_indices(by.k, pair.a.columns),
                           n = moved_indices(by.n, pair.b.columns);
  return {sparse::permute<T>(pair.a, m, k), sparse::permute<T>(pair.b, k, n)};
}

#define CAIRN_SOURCES(T)                                                             \
  template class SpgemmSource<T>;                                                    \
  template SpgemmSources<T> spgemm_sources<T>(comm::CommView, const SpgemmRequest&); \
  template WholePair<T> whole_pair<T>(const SpgemmRequest&);
CAIRN_FOR_EACH_SCALAR(CAIRN_SOURCES)
#undef CAIRN_SOURCES

}  // namespace cairn::cli
