#include "daap/simplex.hpp"

#include "base/error.hpp"
#include "daap/limits.hpp"

namespace cairn::daap {
namespace {

// Rows are x_basis + ... = right side; the last row holds reduced costs and minus the value.
class Tableau {
 public:
  Tableau(const LinearProgram& program, WorkBudget& budget)
      : variables_(program.cost.size()),
        slacks_(program.least.size()),
        rows_(program.equal.size() + program.least.size()),
        budget_(budget) {
    for (std::size_t i = 0; i < program.equal.size(); ++i)
      add_row(program.equal[i], program.equal_to[i], false);
    for (std::size_t i = 0; i < program.least.size(); ++i)
      add_row(program.least[i], program.at_least[i], true);
  }

  bool find_feasible() {
    RationalVector cost(variables_ + slacks_, 0);
    cost.resize(columns(), 1);
    optimise(cost, columns());
    if (!cln::zerop(entries_.back().back())) return false;
    drive_out_artificials();
    return true;
  }

  LinearOptimum minimise(RationalVector cost) {
    cost.resize(columns(), 0);
    optimise(cost, variables_ + slacks_);
    LinearOptimum optimum{RationalVector(variables_, 0), -entries_.back().back()};
    for (std::size_t row = 0; row < basis_.size(); ++row)
      if (basis_[row] < variables_) optimum.x[basis_[row]] = entries_[row].back();
    return optimum;
  }

 private:
  std::size_t columns() const { return variables_ + slacks_ + rows_; }

  void add_row(const RationalVector& factors, const Rational& right, bool inequality) {
    RationalVector row(columns() + 1, 0);
    std::copy(factors.begin(), factors.end(), row.begin());
    if (inequality) row[variables_ + used_slacks_++] = -1;
    row.back() = right;
    if (cln::minusp(right))
      for (Rational& entry : row) entry = -entry;
    const std::size_t artificial = variables_ + slacks_ + basis_.size();
    row[artificial] = 1;
    basis_.push_back(artificial);
    entries_.push_back(std::move(row));
  }

  // Replaces the row of reduced costs, then pivots until none of the first `allowed` columns improves.
  void optimise(const RationalVector& cost, std::size_t allowed) {
    entries_.resize(basis_.size());
    RationalVector reduced = cost;
    reduced.push_back(0);
    for (std::size_t row = 0; row < basis_.size(); ++row) subtract(reduced, entries_[row], cost[basis_[row]]);
    entries_.push_back(std::move(reduced));
    while (step(allowed)) {
    }
  }

  // Bland's rule: the first improving column, the smallest basic variable among the tightest rows.
  bool step(std::size_t allowed) {
    std::size_t column = 0;
    while (column < allowed && !cln::minusp(entries_.back()[column])) ++column;
    if (column == allowed) return false;
    std::size_t best = basis_.size();
    Rational ratio = 0;
    for (std::size_t row = 0; row < basis_.size(); ++row) {
      if (!cln::plusp(entries_[row][column])) continue;
      const Rational here = entries_[row].back() / entries_[row][column];
      if (best < basis_.size() && (here > ratio || (here == ratio && basis_[row] > basis_[best]))) continue;
      best = row;
      ratio = here;
    }
    require(best < basis_.size(), "a linear program is unbounded, expected a bounded one");
    pivot(best, column);
    return true;
  }

  void pivot(std::size_t row, std::size_t column) {
    budget_.spend(entries_.size() * entries_[row].size());
    const Rational scale = cln::recip(entries_[row][column]);
    for (Rational& entry : entries_[row])
      if (!cln::zerop(entry)) entry = entry * scale;
    for (std::size_t other = 0; other < entries_.size(); ++other) {
      const Rational factor = entries_[other][column];
      if (other != row) subtract(entries_[other], entries_[row], factor);
    }
    basis_[row] = column;
  }

  static void subtract(RationalVector& from, const RationalVector& row, const Rational& factor) {
    if (cln::zerop(factor)) return;
    for (std::size_t i = 0; i < from.size(); ++i)
      if (!cln::zerop(row[i])) from[i] = from[i] - factor * row[i];
  }

  // A basic artificial variable is 0 now; any other column of its row may take its place. If there is none,
  // the row says 0 = 0 and does no harm.
  void drive_out_artificials() {
    for (std::size_t row = 0; row < basis_.size(); ++row) {
      if (basis_[row] < variables_ + slacks_) continue;
      for (std::size_t column = 0; column < variables_ + slacks_; ++column)
        if (!cln::zerop(entries_[row][column])) {
          pivot(row, column);
          break;
        }
    }
  }

  std::size_t variables_;
  std::size_t slacks_;
  std::size_t rows_;
  std::size_t used_slacks_ = 0;
  RationalMatrix entries_;
  std::vector<std::size_t> basis_;
  WorkBudget& budget_;
};

}  // namespace

void WorkBudget::spend(std::size_t entries) {
  spent_ += static_cast<long long>(entries);
  require(spent_ <= most_simplex_work, "the program is too large to analyse: more than {} steps are needed",
          most_simplex_work);
}

std::optional<LinearOptimum> minimise(const LinearProgram& program, WorkBudget& budget) {
  Tableau tableau(program, budget);
  if (!tableau.find_feasible()) return std::nullopt;
  return tableau.minimise(program.cost);
}

}  // namespace cairn::daap
