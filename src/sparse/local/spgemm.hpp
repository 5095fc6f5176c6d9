// C = A B on one rank, over a semiring, with threads.
//
//   Workers workers(4);
//   Csr<double> c = spgemm<PlusTimes<double>>(a, b, {.workers = &workers});
//
// With a semiring of one's own, include sparse/local/spgemm_body.hpp instead.
#pragma once

#include <optional>

#include "base/workers.hpp"
#include "sparse/local/csr.hpp"
#include "sparse/local/semiring.hpp"

namespace cairn::sparse {

// Compute only where the pattern has an entry, or with `complement` only where it has none. Need not be
// sorted.
struct Mask {
  PatternView pattern;
  bool complement = false;
};

struct SpgemmOptions {
  bool sorted = true;  // rows of C; unsorted is faster
  std::optional<Mask> mask = {};
  Workers* workers = nullptr;  // threads to use; none: this one
};

// Voxels of each row of the product: the sum over its entries A(i,k) of the entries of row k of B.
Array<Index> spgemm_voxels(const PatternView& a, const PatternView& b);

// Entries of each row of the product, exactly. No values are read.
Array<Index> spgemm_counts(const PatternView& a, const PatternView& b, const SpgemmOptions& options = {});

// A and B need not be sorted. Throws ArgumentError where the shapes do not match, the mask's included, and
// MemoryError. Memory beside C: per thread 12 bytes and a value per column of B at most.
template <SemiringType S>
Csr<typename S::Value> spgemm(const CsrView<typename S::Value>& a, const CsrView<typename S::Value>& b,
                              const SpgemmOptions& options = {});

// The same with blocks most of whose rows are empty: time and memory do not depend on the number of rows.
template <SemiringType S>
Dcsr<typename S::Value> spgemm(const Dcsr<typename S::Value>& a, const Dcsr<typename S::Value>& b,
                               const SpgemmOptions& options = {});

// The values of a product whose pattern is known: c has the rows of an earlier spgemm (without a mask or
// with) of matrices with the same patterns. Terms outside of c's pattern are passed over.
template <SemiringType S>
void spgemm_values(const CsrView<typename S::Value>& a, const CsrView<typename S::Value>& b,
                   Csr<typename S::Value>& c, Workers* workers = nullptr);

#define CAIRN_SPGEMM_OF(KEYWORD, S)                                                                          \
  KEYWORD template Csr<S::Value> spgemm<S>(const CsrView<S::Value>&, const CsrView<S::Value>&,               \
                                           const SpgemmOptions&);                                            \
  KEYWORD template Dcsr<S::Value> spgemm<S>(const Dcsr<S::Value>&, const Dcsr<S::Value>&,                    \
                                            const SpgemmOptions&);                                           \
  KEYWORD template void spgemm_values<S>(const CsrView<S::Value>&, const CsrView<S::Value>&, Csr<S::Value>&, \
                                         Workers*);
#define CAIRN_EXTERN_SPGEMM(S) CAIRN_SPGEMM_OF(extern, S)
CAIRN_FOR_EACH_SEMIRING(CAIRN_EXTERN_SPGEMM)
#undef CAIRN_EXTERN_SPGEMM

}  // namespace cairn::sparse
