// What is kept for a BLACS context between calls: Cairn's context on its communicator, and what was decided for which
// call. Made when the first call of ours runs on it, given up at blacs_gridexit.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cairn/context.hpp"
#include "cairn/plan.hpp"
#include "doors/scalapack/blacs.hpp"
#include "doors/scalapack/experience.hpp"

namespace cairn::scalapack {

// What ours is predicted to take, and the plan that is run if it is a product.
struct Prediction {
  double seconds = 0;
  std::optional<Plan> plan = {};
};

// Of one kind of call.
struct Decision {
  std::string routine;
  Trial trial;
  std::optional<Plan> plan = {};
};

class Grid {
 public:
  Grid(const ProcessGrid& processes, int handle, int blacs_context);  // collective over the communicator

  const cairn::Context& context() const { return context_; }
  const ProcessGrid& processes() const { return processes_; }
  bool is(const ProcessGrid& processes, int handle) const {
    return processes_ == processes && handle_ == handle;
  }

  // All that decides how a call is answered, as numbers: the same on all ranks.
  using Question = std::vector<Index>;
  Decision* known(const Question& question);
  Decision& remember(const Question& question, Decision decision);

  // The machine that calls are weighed for. Collective the first time, some hundredths of a second where it is measured.
  const Machine& machine();

  // What this process saw a call take. It counts from the next time that the grid's processes agree on something.
  void saw(Decision& decision, Way way, double seconds);
  // Collective: what was seen last becomes experience, on all processes alike.
  void agree_on_what_was_seen();
  const Experience& experience() const { return experience_; }

 private:
  struct Seen {
    Decision* decision;
    Way way;
    double seconds;
  };

  ProcessGrid processes_;
  int handle_;
  int blacs_context_;
  cairn::Context context_;
  std::map<Question, Decision> decisions_;
  std::optional<Machine> machine_;
  Experience experience_;
  std::optional<Seen> seen_;
};

// Local. None: this is the first call on the context.
std::shared_ptr<Grid> known_grid(int context, const ProcessGrid& processes);
// Collective over the context where it is the first time.
std::shared_ptr<Grid> grid_of(int context, const ProcessGrid& processes);
// Local: the context ends. What is kept goes with the last call that uses it.
void forget_grid(int context);
void forget_all_grids();

}  // namespace cairn::scalapack
