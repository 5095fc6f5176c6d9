#include "gemm/fast/block_sums.hpp"

#include <algorithm>
#include <array>

#include "gemm/fast/sum_kernel.hpp"

namespace cairn::gemm::fast {
namespace {

constexpr Index scratch_bytes = Index{1} << 14;   // half of a first cache
constexpr Index least_parallel = Index{1} << 15;  // elements: below, waking a thread costs more

// Where the value of a step goes: an output that nothing reads any more, or a stretch of scratch.
struct Destination {
  int output = -1;
  int slot = -1;
};

template <class R>
struct Arguments {  // as real elements
  std::vector<const R*> inputs;
  std::vector<Index> input_ld;
  std::vector<R*> outputs;
  std::vector<Index> output_ld;
};

// The steps of a pass with everything decided that does not depend on the position.
template <class R>
class SumPass {
 public:
  SumPass(const Sums& sums, const Arguments<R>& arguments, std::span<const double> factors)
      : sums_(sums), args_(arguments), destinations_(sums.steps.size()) {
    for (std::size_t o = 0; o < sums.outputs.size(); ++o) place(o);
    for (Destination& d : destinations_)
      if (d.output < 0) d.slot = slots_++;
    for (const SumStep& s : sums.steps)
      coefficients_.push_back({coefficient(s.cx, s.x, factors), coefficient(s.cy, s.y, factors)});
    for (const int v : sums.outputs)
      output_factors_.push_back(v >= 0 && v < sums.inputs ? factor(v, factors) : R(1));
  }

  Index stretch() const {
    const Index most = scratch_bytes / static_cast<Index>(sizeof(R)) / std::max(1, slots_);
    return std::max<Index>(64, std::min<Index>(1024, most / 16 * 16));
  }
  int slots() const { return slots_; }

  // `count` elements from row `row` of column `column`.
  void run(Index row, Index column, Index count, R* scratch, std::vector<R*>& values) const {
    const auto input = [&](int v) {
      return const_cast<R*>(args_.inputs[at(v)] + row + column * args_.input_ld[at(v)]);
    };
    const auto output = [&](std::size_t o) { return args_.outputs[o] + row + column * args_.output_ld[o]; };
    values.clear();
    for (int v = 0; v < sums_.inputs; ++v) values.push_back(input(v));
    for (std::size_t s = 0; s < sums_.steps.size(); ++s) {
      const Destination& d = destinations_[s];
      R* z = d.output >= 0 ? output(at(d.output)) : scratch + d.slot * stretch();
      const SumStep& step = sums_.steps[s];
      const R* x = values[at(step.x)];
      sum_two(z, x, step.y >= 0 ? values[at(step.y)] : x, coefficients_[s][0], coefficients_[s][1], count);
      values.push_back(z);
    }
    for (std::size_t o = 0; o < sums_.outputs.size(); ++o) finish(o, output(o), values, count);
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  static R factor(int value, std::span<const double> factors) {
    const bool has = value >= 0 && at(value) < factors.size();
    return has ? static_cast<R>(factors[at(value)]) : R(1);
  }
  static R coefficient(const Rational& c, int value, std::span<const double> factors) {
    return static_cast<R>(c.value()) * factor(value, factors);
  }

  // The last step that reads input v; -1 if none does. Outputs that are an input read it at the very end.
  int last_reader(int v) const {
    for (const int o : sums_.outputs)
      if (o == v) return static_cast<int>(sums_.steps.size());
    int last = -1;
    for (std::size_t s = 0; s < sums_.steps.size(); ++s)
      if (sums_.steps[s].x == v || sums_.steps[s].y == v) last = static_cast<int>(s);
    return last;
  }
  void place(std::size_t o) {
    const int step = sums_.outputs[o] - sums_.inputs;
    if (step < 0 || destinations_[at(step)].output >= 0) return;
    for (int v = 0; v < sums_.inputs; ++v)
      if (args_.inputs[at(v)] == args_.outputs[o] && last_reader(v) > step) return;
    destinations_[at(step)].output = static_cast<int>(o);
  }
  void finish(std::size_t o, R* z, const std::vector<R*>& values, Index count) const {
    const int v = sums_.outputs[o];
    if (v < 0)
      std::fill(z, z + count, R(0));
    else if (values[at(v)] != z)
      sum_two(z, values[at(v)], values[at(v)], output_factors_[o], R(0), count);
    else if (output_factors_[o] != R(1))
      sum_two(z, z, z, output_factors_[o], R(0), count);
  }

  const Sums& sums_;
  const Arguments<R>& args_;
  std::vector<Destination> destinations_;
  std::vector<std::array<R, 2>> coefficients_;
  std::vector<R> output_factors_;
  int slots_ = 0;
};

template <class R>
void sweep(const SumPass<R>& pass, Index rows, Index columns, int part, int parts) {
  std::vector<R> scratch(static_cast<std::size_t>(pass.slots() * pass.stretch()));
  std::vector<R*> values;
  const Index stretches = ceil_div(rows, pass.stretch());
  const Index all = stretches * columns;
  for (Index i = all * part / parts; i < all * (part + 1) / parts; ++i) {
    const Index row = i % stretches * pass.stretch();
    pass.run(row, i / stretches, std::min(pass.stretch(), rows - row), scratch.data(), values);
  }
}

template <class Blocks>
bool all_dense(const Blocks& blocks, Index rows) {
  return std::all_of(blocks.begin(), blocks.end(), [&](const auto& b) { return b.ld == rows; });
}

}  // namespace

template <Scalar T>
void block_sums(const Sums& sums, std::span<const Block<const T>> inputs, std::span<const Block<T>> outputs,
                Index rows, Index columns, std::span<const double> factors, Workers& workers) {
  using R = Real<T>;
  if (rows == 0 || columns == 0) return;
  constexpr Index wide = sizeof(T) / sizeof(R);
  Arguments<R> arguments;
  for (const auto& b : inputs) {
    arguments.inputs.push_back(reinterpret_cast<const R*>(b.data));
    arguments.input_ld.push_back(b.ld * wide);
  }
  for (const auto& b : outputs) {
    arguments.outputs.push_back(reinterpret_cast<R*>(b.data));
    arguments.output_ld.push_back(b.ld * wide);
  }
  const SumPass<R> pass(sums, arguments, factors);
  Index height = rows * wide;
  if (all_dense(inputs, rows) && all_dense(outputs, rows)) {  // one long column
    height *= columns;
    columns = 1;
  }
  const int threads = height * columns < least_parallel ? 1 : workers.threads();
  if (threads == 1) return sweep(pass, height, columns, 0, 1);
  workers.run([&](int t) { sweep(pass, height, columns, t, threads); });
}

#define CAIRN_BLOCK_SUMS(T)                                                                                \
  template void block_sums(const Sums&, std::span<const Block<const T>>, std::span<const Block<T>>, Index, \
                           Index, std::span<const double>, Workers&);
CAIRN_BLOCK_SUMS(float)
CAIRN_BLOCK_SUMS(double)
CAIRN_BLOCK_SUMS(std::complex<float>)
CAIRN_BLOCK_SUMS(std::complex<double>)
#undef CAIRN_BLOCK_SUMS

}  // namespace cairn::gemm::fast
