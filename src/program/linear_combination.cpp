#include "program/linear_combination.hpp"

#include <algorithm>
#include <array>

namespace cairn::program {
namespace {

// A column and N terms; Keep: what is there is added to.
template <std::size_t N, bool Keep, Scalar T>
void combine_column(Index rows, T keep, T* to, const ScaledMatrix<T>* terms, Index column) {
  std::array<const T*, N> x{};
  for (std::size_t t = 0; t < N; ++t) x[t] = terms[t].data + column * terms[t].ld;
  for (Index i = 0; i < rows; ++i) {
    T sum = Keep ? keep * to[i] : T(0);
    for (std::size_t t = 0; t < N; ++t) sum += terms[t].factor * x[t][i];
    to[i] = sum;
  }
}

template <Scalar T>
using ColumnLoop = void (*)(Index, T, T*, const ScaledMatrix<T>*, Index);

template <Scalar T>
ColumnLoop<T> column_loop(std::size_t terms, bool keep) {
  constexpr std::array<ColumnLoop<T>, 5> fresh{combine_column<0, false, T>, combine_column<1, false, T>,
                                               combine_column<2, false, T>, combine_column<3, false, T>,
                                               combine_column<4, false, T>};
  constexpr std::array<ColumnLoop<T>, 5> kept{combine_column<0, true, T>, combine_column<1, true, T>,
                                              combine_column<2, true, T>, combine_column<3, true, T>,
                                              combine_column<4, true, T>};
  return (keep ? kept : fresh)[terms];
}

}  // namespace

template <Scalar T>
void combine(Index rows, Index columns, T keep, T* to, Index ld, std::span<const ScaledMatrix<T>> terms) {
  constexpr std::size_t at_once = 4;
  if (terms.empty() && keep == T(1)) return;
  for (Index j = 0; j < columns; ++j) {  // all terms of a column while it is in the cache
    std::size_t done = std::min(at_once, terms.size());
    column_loop<T>(done, keep != T(0))(rows, keep, to + j * ld, terms.data(), j);
    for (; done < terms.size(); done += std::min(at_once, terms.size() - done))
      column_loop<T>(std::min(at_once, terms.size() - done), true)(rows, T(1), to + j * ld,
                                                                   terms.data() + done, j);
  }
}

#define CAIRN_INSTANTIATE(T) \
  template void combine(Index, Index, T, T*, Index, std::span<const ScaledMatrix<T>>);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::program
