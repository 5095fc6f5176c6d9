#include "cli/measure.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <random>

#include "base/blas.hpp"
#include "comm/collectives.hpp"

namespace cairn::cli {
namespace {

// The least of several runs: what the machine can do when nothing else disturbs it.
template <class F>
double least_seconds(int runs, F&& f) {
  double least = 1e300;
  for (int i = 0; i < runs; ++i) {
    const double start = seconds_now();
    f();
    least = std::min(least, seconds_now() - start);
  }
  return least;
}

// Half of a round trip of `bytes`.
double one_way(comm::CommView c, Index bytes, int runs, int trips) {
  Buffer<char> data(bytes);
  std::memset(data.data(), 1, static_cast<std::size_t>(bytes));
  const int last = c.size() - 1;
  const double seconds = least_seconds(runs, [&] {
    for (int i = 0; i < trips; ++i) {
      if (c.rank() == 0) comm::send(c, data.span(), last);
      if (c.rank() == last) comm::receive(c, data.span(), 0);
      if (c.rank() == last) comm::send(c, data.span(), 0);
      if (c.rank() == 0) comm::receive(c, data.span(), last);
    }
  });
  return seconds / (2.0 * trips);
}

}  // namespace

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double gemm_flops_per_second(Index n) {
  Buffer<double> a(n * n), b(n * n), c(n * n);
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (Index i = 0; i < n * n; ++i) {
    a[i] = uniform(random);
    b[i] = uniform(random);
  }
  const double seconds = least_seconds(
      4, [&] { blas::gemm(Op::none, Op::none, n, n, n, 1.0, a.data(), n, b.data(), n, 0.0, c.data(), n); });
  return 2.0 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n) / seconds;
}

double copy_bytes_per_second(Index bytes) {
  Buffer<char> from(bytes), to(bytes);
  std::memset(from.data(), 1, static_cast<std::size_t>(bytes));
  std::memset(to.data(), 2, static_cast<std::size_t>(bytes));
  const double seconds =
      least_seconds(6, [&] { std::memcpy(to.data(), from.data(), static_cast<std::size_t>(bytes)); });
  return static_cast<double>(bytes) / seconds;
}

Link measure_link(comm::CommView comm) {
  const comm::CommView c = comm.unchecked();
  Link link;
  if (c.size() > 1) {
    constexpr Index large = Index{4} << 20;
    link.alpha = one_way(c, 8, 20, 100);
    link.beta = std::max(1e-13, one_way(c, large, 10, 4) - link.alpha) / static_cast<double>(large);
  }
  comm::broadcast(c, std::span(&link.alpha, 1), 0);
  comm::broadcast(c, std::span(&link.beta, 1), 0);
  return link;
}

}  // namespace cairn::cli
