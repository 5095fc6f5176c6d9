// Products with triangles on one communicator, one after the other: the second call of a shape plans nothing.
#pragma once

#include <array>
#include <functional>
#include <list>
#include <memory>

#include "base/buffer.hpp"
#include "comm/communicator.hpp"
#include "layout/matrix_view.hpp"
#include "program/run.hpp"
#include "symmetric/plan.hpp"

namespace cairn::symmetric {

class TriangleRunner {
 public:
  explicit TriangleRunner(comm::CommView comm) : comm_(comm) {}

  // What was compiled for one problem in one place.
  struct Prepared {
    Problem problem;
    Operands operands;
    Settings settings;
    Plan plan;
    program::Program program;
    comm::Counters moved;  // by this rank
  };

  // Collective. `check` is run before anything else, and its error is everybody's. The kinds of alpha and beta in the
  // problem are replaced by those of the values; matrices that the problem does not have are empty views. Words:
  // program::count of the Program, plus one small agreement.
  template <Scalar T>
  std::shared_ptr<const Prepared> run(Problem problem, const Settings& settings, T alpha,
                                      const std::array<layout::MatrixView<T>, 3>& matrices, T beta,
                                      const std::function<void()>& check, int threads = 1);

  void record(program::Trace* trace) { trace_ = trace; }
  Index kept_bytes() const { return pool_.kept_bytes(); }
  void trim() { pool_.trim(); }

 private:
  std::shared_ptr<const Prepared> prepare(const Problem& problem, const Settings& settings,
                                          const Operands& operands);

  comm::CommView comm_;
  Pool pool_;
  std::list<std::shared_ptr<const Prepared>> prepared_;  // the most recent first
  program::Trace* trace_ = nullptr;
};

}  // namespace cairn::symmetric
