#include "program/local_product.hpp"

#include <gtest/gtest.h>

#include <random>

namespace cairn::program {
namespace {

std::vector<double> numbers(Index count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<double> x(static_cast<std::size_t>(count));
  for (double& v : x) v = static_cast<double>(random() % 17) - 8;
  return x;
}

// Whole numbers, so that every order of the sums gives the same.
void compare(Op op_b, Index m, Index n, Index k, int least_calls) {
  const Index ldb = op_b == Op::none ? k : n;
  const std::vector<double> a = numbers(m * k, 1), b = numbers(k * n, 2), c = numbers(m * n, 3);
  std::vector<double> whole = c, strips = c;
  LocalProduct<double> product{Op::none, op_b,         m, n, k, 2.0, a.data(), m, b.data(), ldb,
                               -1.0,     whole.data(), m};
  multiply(product);
  product.c = strips.data();
  int calls = 0;
  multiply_in_strips(product, [&] {
    ++calls;
    return false;
  });
  EXPECT_EQ(whole, strips) << m << " x " << n << " x " << k;
  EXPECT_GE(calls, least_calls);
}

TEST(LocalProduct, GiveTheProductAndDriveInBetween) {
  for (const Op op_b : {Op::none, Op::transpose}) {
    compare(op_b, 500, 1000, 300, 16 * 2);
    compare(op_b, 3, 5, 7, 0);
    compare(op_b, 800, 193, 400, 16);
  }
}

}  // namespace
}  // namespace cairn::program
