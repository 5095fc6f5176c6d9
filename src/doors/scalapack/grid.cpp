#include "doors/scalapack/grid.hpp"

#include <mutex>
#include <utility>

#include "doors/scalapack/machine.hpp"
#include "doors/scalapack/mode.hpp"

namespace cairn::scalapack {
namespace {

constexpr std::size_t most_decisions = 512;

// Never destroyed: a program that ends without blacs_gridexit has ended MPI before this.
struct Kept {
  std::mutex mutex;
  std::map<int, std::shared_ptr<Grid>> grids;
};
Kept& kept() {
  static Kept* const all = new Kept;
  return *all;
}

}  // namespace

Grid::Grid(const ProcessGrid& processes, int handle, int blacs_context)
    : processes_(processes), handle_(handle), blacs_context_(blacs_context), context_(MPI_Comm_f2c(handle)) {}

const Machine& Grid::machine() {
  static const Machine typical{};
  if (mode() == Mode::on) return typical;  // nothing is weighed
  if (!machine_) machine_ = machine_of(context_);
  return *machine_;
}

void Grid::saw(Decision& decision, Way way, double seconds) { seen_ = Seen{&decision, way, seconds}; }

void Grid::agree_on_what_was_seen() {
  if (!seen_) return;
  const Seen seen = *std::exchange(seen_, std::nullopt);
  const double seconds = largest_of_all(blacs_context_, seen.seconds);
  Trial& trial = seen.decision->trial;
  trial.keep(seen.way, seconds);
  if (seen.way == Way::theirs || trial.is_known(seen.way))
    experience_.learn(seen.decision->routine, seen.way, trial.predicted[static_cast<std::size_t>(seen.way)],
                      seconds);
}

Decision* Grid::known(const Question& question) {
  const auto found = decisions_.find(question);
  return found == decisions_.end() ? nullptr : &found->second;
}

Decision& Grid::remember(const Question& question, Decision decision) {
  if (decisions_.size() >= most_decisions) {  // the same on all ranks: they ask the same
    seen_.reset();
    decisions_.clear();
  }
  return decisions_.insert_or_assign(question, std::move(decision)).first->second;
}

std::shared_ptr<Grid> known_grid(int context, const ProcessGrid& processes) {
  const int handle = communicator_handle(context);
  Kept& all = kept();
  const std::scoped_lock lock(all.mutex);
  const auto found = all.grids.find(context);
  return found != all.grids.end() && found->second->is(processes, handle) ? found->second : nullptr;
}

// The lock is not held while a grid is made: that is collective, and two threads may make one each, in another order on
// another rank.
std::shared_ptr<Grid> grid_of(int context, const ProcessGrid& processes) {
  if (auto known = known_grid(context, processes)) return known;
  auto made = std::make_shared<Grid>(processes, communicator_handle(context), context);
  Kept& all = kept();
  const std::scoped_lock lock(all.mutex);
  all.grids[context] = made;
  return made;
}

void forget_grid(int context) {
  std::shared_ptr<Grid> last;  // goes after the lock is given back: that frees a communicator
  Kept& all = kept();
  const std::scoped_lock lock(all.mutex);
  const auto found = all.grids.find(context);
  if (found == all.grids.end()) return;
  last = std::move(found->second);
  all.grids.erase(found);
}

void forget_all_grids() {
  std::map<int, std::shared_ptr<Grid>> last;
  Kept& all = kept();
  const std::scoped_lock lock(all.mutex);
  last.swap(all.grids);
}

}  // namespace cairn::scalapack
