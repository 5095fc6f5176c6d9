#include "sparse/local/merge.hpp"

#include "sparse/local/accumulators.hpp"
#include "sparse/local/row_pieces.hpp"

namespace cairn::sparse {
namespace {

template <class T>
Array<Index> terms_of_rows(std::span<const Csr<T>> parts) {
  Array<Index> terms(parts[0].rows, 0);
  for (const Csr<T>& part : parts) {
    require(part.rows == parts[0].rows && part.columns == parts[0].columns,
            "a part is {} x {}, expected {} x {} like the first", part.rows, part.columns, parts[0].rows,
            parts[0].columns);
    for (Index i = 0; i < part.rows; ++i) terms[i] += part.entries_of(i);
  }
  return terms;
}

// Rows that are added up, one after another, on one thread.
template <SemiringType S>
class RowAdder {
 public:
  using T = typename S::Value;
  explicit RowAdder(std::span<const Csr<T>> parts)
      : parts_(parts), columns_(parts[0].columns), sorter_(columns_) {}

  Index bound(Index, Index terms) const { return std::min(terms, columns_); }

  Index row(Index i, Index terms, Local* columns_of, T* values) {
    if (terms >= columns_ / 64) {
      dense_.start({0, columns_}, columns_of, values);
      put_terms(i, dense_);
      return dense_.finish();
    }
    hash_.start(bound(i, terms), columns_of, values);
    put_terms(i, hash_);
    sorter_.sort(columns_of, values, hash_.finish());
    return hash_.finish();
  }

 private:
  template <class Row>
  void put_terms(Index i, Row& row) const {
    for (const Csr<T>& part : parts_)
      for (Index p = part.starts[i]; p < part.starts[i + 1]; ++p) row.put(part.columns_of[p], part.values[p]);
  }

  std::span<const Csr<T>> parts_;
  Index columns_;
  HashRow<S> hash_;
  DenseRow<S> dense_;
  RowSorter<T> sorter_;
};

}  // namespace

template <SemiringType S>
Csr<typename S::Value> merge(std::span<const Csr<typename S::Value>> parts, Workers* workers) {
  using T = typename S::Value;
  require(!parts.empty(), "there are 0 parts to merge, expected 1 or more");
  const Array<Index> terms = terms_of_rows(parts);
  const std::vector<Index> cuts = cut_rows(terms.span(), thread_count(workers));
  Csr<T> c = Csr<T>::zero(parts[0].rows, parts[0].columns);
  std::vector<RowPieces<T>> pieces(cuts.size() - 1);
  on_threads(workers, [&](int thread) {
    const auto t = static_cast<std::size_t>(thread);
    RowAdder<S> adder(parts);
    make_rows(adder, terms, cuts[t], cuts[t + 1], c, pieces[t]);
  });
  join_rows(workers, cuts, pieces, c);
  return c;
}

#define CAIRN_INSTANTIATE(S) template Csr<S::Value> merge<S>(std::span<const Csr<S::Value>>, Workers*);
CAIRN_FOR_EACH_SEMIRING(CAIRN_INSTANTIATE)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::sparse
