// Blocks of every shape, alignment and stride, in the caches and past them, against the plain double loop;
// what lies around them is not touched.
#include "layout/exchange/strided_update.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

namespace cairn::layout {
namespace {

struct UpdateShape {
  Index nu, nv;
  Index src_u, src_v, dst_u, dst_v;  // strides
  Index src_at, dst_at;              // offsets: lines of memory begin anywhere
};

UpdateShape random_shape(std::mt19937_64& random) {
  const auto pick = [&](Index low, Index high) {
    return std::uniform_int_distribution<Index>(low, high)(random);
  };
  UpdateShape s{pick(0, 150), pick(0, 150), 1, 1, 1, 1, pick(0, 9), pick(0, 9)};
  // Often a stride of whole cache lines, where the lines of a block are aligned alike.
  const auto beyond = [&](Index n) { return pick(0, 1) == 0 ? n + pick(0, 5) : ceil_div(n + 1, 8) * 8; };
  const auto orient = [&](Index& u, Index& v) {
    if (pick(0, 1) == 0)
      u = 1, v = beyond(s.nu);
    else
      v = 1, u = beyond(s.nv);
    if (pick(0, 9) == 0) u *= 2, v *= 2;  // nothing contiguous
  };
  orient(s.src_u, s.src_v);
  orient(s.dst_u, s.dst_v);
  return s;
}

template <class T>
std::vector<T> numbers(Index count, std::mt19937_64& random) {
  std::uniform_real_distribution<double> value(-1, 1);
  std::vector<T> all(static_cast<std::size_t>(count));
  for (T& x : all) {
    if constexpr (ScalarTraits<T>::is_complex)
      x = T(static_cast<typename T::value_type>(value(random)),
            static_cast<typename T::value_type>(value(random)));
    else
      x = static_cast<T>(value(random));
  }
  return all;
}

template <class T>
class StridedUpdate : public testing::Test {};
using Types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(StridedUpdate, Types);

TYPED_TEST(StridedUpdate, EqualsThePlainLoop) {
  using T = TypeParam;
  std::mt19937_64 random(7);
  const std::vector<T> factors{T(0), T(1), T(2)};
  for (int round = 0; round < 1500; ++round) {
    const UpdateShape s = random_shape(random);
    const auto end = [&](Index at, Index u, Index v) { return at + s.nu * u + s.nv * v + 8; };
    const std::vector<T> src = numbers<T>(end(s.src_at, s.src_u, s.src_v), random);
    std::vector<T> dst = numbers<T>(end(s.dst_at, s.dst_u, s.dst_v), random);
    std::vector<T> expected = dst;
    Update<T> update;
    update.stream = round % 2 == 0;
    if (round % 3 == 0) {
      update.alpha = factors[random() % 3];
      update.beta = factors[random() % 3];
      update.conjugate = random() % 2 == 0;
    }
    for (Index v = 0; v < s.nv; ++v)
      for (Index u = 0; u < s.nu; ++u) {
        const T a = src[static_cast<std::size_t>(s.src_at + u * s.src_u + v * s.src_v)];
        T& b = expected[static_cast<std::size_t>(s.dst_at + u * s.dst_u + v * s.dst_v)];
        b = update.alpha * (update.conjugate ? conj(a) : a) + (update.beta == T(0) ? T(0) : update.beta * b);
      }
    strided_update<T>(s.nu, s.nv, {src.data() + s.src_at, s.src_u, s.src_v},
                      {dst.data() + s.dst_at, s.dst_u, s.dst_v}, update);
    // Factors of 0, 1 and 2 leave nothing to round but the sum, which both round alike.
    ASSERT_EQ(dst, expected) << "round " << round << ": " << s.nu << " x " << s.nv << ", strides " << s.src_u
                             << " " << s.src_v << " -> " << s.dst_u << " " << s.dst_v;
  }
}

}  // namespace
}  // namespace cairn::layout
