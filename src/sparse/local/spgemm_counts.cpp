// The pattern of a product without its values.
#include "sparse/local/spgemm_body.hpp"

namespace cairn::sparse {
namespace {

// Nothing is computed: the entries are counted.
struct Presence {
  using Value = std::uint8_t;
  static Value zero() { return 0; }
  static Value add(Value, Value) { return 1; }
  static Value multiply(Value, Value) { return 1; }
};

template <MaskMode mode>
class RowCounter {
 public:
  RowCounter(const PatternView& a, const PatternView& b, const SpgemmOptions& options)
      : a_(a), b_(b), options_(options) {}

  Index count(Index i, Index voxels) {
    if (voxels == 0) return 0;
    const Index bound = std::min(voxels, b_.columns);
    columns_of_.resize(bound);
    values_.resize(bound);
    if constexpr (mode == MaskMode::none) {
      if (const auto columns = few_columns(a_, b_, i, voxels)) {
        dense_.start(*columns, columns_of_.data(), values_.data());
        return put_all(i, dense_);
      }
      hash_.start(bound, columns_of_.data(), values_.data());
    } else {
      hash_.start(bound, columns_of_.data(), values_.data(), options_.mask->pattern.row(i));
    }
    return put_all(i, hash_);
  }

 private:
  template <class Row>
  Index put_all(Index i, Row& row) {
    for (const Local k : a_.row(i))
      for (const Local column : b_.row(k)) row.put(column, 1);
    return row.finish();
  }

  PatternView a_, b_;
  const SpgemmOptions& options_;
  HashRow<Presence, mode> hash_;
  DenseRow<Presence> dense_;
  Array<Local> columns_of_;
  Array<std::uint8_t> values_;
};

template <MaskMode mode>
Array<Index> count_rows(const PatternView& a, const PatternView& b, const SpgemmOptions& options) {
  const Array<Index> voxels = spgemm_voxels(a, b);
  const std::vector<Index> cuts = cut_rows(voxels.span(), thread_count(options.workers));
  Array<Index> counts(a.rows);
  on_threads(options.workers, [&](int thread) {
    const auto t = static_cast<std::size_t>(thread);
    RowCounter<mode> counter(a, b, options);
    for (Index i = cuts[t]; i < cuts[t + 1]; ++i) counts[i] = counter.count(i, voxels[i]);
  });
  return counts;
}

}  // namespace

Array<Index> spgemm_counts(const PatternView& a, const PatternView& b, const SpgemmOptions& options) {
  check_product(a, b, options);
  if (!options.mask) return count_rows<MaskMode::none>(a, b, options);
  return options.mask->complement ? count_rows<MaskMode::except>(a, b, options)
                                  : count_rows<MaskMode::only>(a, b, options);
}

}  // namespace cairn::sparse
