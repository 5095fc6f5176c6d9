// The recurrences of paper 001, sections 3.3 and 3.4, halved: what one rank sends.
#include <algorithm>
#include <cmath>

#include "gemm/fast/choose.hpp"
#include "gemm/fast/local_steps.hpp"

namespace cairn::gemm::fast {
namespace {

struct Sizes {
  double m = 0, n = 0, k = 0;

  double of(Matrix x) const { return x == Matrix::a ? m * k : x == Matrix::b ? k * n : m * n; }
};

struct SumCounts {
  std::array<double, 3> additions{};  // of blocks of A, B, C
  std::array<double, 3> touched{};    // blocks read plus written
};

SumCounts counts_of(const FastStep& step) {
  SumCounts counts;
  const Recipe r =
      step.kind == StepKind::bfs ? one_pass(*step.algorithm, false) : one_at_a_time(*step.algorithm, false);
  for (const auto& s : r.steps)
    if (const auto* pass = std::get_if<SumPassStep>(&s))
      counts.additions[index(pass->shape)] += pass->sums.additions();
  for (const Matrix x : all_matrices) counts.touched[index(x)] = r.touched()[index(x)];
  if (step.kind == StepKind::bfs)  // what is sent is written, also blocks that are not sums
    for (const Matrix x : {Matrix::a, Matrix::b})
      counts.touched[index(x)] = step.algorithm->blocks(x) + step.algorithm->rank();
  return counts;
}

class Recurrence {
 public:
  Recurrence(const FastSchedule& s, const FastRates& rates) : s_(s), rates_(rates) {
    for (const FastStep& step : s.steps) counts_.push_back(counts_of(step));
  }

  FastCost at(std::size_t step, const Sizes& size, double ranks) const {
    if (step == s_.steps.size()) return base(size);
    const Bilinear& x = *s_.steps[step].algorithm;
    const Sizes block{size.m / x.m0, size.n / x.n0, size.k / x.k0};
    const bool bfs = s_.steps[step].kind == StepKind::bfs;
    const double q = x.rank();
    const FastCost below = at(step + 1, block, bfs ? ranks / q : ranks);
    FastCost cost;
    const double repeat = bfs ? 1 : q;
    cost.words = repeat * below.words;
    cost.messages = repeat * below.messages + (bfs ? 3 * (q - 1) : 0);
    cost.flops = repeat * below.flops;
    cost.sum_seconds = repeat * below.sum_seconds;
    cost.multiply_seconds = repeat * below.multiply_seconds;
    cost.memory_words = below.memory_words;
    for (const Matrix y : all_matrices) {
      const double share = block.of(y) / ranks;
      if (bfs) cost.words += (q - 1) * share;
      cost.memory_words += (bfs ? q : 1) * share;
      cost.flops += counts_[step].additions[index(y)] * share * wide();
      cost.sum_seconds += counts_[step].touched[index(y)] * pass_seconds(share);
    }
    // What is sent of A and B is held besides what arrives.
    if (bfs)
      cost.memory_words +=
          std::max(0.0, (q - 1) * (block.of(Matrix::a) + block.of(Matrix::b)) / ranks - below.memory_words);
    return cost;
  }

 private:
  double wide() const { return is_complex(s_.problem.type) ? 2 : 1; }
  double pass_seconds(double elements) const {
    if (elements < 1) return 0;
    const double size = elements * bytes(s_.problem.type);
    return size / rate_at(rates_.sums, std::sqrt(size / 8));
  }

  FastCost base(const Sizes& size) const {
    const Grid& g = s_.base;
    const double pm = g.pm, pn = g.pn, pk = g.pk;
    const Sizes brick{size.m / pm, size.n / pn, size.k / pk};
    FastCost cost;
    const std::array<double, 3> along{pn, pm, pk};
    for (const Matrix x : all_matrices) {
      const double p = along[index(x)];
      cost.words += brick.of(x) * (1 - 1 / p);
      cost.messages += p - 1;
      if (p > 1) cost.memory_words += brick.of(x);
    }
    const auto whole = [](double x) { return std::max<Index>(1, std::llround(x)); };
    const LocalProduct p{.m = whole(brick.m), .n = whole(brick.n), .k = whole(brick.k), .levels = s_.local};
    cost.flops = flops_of(p, s_.problem.type);
    cost.multiply_seconds = predicted_seconds(p, false, s_.problem.type, rates_);
    cost.memory_words += static_cast<double>(workspace_elements(p, false));
    return cost;
  }

  const FastSchedule& s_;
  const FastRates& rates_;
  std::vector<SumCounts> counts_;
};

}  // namespace

FastCost cost_of(const FastSchedule& s, const FastRates& rates) {
  Sizes padded{1, 1, 1};
  for (const FastStep& step : s.steps) {
    padded.m *= step.algorithm->m0;
    padded.n *= step.algorithm->n0;
    padded.k *= step.algorithm->k0;
  }
  const auto up = [](Index size, double parts) {
    return parts * std::ceil(static_cast<double>(size) / parts);
  };
  padded = {up(s.problem.m, padded.m), up(s.problem.n, padded.n), up(s.problem.k, padded.k)};
  const auto ranks = static_cast<double>(s.ranks());
  FastCost cost = Recurrence(s, rates).at(0, padded, ranks);
  for (const Matrix x : all_matrices) cost.memory_words += padded.of(x) / ranks;
  return cost;
}

double seconds_of(const FastCost& cost, const Machine& machine, ScalarType type) {
  return machine.alpha * cost.messages + machine.beta * cost.words * bytes(type) / 8 + cost.sum_seconds +
         cost.multiply_seconds;
}

}  // namespace cairn::gemm::fast
