// Planning a multiply without running it: which grid, how many words, how close to the least possible.
// Nothing here communicates or needs MPI, and any number of ranks can be planned for.
//
//   cairn::Plan plan = cairn::plan_multiply({.m = 4096, .n = 4096, .k = 4096}, 1000);
//   std::puts(plan.explain().c_str());
//
// And for matrices that already lie somewhere: which of them stay, which bricks the others go to.
//
//   const auto cyclic = cairn::Layout::block_cyclic(4096, 4096, {.process_rows = 4, .process_columns = 4});
//   const auto plan = cairn::plan_multiply({.m = 4096, .n = 4096, .k = 4096}, cyclic, cyclic, cyclic, 16);
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/choices.hpp"
#include "cairn/layout.hpp"
#include "cairn/shared.hpp"

namespace cairn {

namespace detail {
struct PlanState;
}

// C := alpha op(A) op(B) + beta C with op(A) m x k, op(B) k x n and C m x n. A is stored m x k, or k x m
// where op(A) is a transpose; B alike.
struct Product {
  Index m = 0;
  Index n = 0;
  Index k = 0;
  Op op_a = Op::none;
  Op op_b = Op::none;
  ScalarType type = ScalarType::f64;
  friend bool operator==(const Product&, const Product&) = default;
};

// As `cairn info --save FILE` measured it. Throws IoError that names the file and what is wrong with it.
CAIRN_EXPORT Machine load_machine(const std::string& file);

struct PlanOptions {
  // auto (by the objective), cosma (fewest words of all grids), tree (bricks cut by the best tree), summa2d-a|b|c,
  // summa3d-a|b|c, cannon, 2.5d, 3d, carma; and Strassen-like families, which need no `fast`: caps, strassen-2d,
  // strassen-2.5d, 2d-strassen, 2.5d-strassen.
  std::string algorithm = "auto";
  // time: shortest predicted time on `machine`. words: fewest words on the busiest rank, volume: fewest words of all
  // ranks together, both with at most work_limit times mnk/P voxels per rank.
  Objective objective = Objective::time;
  double work_limit = 1.10;
  std::optional<std::array<int, 3>> grid = {};  // [pm, pn, pk]; with algorithm auto only
  // Bricks cut by this tree instead of a grid: "k(8:9){m2n2k2, m3n3}" cuts k in the proportion 8 : 9, the first
  // part by the grid [2, 2, 2], the second by [3, 3, 1]. With algorithm auto only.
  std::string tree = {};
  std::optional<Rounds> rounds = {};  // a brick is done in this many rounds along a dimension
  std::optional<int> layers = {};     // h of summa3d-*, c of 2.5d
  // Most bytes a rank may hold: its parts of A, B and C and all work memory of the product. For a plan on
  // native layouts these are the native parts: matrices of the caller's in other layouts come on top.
  std::optional<Index> memory_bytes = {};
  Transport transport = Transport::two_sided;
  // Look for rounds whose words move while others multiply, where that is sooner; with objective time. It
  // needs no thread; where MPI was started with MPI_THREAD_SERIALIZED or more, a thread drives it meanwhile.
  bool overlap = false;
  int lookahead = 0;  // of a given schedule: rounds whose words move while one multiplies; each costs the
                      // memory of one more
  // Strassen-like steps between ranks and levels inside them: off; auto (where they are predicted sooner by more
  // than the model errs); or an order of steps such as "BBD" (B: the products of a step on groups of ranks, D:
  // one after the other). Their error bound is larger: Plan::error_bound. Not with grid, rounds, layers,
  // transport and lookahead.
  std::string fast = "off";
  // Of the steps: a name of the catalogue (`cairn fast list`), a shape such as 3x2x2, or a file, which is proved.
  std::string fast_entry = "winograd";
  std::optional<double> max_error_growth =
      {};  // largest factor by which the error bound may exceed the classical one
  // Multiplies D1 op(A) and op(B) D3, powers of two, and scales back: the error of c_ij is then small against
  // |A(i,:)| |B(:,j)|, not only against max|A| max|B|. Copies A, B and C, and moves 2 (m + n) words more.
  bool scaled = false;
  Machine machine = {};
  int candidates = 8;  // listed by explain()
  friend bool operator==(const PlanOptions&, const PlanOptions&) = default;
};

// Words are elements of the product's type.
struct PlanWords {
  Index total = 0;    // received by all ranks together
  double mean = 0;    // received per rank: of the grid, or of all where the matrices are placed
  Index busiest = 0;  // by the rank that receives most
  Index sent = 0;     // by the rank that sends most
  double bound = 0;   // some rank must send or receive this many, whatever the algorithm
  double ratio = 1;  // the larger of busiest and sent, over bound; 1 where both are 0; 0 with fast steps, for
                     // which no bound with constants is known
  // Counted on the messages of every rank: what the run will move. False where that would take long (matrices
  // that are placed, ranks times rounds above 4,096): then as if every rank moved the mean, in one round.
  bool exact = true;
};

// Of each phase by itself; a phase is over when its busiest rank is.
struct PlanSeconds {
  double gather_a = 0;
  double gather_b = 0;
  double gather = 0;  // exchanges of A, B and C together, where the matrices are placed
  double multiply = 0;
  double combine_c = 0;
  double total() const { return gather_a + gather_b + gather + multiply + combine_c; }
};

struct PlanCandidate {
  std::array<int, 3> grid{1, 1, 1};  // where no tree cuts the bricks
  std::string bricks = {};           // the grid or the tree as text
  Rounds rounds = {};
  std::array<bool, 3> stays{};  // A, B, C: neither moved nor copied
  Index words = 0;              // of the busiest rank
  bool exact = true;            // as PlanWords::exact
  double seconds = 0;
  double work = 0;  // largest brick over mnk/P
  Index memory_bytes = 0;
  std::string why = {};    // it was chosen, or lost
  std::string steps = {};  // Strassen-like ones before the bricks: "BBD"
  int fast_levels = 0;     // inside the product of a rank
};

// A cheap handle to what was planned.
class CAIRN_EXPORT Plan {
 public:
  const Product& product() const;
  const PlanOptions& options() const;
  int ranks() const;
  int idle_ranks() const;
  std::array<int, 3> grid() const;  // [pm, pn, pk]; [1, 1, 1] where a tree cuts the bricks
  std::string bricks() const;       // "[2, 3, 1]", or a tree: "k(8:9){m2n2k2, m3n3}"
  double work() const;              // largest brick over mnk/P
  Rounds rounds() const;
  PlanWords words() const;
  PlanSeconds seconds() const;
  double predicted() const;    // seconds in all: their sum, or less where phases overlap
  Index messages() const;      // received by the busiest rank
  Index memory_bytes() const;  // of the rank that holds most: its parts of A, B, C and work memory
  std::vector<PlanCandidate> candidates() const;  // best first
  std::string steps() const;                      // Strassen-like ones before the bricks: "BBD"; empty: none
  int levels() const;                             // those steps, and the fast levels inside a rank
  // |computed - exact| <= this times max|A| max|B|, to first order in the roundoff, for alpha = 1 and beta = 0;
  // and the factor by which it exceeds that of a classical product.
  double error_bound() const;
  double error_growth() const;
  // Whether it is for matrices that lie somewhere already, not for its own native layouts.
  bool is_placed() const;
  // Neither moved nor copied: BLAS reads it, or writes it, where it is.
  bool a_stays() const;
  bool b_stays() const;
  bool c_stays() const;
  // Those it was made for; or its own, in which A, B and C are multiplied without a copy: rank (i, j, l) of the
  // grid holds a slice of columns of the faces its brick touches.
  Layout layout_a() const;
  Layout layout_b() const;
  Layout layout_c() const;
  // "100 x 200 x 300 double NN on [2, 3, 1]"
  std::string describe() const;
  // Several lines: what was chosen, what it costs, and the next best with the reason why they lost.
  std::string explain() const;

  explicit Plan(std::shared_ptr<const detail::PlanState> state) : state_(std::move(state)) {}
  const detail::PlanState& state() const { return *state_; }  // for the library's own use

 private:
  detail::Shared<const detail::PlanState> state_;
};

// The best schedule for a product on at most `ranks` ranks. Throws ArgumentError for bad arguments (negative
// sizes, an unknown algorithm, a grid with more than `ranks` ranks, rounds or layers that are not possible
// ...), MemoryError where nothing fits into options.memory_bytes. Time: below 50 ms for 1,024 ranks; memory
// O(sqrt(ranks)) and more for long candidates lists.
CAIRN_EXPORT Plan plan_multiply(const Product& product, int ranks, const PlanOptions& options = {});

// The best way to multiply A, B and C that are stored in these layouts, on `ranks` ranks: one of them in place,
// or bricks of any grid, cut evenly or as the matrices are dealt, on the ranks that have most of what they need.
// Of the options objective, work_limit, machine, memory_bytes, overlap, fast and candidates count, and algorithms
// of Strassen-like families. Throws
// ArgumentError for layouts that do not match the product or name more ranks, and for options that name a
// schedule (algorithm, grid, rounds, layers, transport, lookahead); MemoryError, with the least that would do,
// where nothing fits.
CAIRN_EXPORT Plan plan_multiply(const Product& product, const Layout& a, const Layout& b, const Layout& c,
                                int ranks, const PlanOptions& options = {});

// All that PlanOptions::algorithm may be: classical ones, and Strassen-like families.
CAIRN_EXPORT const std::vector<std::string_view>& algorithm_names();
CAIRN_EXPORT const std::vector<std::string_view>& fast_algorithm_names();

}  // namespace cairn
