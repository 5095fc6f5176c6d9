#include "factor/pivot_choice.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "base/lapack.hpp"

namespace cairn::factor {
namespace {

template <Scalar T>
void permute_rows(Index rows, Index columns, T* block, Index ld, std::span<const Index> order) {
  std::vector<T> column(static_cast<std::size_t>(rows));
  for (Index j = 0; j < columns; ++j) {
    std::copy_n(block + j * ld, rows, column.begin());
    for (Index i = 0; i < rows; ++i)
      block[i + j * ld] = column[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])];
  }
}

}  // namespace

std::vector<Index> order_of_swaps(Index rows, std::span<const int> swaps) {
  std::vector<Index> order(static_cast<std::size_t>(rows));
  std::iota(order.begin(), order.end(), Index{0});
  for (std::size_t i = 0; i < swaps.size(); ++i)
    std::swap(order[i], order[static_cast<std::size_t>(swaps[i])]);
  return order;
}

template <Scalar T>
T encode_row(Index row) {
  T word{};
  if constexpr (sizeof(T) == sizeof(std::uint32_t)) {
    const auto bits = narrow<std::uint32_t>(row, "row number in a word of 32 bits");
    std::memcpy(static_cast<void*>(&word), &bits, sizeof bits);
  } else {
    std::memcpy(static_cast<void*>(&word), &row, sizeof row);
  }
  return word;
}

template <Scalar T>
Index decode_row(const T& word) {
  std::conditional_t<sizeof(T) == sizeof(std::uint32_t), std::uint32_t, Index> bits;
  std::memcpy(&bits, &word, sizeof bits);
  return static_cast<Index>(bits);
}

template <Scalar T>
std::vector<Index> elimination_order(PivotChoice pivoting, Index rows, Index columns, T* block, Index ld,
                                     std::span<const Index> numbers) {
  std::vector<Index> order;
  if (pivoting == PivotChoice::none) {
    order = order_of_swaps(rows, {});
    std::ranges::stable_sort(order, {}, [&](Index i) { return numbers[static_cast<std::size_t>(i)]; });
    permute_rows(rows, columns, block, ld, order);
    lapack::getrf_without_pivots<T>(rows, columns, block, ld);
  } else {
    std::vector<int> swaps(static_cast<std::size_t>(std::min(rows, columns)));
    lapack::getrf<T>(rows, columns, block, ld, swaps);
    order = order_of_swaps(rows, swaps);
  }
  order.resize(static_cast<std::size_t>(std::min(rows, columns)));
  return order;
}

template <Scalar T>
void write_pivots(std::span<const Index> pivots, const T* factors, Index ld, T* message) {
  const Index w = std::ssize(pivots);
  for (const Index row : pivots) *message++ = encode_row<T>(row);
  for (Index j = 0; j < w; ++j) message = std::copy_n(factors + j * ld + j + 1, w - j - 1, message);
  for (Index j = 0; j < w; ++j) message = std::copy_n(factors + j * ld, j + 1, message);
}

template <Scalar T>
std::vector<Index> read_pivots(Index count, const T* message) {
  std::vector<Index> pivots;
  for (Index i = 0; i < count; ++i) pivots.push_back(decode_row(message[i]));
  return pivots;
}

template <Scalar T>
void read_factors(Index w, const T* message, bool whole, T* block, Index ld) {
  message += w;
  for (Index j = 0; j < w; message += w - j - 1, ++j) std::copy_n(message, w - j - 1, block + j * ld + j + 1);
  for (Index j = 0; whole && j < w; message += j + 1, ++j) std::copy_n(message, j + 1, block + j * ld);
}

#define CAIRN_INSTANTIATE(T)                                                          \
  template T encode_row<T>(Index);                                                    \
  template Index decode_row(const T&);                                                \
  template std::vector<Index> elimination_order(PivotChoice, Index, Index, T*, Index, \
                                                std::span<const Index>);              \
  template void write_pivots(std::span<const Index>, const T*, Index, T*);            \
  template std::vector<Index> read_pivots(Index, const T*);                           \
  template void read_factors(Index, const T*, bool, T*, Index);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::factor
