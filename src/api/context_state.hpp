// What a cairn::Context keeps between calls.
#pragma once

#include <list>

#include "cairn/context.hpp"
#include "cairn/plan.hpp"
#include "gemm/context.hpp"

namespace cairn::detail {

class ContextState {
 public:
  ContextState(comm::Communicator communicator)
      : communicator_(std::move(communicator)), engine_(communicator_) {}

  comm::CommView comm() const { return communicator_; }
  gemm::Context& engine() { return engine_; }
  Pool& pool() { return pool_; }  // native copies of matrices that are not native

  // plan_multiply, or what it gave before: the last 64 are kept.
  Plan plan(const Product& product, const PlanOptions& options);
  // The plan of a schedule that layouts were made for.
  Plan plan(const gemm::Schedule& schedule);

 private:
  template <class Matches, class Make>
  Plan kept(Matches&& matches, Make&& make);

  comm::Communicator communicator_;
  gemm::Context engine_;
  Pool pool_;
  std::list<Plan> plans_;  // the one asked for last is first
};

}  // namespace cairn::detail
