#include <algorithm>
#include <array>
#include <chrono>

#include "base/buffer.hpp"
#include "gemm/fast/block_sums.hpp"
#include "gemm/fast/rates.hpp"

namespace cairn::gemm::fast {
namespace {

using Clock = std::chrono::steady_clock;

// The best of as many runs as fit into the budget, two at least: others may share the machine.
template <class F>
double best_seconds(double budget, F&& f) {
  double best = 1e300;
  const Clock::time_point start = Clock::now();
  const auto since = [](Clock::time_point t) {
    return std::chrono::duration<double>(Clock::now() - t).count();
  };
  for (int run = 0; run < 2 || since(start) < budget; ++run) {
    const Clock::time_point begin = Clock::now();
    f();
    best = std::min(best, since(begin));
  }
  return best;
}

}  // namespace

FastRates measure_rates(Workers& workers, double seconds) {
  constexpr std::array<Index, 7> sides{32, 64, 128, 256, 512, 1024, 2048};
  const Index most = sides.back();
  FastRates rates{workers.threads(), {}, {}};
  Buffer<double> a(most * most), b(most * most), c(most * most);
  for (Index i = 0; i < most * most; ++i) a[i] = b[i] = c[i] = 1.0 / static_cast<double>(i + 1);
  const Sums plus{2, {{0, 1, 1, 1}}, {2}};
  const double budget = seconds / (2 * sides.size());
  for (const Index n : sides) {
    const auto real = static_cast<double>(n);
    const double product = best_seconds(budget, [&] {
      blas::gemm<double>(Op::none, Op::none, n, n, n, 1, a.data(), n, b.data(), n, 0, c.data(), n);
    });
    // A large product can be cut into smaller ones, so it is not slower: where it seems to be, others have
    // disturbed the longer measurement, and levels would be chosen that do not pay.
    const double before = rates.gemm.empty() ? 0 : rates.gemm.back().rate;
    rates.gemm.push_back({real, std::max(before, 2 * real * real * real / product)});
    const std::array<Block<const double>, 2> inputs{{{a.data(), n}, {b.data(), n}}};
    const std::array<Block<double>, 1> outputs{{{c.data(), n}}};
    const double sum =
        best_seconds(budget, [&] { block_sums<double>(plus, inputs, outputs, n, n, {}, workers); });
    rates.sums.push_back({real, 3 * 8 * real * real / sum});
  }
  return rates;
}

}  // namespace cairn::gemm::fast
