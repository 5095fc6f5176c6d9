#include "gemm/fast/local_steps.hpp"

#include <algorithm>

#include "gemm/fast/block_sums.hpp"

namespace cairn::gemm::fast {
namespace {

using program::Place;

template <Scalar T>
T* address(std::span<void* const> memory, const Place& p) {
  return static_cast<T*>(memory[static_cast<std::size_t>(p.array)]) + p.offset;
}

template <Scalar T>
class SumsOfSlabs : public program::LocalStep {
 public:
  SumsOfSlabs(Sums sums, std::vector<SlabBlock> inputs, std::vector<SlabBlock> outputs,
              std::vector<SlabRun> slabs)
      : sums_(std::move(sums)),
        inputs_(std::move(inputs)),
        outputs_(std::move(outputs)),
        slabs_(std::move(slabs)) {}

  void run(std::span<void* const> memory) const override {
    Workers alone(1);
    std::vector<Block<const T>> inputs;
    std::vector<Block<T>> outputs;
    for (const SlabRun& run : slabs_) {
      inputs.clear();
      outputs.clear();
      for (const SlabBlock& b : inputs_)
        inputs.push_back({address<T>(memory, b.slab(run)), b.blocks * run.length});
      for (const SlabBlock& b : outputs_)
        outputs.push_back({address<T>(memory, b.slab(run)), b.blocks * run.length});
      block_sums<T>(sums_, inputs, outputs, run.length, run.count, {}, alone);
    }
  }

 private:
  Sums sums_;
  std::vector<SlabBlock> inputs_, outputs_;
  std::vector<SlabRun> slabs_;
};

template <Scalar T>
class ZeroFill : public program::LocalStep {
 public:
  ZeroFill(Place to, Index count) : to_(to), count_(count) {}
  void run(std::span<void* const> memory) const override {
    T* const x = address<T>(memory, to_);
    std::fill(x, x + count_, T(0));
  }

 private:
  Place to_;
  Index count_;
};

template <Scalar T>
class FastLocalStep : public program::LocalStep {
 public:
  FastLocalStep(LocalProduct product, Place a, Place b, Place c, Place work)
      : product_(std::move(product)),
        a_(a),
        b_(b),
        c_(c),
        work_(work),
        elements_(workspace_elements(product_, false)) {}

  void run(std::span<void* const> memory) const override {
    Workers alone(1);
    const LocalProduct& p = product_;
    multiply<T>(p, T(1), address<T>(memory, a_), std::max<Index>(1, p.m), address<T>(memory, b_),
                std::max<Index>(1, p.k), T(0), address<T>(memory, c_), std::max<Index>(1, p.m),
                {address<T>(memory, work_), static_cast<std::size_t>(elements_)}, alone);
  }

 private:
  LocalProduct product_;
  Place a_, b_, c_, work_;
  Index elements_;
};

double level_flops(std::span<const Level> levels, double m, double n, double k, ScalarType type) {
  if (levels.empty()) return m * n * k * flops_per_voxel(type);
  const Recipe& r = *levels.front().fresh;
  m /= r.m0;
  n /= r.n0;
  k /= r.k0;
  double flops = r.products() * level_flops(levels.subspan(1), m, n, k, type);
  for (const auto& step : r.steps)
    if (const auto* pass = std::get_if<SumPassStep>(&step)) {
      const double size = pass->shape == Matrix::a ? m * k : pass->shape == Matrix::b ? k * n : m * n;
      flops += pass->sums.additions() * size * (is_complex(type) ? 2 : 1);
    } else if (std::get<ProductStep>(step).keep != 0) {
      flops += m * n * (is_complex(type) ? 2 : 1);
    }
  return flops;
}

}  // namespace

program::Kernel make_sums(ScalarType type, Sums sums, std::vector<SlabBlock> inputs,
                          std::vector<SlabBlock> outputs, std::vector<SlabRun> slabs) {
  double elements = 0;
  for (const SlabRun& s : slabs) elements += static_cast<double>(s.length) * static_cast<double>(s.count);
  const double flops = elements * sums.additions() * (is_complex(type) ? 2 : 1);
  return dispatch(type, [&]<Scalar T>() {
    return program::Kernel{std::make_shared<SumsOfSlabs<T>>(std::move(sums), std::move(inputs),
                                                            std::move(outputs), std::move(slabs)),
                           flops, false};
  });
}

program::Kernel make_zero(ScalarType type, Place to, Index count) {
  return dispatch(type, [&]<Scalar T>() {
    return program::Kernel{std::make_shared<ZeroFill<T>>(to, count), 0, false};
  });
}

program::Kernel make_local_product(ScalarType type, LocalProduct product, Place a, Place b, Place c,
                                   Place work) {
  const double flops = flops_of(product, type);
  return dispatch(type, [&]<Scalar T>() {
    return program::Kernel{std::make_shared<FastLocalStep<T>>(std::move(product), a, b, c, work), flops,
                           true};
  });
}

double flops_of(const LocalProduct& p, ScalarType type) {
  const auto real = [](Index i) { return static_cast<double>(i); };
  const Core core = core_of(p);
  const double all = real(p.m) * real(p.n) * real(p.k) * flops_per_voxel(type);
  if (p.levels.empty() || core.m == 0 || core.n == 0 || core.k == 0) return all;
  const double inner = real(core.m) * real(core.n) * real(core.k) * flops_per_voxel(type);
  return all - inner + level_flops(p.levels, real(core.m), real(core.n), real(core.k), type);
}

}  // namespace cairn::gemm::fast
