#include "daap/cover.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "daap/entropy.hpp"

namespace cairn::daap {
namespace {

class CoverSolver {
 public:
  CoverSolver(const CoverProblem& problem, WorkBudget& budget)
      : problem_(problem), accesses_(problem.incidence.size()), budget_(budget) {
    face_.least = transpose(problem.incidence);
    face_.at_least = RationalVector(face_.least.size(), 1);
  }

  Cover run() {
    const LinearOptimum first = optimum(problem_.growth);
    face_.equal = {problem_.growth};
    face_.equal_to = {first.value};
    Rational sigma = 0;
    for (const Rational& w : first.x) sigma = sigma + w;
    // All optimal covers have this sum unless growths differ; then it is fixed, which keeps the choice
    // convex.
    face_.equal.push_back(RationalVector(accesses_, 1));
    face_.equal_to.push_back(sigma);
    return on_face();
  }

 private:
  LinearOptimum optimum(const RationalVector& cost) const {
    LinearProgram program = face_;
    program.cost = cost;
    std::optional<LinearOptimum> found = minimise(program, budget_);
    require(found.has_value(), "a variable is covered by no access");
    return *found;
  }

  // The face of optimal covers: its relative interior point is the mean of the extreme points in every
  // coordinate; equations that hold on all of it are the ones that hold there.
  Cover on_face() {
    RationalVector interior(accesses_, 0);
    long count = 0;
    const auto visit = [&](const RationalVector& cost) {
      const RationalVector point = optimum(cost).x;
      for (std::size_t j = 0; j < accesses_; ++j) interior[j] = interior[j] + point[j];
      ++count;
    };
    for (std::size_t j = 0; j < accesses_; ++j)
      for (const int sign : {1, -1}) {
        RationalVector cost(accesses_, 0);
        cost[j] = sign;
        visit(cost);
      }
    for (const RationalVector& row : face_.least) visit(negated(row));
    for (Rational& w : interior) w = w / count;
    return best_around(interior);
  }

  static RationalVector negated(RationalVector row) {
    for (Rational& entry : row) entry = -entry;
    return row;
  }

  static Rational dot(const RationalVector& a, const RationalVector& b) {
    Rational sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum = sum + a[i] * b[i];
    return sum;
  }

  RationalMatrix directions(const RationalVector& interior) const {
    RationalMatrix tight = face_.equal;
    for (const RationalVector& row : face_.least)
      if (dot(row, interior) == 1) tight.push_back(row);
    for (std::size_t j = 0; j < accesses_; ++j)
      if (cln::zerop(interior[j])) {
        tight.emplace_back(accesses_, 0);
        tight.back()[j] = 1;
      }
    return null_space(tight, accesses_);
  }

  // Where the minimum of the plane leaves the face, the cover it violates most becomes an equation, and the
  // search goes on in that smaller face.
  Cover best_around(const RationalVector& interior) {
    const RationalMatrix basis = directions(interior);
    if (basis.empty()) return {interior, !narrowed_ || is_minimum(interior)};
    const EntropyMinimum minimum = minimise_entropy(interior, basis, factors());
    const std::size_t worst = least_covered(minimum.weights);
    if (worst == face_.least.size())
      return {minimum.weights,
              factors_known() && minimum.exact && (!narrowed_ || is_minimum(minimum.weights))};
    narrowed_ = true;
    face_.equal.push_back(face_.least[worst]);
    face_.equal_to.push_back(1);
    return on_face();
  }

  bool factors_known() const {
    return std::all_of(problem_.factors.begin(), problem_.factors.end(),
                       [](const auto& factor) { return factor.has_value(); });
  }

  RationalVector factors() const {
    RationalVector result(accesses_, 1);
    if (factors_known())
      for (std::size_t j = 0; j < accesses_; ++j) result[j] = *problem_.factors[j];
    return result;
  }

  // The variable whose cover is farthest below 1, or the number of variables if all are covered.
  std::size_t least_covered(const RationalVector& weights) const {
    std::size_t worst = face_.least.size();
    Rational least = 1;
    for (std::size_t t = 0; t < face_.least.size(); ++t)
      if (const Rational sum = dot(face_.least[t], weights); sum < least) {
        worst = t;
        least = sum;
      }
    return worst;
  }

  // A convex function is least at w if its gradient there is least at w over the whole face.
  bool is_minimum(const RationalVector& weights) const {
    const RationalVector c = factors();
    RationalVector gradient(accesses_, 0);
    for (std::size_t j = 0; j < accesses_; ++j)
      if (cln::plusp(weights[j]))
        gradient[j] = static_cast<long>(std::ldexp(std::log(to_double(weights[j] / c[j])), 40));
    LinearProgram program = face_;
    program.equal.resize(2);  // the face of all optimal covers
    program.equal_to.resize(2);
    program.cost = gradient;
    const std::optional<LinearOptimum> least = minimise(program, budget_);
    const Rational tolerance = 4096;  // 2^-28 of the unit above
    return factors_known() && least && dot(gradient, weights) <= least->value + tolerance;
  }

  const CoverProblem& problem_;
  std::size_t accesses_;
  LinearProgram face_;
  bool narrowed_ = false;
  WorkBudget& budget_;
};

}  // namespace

Cover best_cover(const CoverProblem& problem, WorkBudget& budget) {
  return CoverSolver(problem, budget).run();
}

}  // namespace cairn::daap
