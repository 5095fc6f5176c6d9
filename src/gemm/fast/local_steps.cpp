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

  void run(const program::LocalRun& given) const override {
    Workers workers(is_long() ? given.threads : 1);
    std::vector<Block<const T>> inputs;
    std::vector<Block<T>> outputs;
    for (const SlabRun& run : slabs_) {
      inputs.clear();
      outputs.clear();
      for (const SlabBlock& b : inputs_)
        inputs.push_back({address<T>(given.memory, b.slab(run)), b.blocks * run.length});
      for (const SlabBlock& b : outputs_)
        outputs.push_back({address<T>(given.memory, b.slab(run)), b.blocks * run.length});
      block_sums<T>(sums_, inputs, outputs, run.length, run.count, {}, workers);
    }
  }

 private:
  // Below, to start threads takes longer than to add.
  bool is_long() const {
    constexpr Index enough = 1 << 18;
    return !slabs_.empty() && slabs_.back().before + slabs_.back().length * slabs_.back().count >= enough;
  }

  Sums sums_;
  std::vector<SlabBlock> inputs_, outputs_;
  std::vector<SlabRun> slabs_;
};

template <Scalar T>
class ZeroFill : public program::LocalStep {
 public:
  ZeroFill(Place to, Index count) : to_(to), count_(count) {}
  void run(const program::LocalRun& given) const override {
    T* const x = address<T>(given.memory, to_);
    std::fill(x, x + count_, T(0));
  }

 private:
  Place to_;
  Index count_;
};

template <Scalar T>
class FastLocalStep : public program::LocalStep {
 public:
  FastLocalStep(LocalProduct product, const program::Multiply& x, Place work)
      : product_(std::move(product)),
        x_(x),
        work_(work),
        elements_(x.beta.is(0) ? workspace_elements(product_, false) : most_workspace(product_)) {}

  void run(const program::LocalRun& given) const override {
    Workers workers(given.threads);
    multiply<T>(product_, value(x_.alpha, given), address<T>(given.memory, x_.a), x_.lda,
                address<T>(given.memory, x_.b), x_.ldb, value(x_.beta, given), address<T>(given.memory, x_.c),
                x_.ldc, {address<T>(given.memory, work_), static_cast<std::size_t>(elements_)}, workers);
  }

 private:
  static T value(const program::Factor& f, const program::LocalRun& given) {
    const T number = T(static_cast<Real<T>>(f.number));
    if (f.parameter == program::Factor::no_parameter) return number;
    return number * static_cast<const T*>(given.parameters)[f.parameter];
  }

  LocalProduct product_;
  program::Multiply x_;
  Place work_;
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

program::Kernel make_local_product(ScalarType type, LocalProduct product, const program::Multiply& x,
                                   Place work) {
  const double flops = flops_of(product, type);
  return dispatch(type, [&]<Scalar T>() {
    return program::Kernel{std::make_shared<FastLocalStep<T>>(std::move(product), x, work), flops, true};
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
