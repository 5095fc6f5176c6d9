// What a cairn::Context keeps between calls.
#pragma once

#include <array>
#include <list>

#include "cairn/context.hpp"
#include "cairn/plan.hpp"
#include "comm/grid.hpp"
#include "factor/plan.hpp"
#include "gemm/product_runner.hpp"
#include "layout/exchange/exchange_plan.hpp"
#include "symmetric/triangle_runner.hpp"

namespace cairn::detail {

struct PlanCore;

// Lists of what was used last, the most recent first; what was not used longest goes.
class ContextState {
 public:
  explicit ContextState(comm::Communicator communicator)
      : communicator_(std::move(communicator)), engine_(communicator_), triangles_(communicator_) {}

  // Throws CommError after MPI_Finalize, where MPI would abort.
  comm::CommView comm() const;
  gemm::ProductRunner& engine() { return engine_; }
  symmetric::TriangleRunner& triangles() { return triangles_; }
  Pool& pool() { return pool_; }  // native copies of matrices that are not native
  void trim();
  Index kept_bytes() const;  // work memory that trim would free

  // plan_multiply for the ranks of the context, or what it gave before.
  Plan plan(const Product& product, const PlanOptions& options);
  // The plan that layouts were made for.
  Plan plan(const std::shared_ptr<const PlanCore>& core);
  Plan plan(const std::shared_ptr<const PlanCore>& core, const std::array<Layout, 3>& dealt);
  // plan_multiply for matrices with these layouts, or what it returned before.
  Plan plan(const Product& product, const std::array<Layout, 3>& layouts, const PlanOptions& options);
  // plan_factor for the ranks of the context, or what it gave before.
  std::shared_ptr<const factor::FactorPlan> plan(const factor::FactorProblem& problem,
                                                 const factor::FactorSettings& settings);
  // Who sends what to whom in these moves: a batch of one shape works it out once.
  std::shared_ptr<const layout::ExchangePlan> exchange(const std::vector<layout::Move>& moves);

  // Collective. The mesh of two dimensions on all ranks, with the communicators of its rows and columns.
  const comm::ProcessGrid& grid(std::array<int, 2> extents);

  std::size_t plans_kept() const { return plans_.size(); }
  std::size_t exchanges_kept() const { return exchanges_.size(); }

 private:
  comm::Communicator communicator_;
  gemm::ProductRunner engine_;
  symmetric::TriangleRunner triangles_;
  Pool pool_;
  std::list<Plan> plans_;
  std::list<std::shared_ptr<const factor::FactorPlan>> factor_plans_;
  std::list<std::shared_ptr<const layout::ExchangePlan>> exchanges_;
  std::list<std::shared_ptr<const comm::ProcessGrid>> grids_;
};

}  // namespace cairn::detail
