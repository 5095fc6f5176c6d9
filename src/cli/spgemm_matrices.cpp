#include <exception>

#include "cli/session.hpp"
#include "cli/spgemm_options.hpp"
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

}  // namespace

template <Scalar T>
SpgemmSource<T>::SpgemmSource(CommView c, const std::string& file, const std::string& generator) : comm_(c) {
  if (file.empty()) {
    generator_ = sparse::parse_generator(generator);
    rows_ = generator_.rows;
    columns_ = generator_.columns;
    return;
  }
  const io::SparseInfo info = io::probe_sparse(c, file);
  rows_ = info.rows;
  columns_ = info.columns;
  triples_ = io::read_sparse<T>(c, file);
  from_file_ = true;
}

template <Scalar T>
DistSparse<T> SpgemmSource<T>::in(const SparseLayout& layout) const {
  if (!from_file_ && !row_shuffle_.moves() && !column_shuffle_.moves())
    return sparse::generate_sparse<T>(generator_, layout, comm_.rank());
  std::vector<io::Triple<T>> mine = triples_;
  if (!from_file_) {
    const auto rows = SparseLayout::row_blocks(rows_, columns_, comm_.size());
    mine = sparse::global_triples(sparse::generate_sparse<T>(generator_, rows, comm_.rank()), comm_.rank());
  }
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
  SpgemmSources<T> s{{c, o.a, o.generator}, {c, file_of_b(o), generator_of_b(o)}, {}, {}};
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
  WholePair<T> pair{sparse::generate<T>(sparse::parse_generator(o.generator)),
                    sparse::generate<T>(sparse::parse_generator(generator_of_b(o)))};
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
