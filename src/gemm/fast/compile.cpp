#include "gemm/fast/compile.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "gemm/fast/step_compiler.hpp"

namespace cairn::gemm::fast {
namespace {

using program::Factor;
using program::Place;

Factor factor_of(Coefficient kind, int parameter) {
  if (kind == Coefficient::other) return Factor::of_parameter(parameter);
  return Factor::of(kind == Coefficient::one ? 1 : 0);
}

program::Operand operand(const PlacedMatrix& x, int array) {
  return {x.layout, {array, 0}, x.elements, x.leading_dimension};
}

// C := alpha product + beta C, elements that lie together.
program::LinearCombination finish_c(const Problem& p, Index count, Place product) {
  program::LinearCombination x;
  x.to = {array_c, 0};
  x.rows = count;
  x.columns = 1;
  x.ld = std::max<Index>(1, count);
  x.keep = factor_of(p.beta, parameter_beta);
  if (p.multiplies()) x.terms.push_back({factor_of(p.alpha, parameter_alpha), product, x.ld});
  return x;
}

// The exchanges around a product of matrices that lie anyhow.
class PlacedCompiler {
 public:
  PlacedCompiler(const Dealt& dealt, int rank, int ranks, const layout::RedistributeOptions& options)
      : dealt_(dealt), rank_(rank), ranks_(ranks), options_(options), steps_(dealt, rank, ranks) {}

  program::Program compile(const PlacedMatrix& a, const PlacedMatrix& b, const PlacedMatrix& c) {
    const Problem& p = dealt_.schedule().problem;
    const Place left = bring_in(a, Matrix::a, p.op_a), right = bring_in(b, Matrix::b, p.op_b);
    if (!moves_in_.empty()) add(std::move(moves_in_), "redistribute in");
    const bool plain = p.alpha == Coefficient::one && p.beta == Coefficient::zero;
    const bool stays = lies_as_dealt(c, Matrix::c, Op::none);
    const Place product = stays && plain ? Place{array_c, 0} : take(Matrix::c);
    if (rank_ < dealt_.schedule().ranks()) {
      steps_.product(left, right, product);
      if (stays && !plain) steps_.add(finish_c(p, dealt_.share(Matrix::c, rank_), product), "sums");
    }
    if (!stays)
      add({{factor_of(p.alpha, parameter_alpha), Op::none, dealt_operand(Matrix::c, product),
            factor_of(p.beta, parameter_beta), operand(c, array_c)}},
          "redistribute out");
    return steps_.finish();
  }

 private:
  Place take(Matrix x) { return steps_.take(dealt_.share(x, rank_)); }

  // In the memory that the first step wants: the sums read it where it is.
  bool lies_as_dealt(const PlacedMatrix& x, Matrix which, Op op) {
    if (dealt_.is_padded() || (op == Op::adjoint && is_complex(dealt_.schedule().problem.type))) return false;
    return (op == Op::none ? x.layout : x.layout.transposed()) == dealt_layout(which);
  }
  Place bring_in(const PlacedMatrix& x, Matrix which, Op op) {
    const int array = static_cast<int>(index(which)) + 1;
    if (lies_as_dealt(x, which, op)) return {array, 0};
    const Place to = take(which);
    if (dealt_.is_padded())
      steps_.add(make_zero(dealt_.schedule().problem.type, to, dealt_.share(which, rank_)), "sums");
    moves_in_.push_back(move_in(op, operand(x, array), which, to));
    return to;
  }

  // Asked for more than once, and made of the pieces of all ranks.
  const layout::Layout& dealt_layout(Matrix x) {
    std::optional<layout::Layout>& known = dealt_layouts_[index(x)];
    if (!known) known = dealt_.layout(x);
    return *known;
  }
  program::Operand dealt_operand(Matrix x, Place at) {
    return {dealt_layout(x), at, dealt_.share(x, rank_), 0};
  }
  program::ExchangeMove move_in(Op op, program::Operand from, Matrix x, Place to) {
    return {Factor::of(1), op, std::move(from), Factor::of(0), dealt_operand(x, to)};
  }
  void add(std::vector<program::ExchangeMove> moves, std::string_view phase) {
    std::vector<layout::Move> planned;
    for (const program::ExchangeMove& m : moves) planned.push_back({m.from.layout, m.to.layout, m.op});
    auto plan = std::make_shared<const layout::ExchangePlan>(std::move(planned), rank_, ranks_);
    steps_.add(program::Communicate{program::Exchange{std::move(plan), std::move(moves), options_}}, phase);
  }

  const Dealt& dealt_;
  std::array<std::optional<layout::Layout>, 3> dealt_layouts_;
  int rank_, ranks_;
  layout::RedistributeOptions options_;
  StepCompiler steps_;
  std::vector<program::ExchangeMove> moves_in_;
};

}  // namespace

program::Program compile(const FastSchedule& schedule, int rank, int ranks) {
  check(schedule, ranks);
  const Dealt dealt(schedule);
  const Problem& p = schedule.problem;
  StepCompiler steps(dealt, rank, ranks);
  if (rank < schedule.ranks()) {
    const Index count = dealt.share(Matrix::c, rank);
    const bool plain = p.alpha == Coefficient::one && p.beta == Coefficient::zero;
    const Place product = plain ? Place{array_c, 0} : steps.take(p.multiplies() ? count : 0);
    if (p.multiplies()) steps.product({array_a, 0}, {array_b, 0}, product);
    if (!plain || !p.multiplies()) steps.add(finish_c(p, count, product), "sums");
  }
  program::Program program = steps.finish();
  for (const Matrix x : all_matrices) program.array_counts[index(x) + 1] = dealt.share(x, rank);
  return program;
}

program::Program compile_placed(const FastSchedule& schedule, const PlacedMatrix& a, const PlacedMatrix& b,
                                const PlacedMatrix& c, int rank, int ranks,
                                const layout::RedistributeOptions& options) {
  check(schedule, ranks);
  const Dealt dealt(schedule);
  require(schedule.problem.multiplies(), "{} has nothing to multiply", describe(schedule.problem));
  program::Program program = PlacedCompiler(dealt, rank, ranks, options).compile(a, b, c);
  program.array_counts[array_a] = a.elements;
  program.array_counts[array_b] = b.elements;
  program.array_counts[array_c] = c.elements;
  return program;
}

}  // namespace cairn::gemm::fast
