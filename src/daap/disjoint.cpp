#include "daap/disjoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace cairn::daap {
namespace {

class Checker {
 public:
  Checker(const LoopProgram& program, std::size_t index, const Dependences& dependences, Overlap overlap)
      : program_(program),
        statement_(program.statements[index]),
        index_(index),
        dependences_(dependences),
        overlap_(overlap),
        groups_(statement_.inputs.size()) {
    std::iota(groups_.begin(), groups_.end(), std::size_t{0});
  }

  Disjointness run() {
    for (const Access& input : statement_.inputs) check_recurrence(input);
    for (std::size_t i = 0; i < statement_.inputs.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) check_pair(j, i);
    Disjointness result;
    for (const std::size_t group : groups_)
      result.group_sizes.push_back(static_cast<int>(std::count(groups_.begin(), groups_.end(), group)));
    return result;
  }

 private:
  // With output A[t+1,i] and input A[t,i] most of A(D) is computed inside the subcomputation, and Lemma 3
  // would count it as loaded.
  void check_recurrence(const Access& input) const {
    if (statement_.in_place(input) || input.variables != statement_.output.variables) return;
    if (!dependences_.meet(index_, statement_.output, index_, input, Order::before)) return;
    program_.source.fail_at(
        input.offset, fmt::format("{} reads what {} wrote in an earlier iteration through the same loop "
                                  "variables: the disjoint access model does not cover such a recurrence",
                                  input.text(), statement_.output.text()));
  }

  // The previous version of the output is gone once its iteration is over, so an in-place input meets
  // another one only in iterations that are not later.
  bool share_vertex(const Access& a, const Access& b) const {
    if (statement_.in_place(a)) return dependences_.meet(index_, b, index_, a, Order::not_after);
    if (statement_.in_place(b)) return dependences_.meet(index_, a, index_, b, Order::not_after);
    return dependences_.meet(index_, a, index_, b, Order::any);
  }

  void check_pair(std::size_t i, std::size_t j) {
    const Access& a = statement_.inputs[i];
    const Access& b = statement_.inputs[j];
    if (!share_vertex(a, b)) return;
    if (a.variables == b.variables && overlap_ == Overlap::disjoint)
      program_.source.fail_at(b.offset,
                              fmt::format("{} and {} of one statement reach the same elements: the disjoint "
                                          "access model does not cover this (as in most stencils)",
                                          b.text(), a.text()));
    const std::size_t from = groups_[j];
    const std::size_t to = groups_[i];
    std::replace(groups_.begin(), groups_.end(), from, to);
  }

  const LoopProgram& program_;
  const Statement& statement_;
  std::size_t index_;
  const Dependences& dependences_;
  Overlap overlap_;
  std::vector<std::size_t> groups_;
};

}  // namespace

Disjointness check_disjoint(const LoopProgram& program, std::size_t statement, const Dependences& dependences,
                            Overlap overlap) {
  return Checker(program, statement, dependences, overlap).run();
}

}  // namespace cairn::daap
