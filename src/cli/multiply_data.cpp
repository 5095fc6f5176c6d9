#include "cli/multiply_data.hpp"

namespace cairn::cli {
namespace {

// Spreads every bit of a counter over all bits of the result: xor-shifts and odd multipliers.
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
  x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
  return x ^ (x >> 32);
}

double between_minus_one_and_one(std::uint64_t bits) {
  return static_cast<double>(static_cast<std::int64_t>(bits) >> 11) * 0x1p-52;
}

}  // namespace

template <Scalar T>
T random_element(gemm::Matrix matrix, Index row, Index col) {
  const std::uint64_t column = mixed(static_cast<std::uint64_t>(col) * 3 + index(matrix) + 1);
  const std::uint64_t bits = mixed(column + static_cast<std::uint64_t>(row) * 0x9e3779b97f4a7c15u);
  const auto first = static_cast<Real<T>>(between_minus_one_and_one(bits));
  if constexpr (ScalarTraits<T>::is_complex)
    return {first, static_cast<Real<T>>(between_minus_one_and_one(mixed(bits)))};
  else
    return first;
}

template float random_element(gemm::Matrix, Index, Index);
template double random_element(gemm::Matrix, Index, Index);
template std::complex<float> random_element(gemm::Matrix, Index, Index);
template std::complex<double> random_element(gemm::Matrix, Index, Index);

}  // namespace cairn::cli
