#include "doors/scalapack/grid.hpp"

#include <mutex>

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

Grid::Grid(const ProcessGrid& processes, int handle)
    : processes_(processes), handle_(handle), context_(MPI_Comm_f2c(handle)) {}

Decision* Grid::known(const Question& question) {
  const auto found = decisions_.find(question);
  return found == decisions_.end() ? nullptr : &found->second;
}

Decision& Grid::remember(const Question& question, Decision decision) {
  if (decisions_.size() >= most_decisions) decisions_.clear();  // the same on all ranks: they ask the same
  return decisions_.insert_or_assign(question, std::move(decision)).first->second;
}

// The lock is not held while a grid is made: that is collective, and two threads may make one each, in another order on
// another rank.
std::shared_ptr<Grid> grid_of(int context, const ProcessGrid& processes) {
  const int handle = communicator_handle(context);
  Kept& all = kept();
  {
    const std::scoped_lock lock(all.mutex);
    const auto found = all.grids.find(context);
    if (found != all.grids.end() && found->second->is(processes, handle)) return found->second;
  }
  auto made = std::make_shared<Grid>(processes, handle);
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
