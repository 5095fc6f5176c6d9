// What is kept for a BLACS context between calls: Cairn's context on its communicator, and what was decided for which
// call. Made when the first call of ours runs on it, given up at blacs_gridexit.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "cairn/context.hpp"
#include "cairn/plan.hpp"
#include "doors/scalapack/blacs.hpp"

namespace cairn::scalapack {

// Of one kind of call: ours or not, the prediction, and the plan that is run if it is a product.
struct Decision {
  bool ours = false;
  double seconds = 0;
  std::optional<Plan> plan = {};
};

class Grid {
 public:
  Grid(const ProcessGrid& processes, int handle);  // collective over the communicator

  const cairn::Context& context() const { return context_; }
  const ProcessGrid& processes() const { return processes_; }
  bool is(const ProcessGrid& processes, int handle) const {
    return processes_ == processes && handle_ == handle;
  }

  // All that decides how a call is answered, as numbers: the same on all ranks.
  using Question = std::vector<Index>;
  Decision* known(const Question& question);
  Decision& remember(const Question& question, Decision decision);

 private:
  ProcessGrid processes_;
  int handle_;
  cairn::Context context_;
  std::map<Question, Decision> decisions_;
};

// Collective over the context where it is the first time.
std::shared_ptr<Grid> grid_of(int context, const ProcessGrid& processes);
// Local: the context ends. What is kept goes with the last call that uses it.
void forget_grid(int context);
void forget_all_grids();

}  // namespace cairn::scalapack
