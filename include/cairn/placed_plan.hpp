// Planning a multiply of matrices that already lie somewhere: which of them stay, which bricks the others go
// to, how many words that takes. Nothing here communicates; it needs no MPI.
//
//   const auto cyclic = cairn::Layout::block_cyclic(4096, 4096, {.process_rows = 4, .process_columns = 4});
//   const auto plan = cairn::plan_multiply({.m = 4096, .n = 4096, .k = 4096}, cyclic, cyclic, cyclic, 16);
//   std::puts(plan.explain().c_str());
#pragma once

#include "cairn/plan.hpp"

namespace cairn {

namespace detail {
struct PlacedPlanState;
}

// Words are elements of the product's type.
struct PlacedWords {
  Index total = 0;    // received by all ranks together
  double mean = 0;    // by a rank, idle ones as well
  Index busiest = 0;  // by the rank that receives most; where `counted` is false the mean
  // On the messages of every rank, round by round: what the run will move. False where that would take long
  // (ranks times rounds above 4,096): then as if all were done in one round.
  bool counted = false;
};

struct PlacedCandidate {
  std::array<int, 3> grid{1, 1, 1};
  Rounds rounds = {};
  std::array<bool, 3> stays{};  // A, B, C: neither moved nor copied
  Index words_total = 0;        // received by all ranks, in one round
  double words = 0;             // by the busiest one; the mean where `counted` is false
  bool counted = false;
  double seconds = 0;
  double work = 0;       // largest brick over mnk/P
  std::string why = {};  // how it cuts the matrices
};

// A cheap handle to what was planned.
class CAIRN_EXPORT PlacedPlan {
 public:
  const Product& product() const;
  const PlanOptions& options() const;
  Layout layout_a() const;  // that it was made for
  Layout layout_b() const;
  Layout layout_c() const;
  int ranks() const;
  int idle_ranks() const;
  std::array<int, 3> grid() const;  // [pm, pn, pk]
  Rounds rounds() const;
  // Neither moved nor copied: BLAS reads it, or writes it, where it is.
  bool a_stays() const;
  bool b_stays() const;
  bool c_stays() const;
  PlacedWords words() const;  // counted when it is first asked for
  double seconds() const;     // predicted, on options().machine
  // Of the rank that holds most: its parts of A, B and C, the faces that are not in place, and the pieces
  // that are under way.
  Index memory_bytes() const;
  std::vector<PlacedCandidate> candidates() const;  // best first
  // "4096 x 4096 x 256 double NN on [4, 4, 1], C in place"
  std::string describe() const;
  // Several lines: what was chosen, what it costs, and the next best.
  std::string explain() const;

  explicit PlacedPlan(std::shared_ptr<const detail::PlacedPlanState> state) : state_(std::move(state)) {}
  const detail::PlacedPlanState& state() const { return *state_; }  // for the library's own use

 private:
  std::shared_ptr<const detail::PlacedPlanState> state_;
};

// The best way to multiply A, B and C that are stored in these layouts, on `ranks` ranks: one of them in
// place, or bricks of any grid, cut evenly or as the matrices are dealt, on the ranks that have most of what
// they need. Of the options objective, work_limit, machine, memory_bytes and candidates count;
// memory_bytes is for a rank's parts of A, B and C and all work memory. Throws ArgumentError for layouts that
// do not match the product or name more ranks, and for options that name a schedule (algorithm, grid, rounds,
// layers, transport, lookahead); MemoryError, with the least that would do, where nothing fits.
CAIRN_EXPORT PlacedPlan plan_multiply(const Product& product, const Layout& a, const Layout& b,
                                      const Layout& c, int ranks, const PlanOptions& options = {});

}  // namespace cairn
