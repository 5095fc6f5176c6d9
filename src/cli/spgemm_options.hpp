// What `cairn spgemm` is asked for, and where its matrices come from.
#pragma once

#include <any>
#include <functional>

#include "cli/operation.hpp"
#include "sparse/generate_sparse.hpp"
#include "sparse/local/shuffle.hpp"
#include "sparse/spgemm_run.hpp"

namespace cairn::cli {

struct SpgemmRequest {
  std::string a, b, out, mask;
  std::string generator, generator_b;
  std::string algorithm = "auto", semiring = "plus-times", layout = "native", objective = "bytes", type = "d";
  std::string op_a = "N", op_b = "N";
  std::optional<Index> layers;
  bool mask_complement = false, shuffle = false, reuse = false;
  // Of `cairn bound` alone.
  Index n = 0;
  std::optional<double> d;

  // Found by look(), on ranks: the inputs as they were measured, and they themselves (SpgemmSources<T>).
  std::optional<sparse::SpgemmSample> sample;
  std::any sources;
  int threads = 1;

  bool native() const { return layout == "native"; }
};

void add_spgemm_options(Command app, SpgemmRequest& o, Verb verb);
// Throws what is wrong with the options.
void read_spgemm_options(SpgemmRequest& o, const SharedOptions& shared);
sparse::SpgemmPlanOptions planning_of(const SpgemmRequest& o, const SharedOptions& shared);

// op(X) of a matrix X that can be had in any layout: generated there, or read from a file and sent there; its rows and
// columns permuted on the way, if that is wanted.
template <Scalar T>
class SpgemmSource {
 public:
  SpgemmSource(comm::CommView c, const std::string& file, const std::string& generator, Op op = Op::none);

  Index rows() const { return rows_; }
  Index columns() const { return columns_; }
  void shuffle(const sparse::Shuffle& rows, const sparse::Shuffle& columns) {
    row_shuffle_ = rows;
    column_shuffle_ = columns;
  }
  // Collective.
  sparse::DistSparse<T> in(const sparse::SparseLayout& layout) const;
  sparse::DistSparse<T> in(const std::string& layout) const;

 private:
  sparse::DistSparse<T> generated(const sparse::SparseLayout& layout) const;

  comm::CommView comm_;
  Index rows_ = 0, columns_ = 0;
  sparse::Generator generator_;
  Op op_ = Op::none;
  bool from_file_ = false;
  std::vector<io::Triple<T>> triples_;
  sparse::Shuffle row_shuffle_, column_shuffle_;
};

template <Scalar T>
struct SpgemmSources {
  SpgemmSource<T> a, b;
  sparse::Shuffle rows, columns;  // of C
};
// Collective.
template <Scalar T>
SpgemmSources<T> spgemm_sources(comm::CommView c, const SpgemmRequest& o);

// Whole, on this process alone: generated, or read from files.
template <Scalar T>
struct WholePair {
  sparse::Csr<T> a, b;
};
template <Scalar T>
WholePair<T> whole_pair(const SpgemmRequest& o);

// With --shuffle: permutations of the rows of A, of k and of the columns of B.
struct SpgemmShuffles {
  sparse::Shuffle m, k, n;
};
SpgemmShuffles shuffles_of(const SpgemmRequest& o, const sparse::ProductShape& shape);

// The plan as the table of operations shows it.
Planned plan_spgemm_operation(const SpgemmRequest& o, const SharedOptions& shared, int ranks);

}  // namespace cairn::cli
