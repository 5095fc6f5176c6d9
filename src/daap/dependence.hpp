// Which accesses may touch the same element, and in which order.
#pragma once

#include "daap/polyhedron.hpp"
#include "daap/program.hpp"

namespace cairn::daap {

enum class Order { any, before, not_after };

class Dependences {
 public:
  Dependences(const LoopProgram& program, WorkBudget& budget) : program_(program), budget_(budget) {}

  // Whether an execution of statement s and one of statement t (indices into program.statements) may touch
  // one element, s through access a and t through access b, with s executed at any time, before t, or before
  // t or in the same iteration (of the same statement). False is certain, true may err.
  bool meet(std::size_t s, const Access& a, std::size_t t, const Access& b, Order order) const;

 private:
  const LoopProgram& program_;
  WorkBudget& budget_;
};

}  // namespace cairn::daap
