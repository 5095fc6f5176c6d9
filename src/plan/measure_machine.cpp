#include "plan/measure_machine.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <random>

#include "base/blas.hpp"
#include "base/buffer.hpp"
#include "comm/collectives.hpp"

namespace cairn::plan {
namespace {

using comm::CommView;

constexpr int repeats = 5;  // the least counts: what the machine can do when nothing else disturbs it

// How long things are measured, as parts of the seconds that the whole may take. A quick look is taken within somebody
// else's program: it moves no more than a small product would.
struct Effort {
  double seconds;
  bool is_quick() const { return seconds < 0.5; }
  double long_enough() const { return 0.03 * seconds; }  // of a second: above what the system disturbs
  double budget() const { return 0.1 * seconds; }        // of the runs of one thing
  Index copied_columns() const { return is_quick() ? 1 << 11 : 1 << 14; }
  int small_messages() const { return is_quick() ? 20 : 200; }
  Index most_words() const { return Index{1} << (is_quick() ? 16 : 21); }  // of all ranks
  int large_messages() const { return is_quick() ? 2 : repeats; }
};

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Of the slowest rank, all at once: the least of so many runs, fewer where they take long. All ranks know the same
// times, so that they stop together.
template <class F>
double together(CommView c, double budget, F&& f, int runs = repeats) {
  double least = 1e300, spent = 0;
  for (int i = 0; i < runs && spent < budget; ++i) {
    comm::barrier(c);
    const double start = seconds_now();
    f();
    const double seconds = comm::allreduce(c, seconds_now() - start, comm::ReduceOp::max);
    least = std::min(least, seconds);
    spent += seconds;
  }
  return least;
}

// Seconds per operation of a product that is large enough, packing and all.
double measure_gamma(CommView c, const Effort& effort) {
  for (Index n = 256;; n *= 2) {
    Buffer<double> a(n * n), b(n * n), x(n * n);
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (Index i = 0; i < n * n; ++i) a[i] = b[i] = uniform(random);
    const auto multiply = [&] {
      blas::gemm(Op::none, Op::none, n, n, n, 1.0, a.data(), n, b.data(), n, 0.0, x.data(), n);
    };
    multiply();  // touches the memory
    const double seconds = together(c, effort.budget(), multiply, 3);
    if (seconds > effort.long_enough() || n >= 1024) return seconds / (2.0 * static_cast<double>(n * n * n));
  }
}

// Seconds per word of a block that is packed: columns of 64 words out of a longer matrix.
double measure_copy(CommView c, const Effort& effort) {
  constexpr Index rows = 64, stride = 192;
  const Index columns = effort.copied_columns();
  Buffer<double> from(stride * columns), to(rows * columns);
  std::ranges::fill(from.span(), 1.0);
  std::ranges::fill(to.span(), 2.0);
  const double seconds = together(c, effort.budget(), [&] {
    for (Index j = 0; j < columns; ++j)
      std::memcpy(to.data() + j * rows, from.data() + j * stride,
                  static_cast<std::size_t>(rows) * sizeof(double));
  });
  return seconds / static_cast<double>(rows * columns);
}

struct LinkSample {
  double seconds = 0;
  double messages = 0, words = 0;  // of this rank, the larger direction
};

LinkSample sum(const LinkSample& a, const LinkSample& b) {
  return {a.seconds + b.seconds, a.messages + b.messages, a.words + b.words};
}

template <class F>
LinkSample sample(CommView c, double budget, int runs, F&& f) {
  const comm::TrafficSnapshot before = c.traffic().snapshot();
  f();
  const comm::Counters moved = (c.traffic().snapshot() - before).total();
  return {together(c, budget, f, runs),
          static_cast<double>(std::max(moved.sent.messages, moved.received.messages)),
          static_cast<double>(std::max(moved.sent.words, moved.received.words))};
}

// An allgather and a reduce-scatter of `words` words per rank: what a product does.
LinkSample sample_collectives(CommView c, double budget, Index words, int runs) {
  const auto mine_count = static_cast<std::size_t>(words);
  std::vector<double> mine(mine_count, 1.0), all(mine_count * static_cast<std::size_t>(c.size()), 1.0);
  const LinkSample gather =
      sample(c, budget, runs, [&] { comm::allgather(c, std::span<const double>(mine), std::span(all)); });
  const LinkSample combine = sample(c, budget, runs, [&] {
    comm::reduce_scatter(c, std::span<const double>(all), std::span(mine), comm::ReduceOp::sum);
  });
  return sum(gather, combine);
}

void measure_links(CommView c, const Effort& effort, Machine& m) {
  const LinkSample small = sample_collectives(c, effort.budget(), 1, effort.small_messages());
  m.alpha = std::max(1e-9, small.seconds / std::max(1.0, small.messages));
  const Index most = std::max<Index>(1, effort.most_words() / c.size());  // of a rank
  LinkSample large = small;
  for (Index words = effort.is_quick() ? most : std::min<Index>(most, 1 << 10);
       words <= most && large.seconds < effort.long_enough(); words *= 8)
    large = sample_collectives(c, effort.budget(), words, effort.large_messages());
  m.beta = std::max(1e-12, (large.seconds - m.alpha * large.messages) / std::max(1.0, large.words));
}

}  // namespace

Machine measure_machine(CommView checked, double seconds) {
  const CommView c = checked.unchecked();
  const Effort effort{seconds};
  Machine m;
  m.gamma = measure_gamma(c, effort);
  m.copy = measure_copy(c, effort);
  if (c.size() > 1) measure_links(c, effort, m);
  return shared_machine(c, m);
}

Machine shared_machine(CommView c, Machine m) {
  std::array<double, 5> values{m.alpha, m.beta, m.gamma, m.memory_words, m.copy};
  comm::broadcast(c, std::span<double>(values), 0);
  return {.alpha = values[0],
          .beta = values[1],
          .gamma = values[2],
          .memory_words = values[3],
          .copy = values[4]};
}

bool still_holds(CommView checked, const Machine& m) {
  constexpr double most_times = 6;
  if (checked.size() == 1) return true;
  const LinkSample s = sample_collectives(checked.unchecked(), Effort{1}.budget(), 1 << 12, repeats);
  const double predicted = m.alpha * s.messages + m.beta * s.words;
  return s.seconds < most_times * predicted && predicted < most_times * s.seconds;
}

}  // namespace cairn::plan
