#include <algorithm>
#include <array>
#include <chrono>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "gemm/fast/block_sums.hpp"
#include "gemm/fast/rates.hpp"

namespace cairn::gemm::fast {
namespace {

using Clock = std::chrono::steady_clock;

struct Seconds {
  double median = 0;
  double noise = 0;  // half of what lies between the fastest and all but the slowest, beside the median
};

// The median of as many runs as fit into the budget, `least` at least. Not the best of them: a level does its
// products one after the other, the slow ones too, and the best of many short runs is farther from their mean
// than the best of two long ones, which would make small products look better than they are.
template <class F>
Seconds time_of(double budget, int least, F&& f) {
  std::vector<double> all;
  const Clock::time_point start = Clock::now();
  const auto since = [](Clock::time_point t) {
    return std::chrono::duration<double>(Clock::now() - t).count();
  };
  while (std::cmp_less(all.size(), least) || since(start) < budget) {
    const Clock::time_point begin = Clock::now();
    f();
    all.push_back(since(begin));
  }
  std::ranges::sort(all);
  const double median = all[all.size() / 2];
  const double slow = all[all.size() > 2 ? all.size() - 2 : all.size() - 1];  // one may have met anything
  return {median, (slow - all.front()) / (2 * median)};
}

// Blocks as a level meets them: parts of larger matrices, with the leading dimension of those, that nothing has
// touched for a while. What has just been used would still be in the cache, and sums would look several times as
// fast as they are between products that have emptied it.
class SubBlocks {
 public:
  static constexpr Index ld = 4096;
  struct Three {
    const double *a, *b;
    double* c;
  };

  SubBlocks() : a_(ld * columns), b_(ld * columns), c_(ld * columns) {
    for (Index i = 0; i < ld * columns; ++i) a_[i] = b_[i] = c_[i] = 1.0 / static_cast<double>(i + 1);
  }

  // The next block of side n, down and then across.
  Three next(Index n) {
    const Index down = ld / n, across = columns / n, i = number_ % down, j = number_ / down % across;
    ++number_;
    const Index at = i * n + j * n * ld;
    return {a_.data() + at, b_.data() + at, c_.data() + at};
  }

 private:
  static constexpr Index columns = 4096;  // 3 x 128 MiB: larger than caches are

  Buffer<double> a_, b_, c_;
  Index number_ = 0;
};

}  // namespace

FastRates measure_rates(Workers& workers, double seconds) {
  constexpr std::array<Index, 8> sides{32, 64, 128, 256, 512, 1024, 2048, 4096};
  constexpr double long_run = 3;       // seconds: instead of longer products the trend is taken
  constexpr Index long_enough = 1024;  // for its time to say how steady the machine is
  FastRates rates{.threads = workers.threads(), .gemm = {}, .sums = {}};
  SubBlocks blocks;
  const Sums plus{2, {{0, 1, 1, 1}}, {2}};
  const double budget = seconds / (2 * sides.size());
  for (const Index n : sides) {
    const auto real = static_cast<double>(n);
    const Seconds timed = time_of(budget, n < 4096 ? 3 : 1, [&] {
      const SubBlocks::Three x = blocks.next(n);
      blas::gemm<double>(Op::none, Op::none, n, n, n, 1, x.a, SubBlocks::ld, x.b, SubBlocks::ld, 0, x.c,
                         SubBlocks::ld);
    });
    // A large product can be cut into smaller ones, so it is not slower: where it seems to be, others have
    // disturbed the longer measurement, and levels would be chosen that do not pay.
    const double product = timed.median;
    if (n >= long_enough) rates.noise = std::max(rates.noise, timed.noise);
    const double before = rates.gemm.empty() ? 0 : rates.gemm.back().rate;
    rates.gemm.push_back({real, std::max(before, 2 * real * real * real / product)});
    const Seconds sum = time_of(budget, 3, [&] {
      const SubBlocks::Three x = blocks.next(n);
      const std::array<Block<const double>, 2> inputs{{{x.a, SubBlocks::ld}, {x.b, SubBlocks::ld}}};
      const std::array<Block<double>, 1> outputs{{{x.c, SubBlocks::ld}}};
      block_sums<double>(plus, inputs, outputs, n, n, {}, workers);
    });
    rates.sums.push_back({real, 3 * 8 * real * real / sum.median});
    if (8 * product > long_run) break;
  }
  return rates;
}

}  // namespace cairn::gemm::fast
