#include "model/daap/cover.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "model/daap/entropy.hpp"

namespace cairn::model::daap {
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

  Cover best_around(const RationalVector& interior) {
    const RationalMatrix basis = directions(interior);
    if (basis.empty()) return {interior, true};
    const bool known = std::all_of(problem_.factors.begin(), problem_.factors.end(),
                                   [](const auto& factor) { return factor.has_value(); });
    RationalVector factors(accesses_, 1);
    if (known)
      for (std::size_t j = 0; j < accesses_; ++j) factors[j] = *problem_.factors[j];
    const EntropyMinimum minimum = minimise_entropy(interior, basis, factors);
    if (!covers(minimum.weights)) return {interior, false};
    return {minimum.weights, known && minimum.exact};
  }

  bool covers(const RationalVector& weights) const {
    return std::all_of(face_.least.begin(), face_.least.end(),
                       [&](const RationalVector& row) { return dot(row, weights) >= 1; });
  }

  const CoverProblem& problem_;
  std::size_t accesses_;
  LinearProgram face_;
  WorkBudget& budget_;
};

}  // namespace

Cover best_cover(const CoverProblem& problem, WorkBudget& budget) {
  return CoverSolver(problem, budget).run();
}

}  // namespace cairn::model::daap
