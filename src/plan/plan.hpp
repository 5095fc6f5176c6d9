// Choosing a schedule: every grid [pm, pn, pk] with at most P ranks, and trees, judged by their own counts. Pure: no MPI,
// for any P. docs/internals/planner.md has the proof that nothing better is missed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gemm/bricks.hpp"
#include "gemm/cost.hpp"
#include "gemm/count.hpp"
#include "gemm/fast/choose.hpp"
#include "gemm/named.hpp"
#include "layout/layout.hpp"

namespace cairn {

std::string_view name(Objective objective);  // time | words | volume

}  // namespace cairn

namespace cairn::plan {

Objective parse_objective(std::string_view text);

// Strassen-like steps and levels: off unless allowed.
struct FastSettings {
  bool allowed = false;
  std::string order = "auto";  // of the steps, such as "BBD": then these and no others
  gemm::fast::Family family = gemm::fast::Family::any;         // another: only its schedules
  std::shared_ptr<const gemm::fast::Bilinear> algorithm = {};  // of the steps; none: winograd
  double max_error_growth = 1e300;                             // of the error bound over the classical one
  gemm::fast::FastRates rates = {};
  bool only_best = false;  // nobody looks at what loses: it is counted as far as it takes to know

  bool is_forced() const { return order != "auto" || family != gemm::fast::Family::any; }
  friend bool operator==(const FastSettings&, const FastSettings&) = default;
};

struct Settings {
  Objective objective = Objective::time;
  // words: no rank may have more than this times mnk/P voxels; if no grid can, the least work any grid has.
  double work_limit = 1.10;
  Machine machine = {};
  // Most bytes a rank may hold, its parts of A, B and C and all work memory together; none: no limit.
  std::optional<Index> memory_bytes = {};
  Transport transport = Transport::two_sided;
  int lookahead = 0;
  // time: also look for rounds whose words move while others multiply, with the lookahead that pays.
  bool overlap = false;
  int candidates = 8;      // kept for explain
  bool trees = true;       // also bricks cut by a tree, not by grids alone
  bool one_layer = false;  // only grids with pk = 1
  // Of matrices that are placed: bricks of trees alone, where there are trees; or of this tree, which may be a grid.
  bool only_trees = false;
  std::shared_ptr<const gemm::Tree> tree = {};
  FastSettings fast = {};

  friend bool operator==(const Settings& x, const Settings& y);
};
// Throws ArgumentError that names the option that is impossible.
void check(const Settings& settings);

// By how much rounds that overlap are judged slower than they are simulated. Rounds along m or n sum a part
// of C each, which keeps the core busy while words arrive; the model does not count that.
constexpr double overlap_handicap(gemm::Dim along) { return along == gemm::Dim::k ? 1 : 1.05; }

// One schedule and what it costs.
struct Candidate {
  gemm::Schedule schedule = {};
  gemm::PhaseSeconds seconds = {};  // of each phase by itself
  double predicted = 0;             // the objective `time`: their total, or less where they overlap
  gemm::Totals totals = {};         // objectives `words` and `volume`: totals.words_received and .words_total
  // Of every rank, as the run will move them. False where that was not counted: then as if every rank moved the
  // mean, in one round.
  bool exact = true;
  double work = 0;          // largest brick over mnk/P
  double kernel = 1;        // seconds of the local product over those of BLAS
  double error_growth = 1;  // of the error bound over that of a classical product
  Index memory_bytes = 0;   // of the rank that holds most, its parts of A, B and C included
  std::string how = {};     // it cuts matrices that are placed
  std::string why = {};     // it was chosen or lost, in words
};

struct Plan {
  Index ranks = 0;
  Candidate best = {};
  // Words some rank must receive or send at least, with one copy of A, B and C spread evenly: memory-independent,
  // or Theorem 2 of paper 000 where a memory limit was given and binds. Where the matrices are placed: with what
  // the rank that owns most has of them. 0 for empty problems.
  double bound_words = 0;
  double mean_words = 0;  // received per rank: of the grid, or of all where matrices are placed
  double ratio =
      1;  // busiest rank over the bound; 1 where both are 0, 0 where no bound is known: with fast steps
  std::vector<Candidate> candidates = {};  // best first, the chosen one among them: explain

  Index idle_ranks() const { return ranks - working_ranks(best.schedule); }
};

// For more ranks no grids are searched.
inline constexpr int most_searched_ranks = 1'000'000;

// The best schedule for a problem on at most `ranks` ranks, at most most_searched_ranks. Throws ArgumentError for bad arguments,
// MemoryError where no schedule fits into the memory, with the least that would do.
Plan plan_multiply(const gemm::Problem& problem, int ranks, const Settings& settings = {});

// The best for a product whose stored A, B and C are laid out so: each of them in place, or bricks of any grid,
// cut evenly or as the users' matrices are dealt, on those ranks that have most of what they need. Objectives
// other than time: work_limit holds for bricks that follow no matrix. With memory_bytes the fewest rounds that
// fit; MemoryError with the least that was seen where nothing does. docs/internals/placed.md.
Plan plan_multiply(const gemm::Problem& problem, const std::array<layout::Layout, 3>& matrices, int ranks,
                   const Settings& settings = {});

// The fewest bytes per rank that any schedule can do with.
Index least_memory(const gemm::Problem& problem, int ranks, const Settings& settings = {});

// A schedule that was given, costed in the same way.
Plan plan_schedule(const gemm::Schedule& schedule, int ranks, const Settings& settings = {});

// What fast steps or levels would bring to a plan they were not allowed for, in one line: the same question asked
// again with them.
std::string fast_hint(const Plan& plan, const Settings& settings);

// |computed - exact| <= this times max|A| max|B|, for alpha = 1 and beta = 0.
double error_bound(const gemm::Schedule& schedule);

// By name: the fixed ones of gemm/named.hpp, the families of fast schedules (gemm/fast/choose.hpp), `cosma` (fewest words of all grids), `tree` (the
// best tree) and `auto` (settings.objective).
const std::vector<std::string_view>& algorithm_names();
Plan plan_named(std::string_view name, const gemm::Problem& problem, int ranks, const Settings& settings = {},
                const gemm::NamedOptions& options = {});

}  // namespace cairn::plan
