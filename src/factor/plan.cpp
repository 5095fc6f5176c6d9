#include "factor/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "factor/cholesky_compile.hpp"
#include "factor/cholesky_count.hpp"
#include "factor/cholesky_storage.hpp"
#include "factor/lu_compile.hpp"
#include "factor/lu_count.hpp"
#include "factor/symmetric_table.hpp"

namespace cairn::factor {
namespace {

// Larger patterns are estimated by their leading terms: pairs of positions are too many to count.
constexpr int most_counted_positions = 96;
// Narrower steps are estimated, too.
constexpr Index most_counted_steps = 2048;

// ---- what could be done ------------------------------------------------------------------------------------
struct Option {
  std::optional<LuPattern> pattern = {};     // LU
  std::optional<SymmetricCells> cells = {};  // Cholesky
  std::string name = {};                     // of the pattern
  int positions = 1, layers = 1;
  double across = 1, down = 1;  // positions in a row and in a column
  double leading_words = 0;     // N^2 / (2P) times this
  Index row_block = 1;          // where A lies
  std::optional<Index> step = {};
  bool symmetric = false;  // Cholesky on a symmetric pattern, not on a grid
  bool stays = false;      // where A lies
};

// On square grids, with as many layers as the memory allows: paper 002, section 7.
bool is_of_the_paper(const FactorSettings& s) {
  return s.algorithm == "conflux" || s.algorithm == "confchox";
}

std::vector<int> layer_choices(int ranks, const FactorSettings& settings) {
  if (settings.layers) return {*settings.layers};
  if (settings.algorithm == "2d") return {1};
  const Index most =
      is_of_the_paper(settings) ? Index{ranks} : 4 * Index{ranks};  // of the paper: c <= P^(1/3)
  std::vector<int> choices;
  for (int c = 1; Index{c} * c * c <= most && c <= ranks; ++c) choices.push_back(c);
  return choices;
}

void add_lu(LuPattern pattern, int layers, std::vector<Option>& options) {
  Option o{.positions = pattern.positions(), .layers = layers};
  o.name = pattern.text();
  o.across = pattern.positions_per_row();
  o.down = pattern.positions_per_column();
  o.leading_words = (o.across + o.down - 2 + 2 * (layers - 1)) / o.positions / layers;
  o.pattern = std::move(pattern);
  options.push_back(std::move(o));
}

// On a symmetric pattern; on a grid where its sides are given.
void add_cholesky(SymmetricCells cells, std::string name, int layers, std::vector<Option>& options,
                  std::optional<std::pair<int, int>> grid = {}) {
  Option o{.name = std::move(name), .positions = cells.positions, .layers = layers};
  o.symmetric = !grid;
  o.down = grid ? grid->first : std::sqrt(as_real(o.positions));
  o.across = grid ? grid->second : o.down;
  o.leading_words = (cells.positions_per_class() - 1 + layers - 1) / o.positions / layers;
  o.cells = std::move(cells);
  options.push_back(std::move(o));
}

void add_grid(Kind kind, int rows, int columns, int layers, std::vector<Option>& options) {
  if (kind == Kind::lu)
    add_lu(LuPattern::grid(rows, columns), layers, options);
  else
    add_cholesky(square_grid(rows, columns), fmt::format("{}x{}", rows, columns), layers, options,
                 std::pair(rows, columns));
}

std::vector<Option> options_of(const FactorProblem& problem, int ranks, const FactorSettings& settings) {
  std::vector<Option> options;
  const bool flat = settings.algorithm == "2d";
  for (const int layers : layer_choices(ranks, settings)) {
    const int positions = ranks / layers;
    if (is_of_the_paper(settings)) {
      const int side = static_cast<int>(std::sqrt(static_cast<double>(positions)) + 1e-9);
      add_grid(problem.kind, side, side, layers, options);
      continue;
    }
    if (problem.kind == Kind::lu)
      for (int rows = 1; rows <= positions; ++rows)
        if (positions % rows == 0) add_grid(problem.kind, rows, positions / rows, layers, options);
    if (problem.kind == Kind::cholesky) {
      int rows = 1;  // of the grids the one nearest to a square has the fewest words
      for (int r = 1; r * r <= positions; ++r) rows = positions % r == 0 ? r : rows;
      add_grid(problem.kind, rows, positions / rows, layers, options);
    }
    if (flat) continue;
    if (problem.kind == Kind::cholesky) {
      const SymmetricCells& cells = symmetric_pattern(positions);
      add_cholesky(cells, fmt::format("S{} r={}", positions, cells.classes), layers, options);
      if (const std::optional<SymmetricCells> even = even_symmetric_pattern(positions))
        add_cholesky(*even, fmt::format("E{} r={}", positions, even->classes), layers, options);
    } else {
      for (LuPattern p : {LuPattern::generalised(positions), LuPattern::rectangles(positions)})
        if (!p.is_grid()) add_lu(std::move(p), layers, options);  // else it is one of the grids
    }
  }
  return options;
}

// Staying where A lies, in steps of its blocks.
std::optional<Option> option_of_user(const FactorProblem& p, int ranks, const FactorSettings& settings) {
  if (!settings.from || settings.algorithm != "auto" || settings.layers.value_or(1) != 1) return {};
  if (settings.in_place && is_one_block(*settings.from, ranks)) {
    std::vector<Option> one;
    add_grid(p.kind, 1, 1, 1, one);
    return one.front();
  }
  const std::optional<UserGrid> grid = grid_of_user(*settings.from, ranks);
  if (!grid || (settings.step && *settings.step != grid->step)) return {};
  // The last step ends where the rows do, and tiles to the right of it begin there.
  const bool as_dealt = p.columns <= p.rows || p.rows % grid->step == 0;
  if (settings.in_place && !as_dealt) return {};
  std::vector<Option> one;
  if (p.kind == Kind::lu)
    add_lu(LuPattern::grid_of(grid->rows, grid->columns, grid->owners), 1, one);
  else if (grid->row_block == grid->step && (!settings.in_place || grid->rows == grid->columns))
    add_cholesky(on_ranks(square_grid(grid->rows, grid->columns), grid->owners),
                 fmt::format("{}x{} where A lies", grid->rows, grid->columns), 1, one,
                 std::pair(grid->rows, grid->columns));
  if (one.empty()) return {};
  one.front().row_block = grid->row_block;
  one.front().step = grid->step;
  one.front().stays = true;
  return one.front();
}

std::vector<Index> step_choices(const FactorProblem& p, int ranks, const FactorSettings& settings,
                                const Option& o) {
  if (o.step) return {*o.step};
  if (settings.step) return {*settings.step};
  const Index n = std::max<Index>(1, std::min(p.rows, p.columns));
  if (ranks == 1) return {std::min<Index>(n, 256)};
  std::vector<Index> steps;
  for (const Index v : {16, 32, 64, 128, 256})
    if (v <= std::max<Index>(16, n / 8)) steps.push_back(std::min(v, n));
  return steps;
}

// ---- what it costs -----------------------------------------------------------------------------------------
void take_words(const RankWords& words, FactorCandidate& c) {
  c.mean_words = words.mean();
  c.busiest_words = words.busiest();
  c.most_received = words.most_received();
  c.total_words = words.total();
  c.messages = words.mean_messages();
  for (int r = 0; r < words.ranks(); ++r) {
    c.most_sent = std::max(c.most_sent, words[r].sent.words);
    c.most_messages = std::max(c.most_messages, words[r].sent.messages);
    c.most_messages_received = std::max(c.most_messages_received, words[r].received.messages);
  }
}

Index most_bytes(const LuShape& shape, ScalarType type) {
  Index most = 0;
  for (int q = 0; q < std::min(shape.positions(), most_counted_positions); ++q) {
    const LuCompiler<double> compiler(shape, q, PivotChoice::tournament);
    most = std::max(most, compiler.work_elements() + compiler.matrix_elements());
  }
  return most * bytes(type);
}
Index most_bytes(const CholeskyShape& shape, ScalarType type) {
  Index most = 0;
  for (int q = 0; q < std::min(shape.positions(), most_counted_positions); ++q)
    most = std::max(most, cholesky_elements(shape, q));
  return most * bytes(type);
}

// Products with k = v columns reach v / (v + 24) of the speed of long ones, panels and triangles half of that. Besides
// its even share of the flops a rank does again what several of a row or column do: panels of LU once to choose and once
// to divide, matches of 2 v rows, the rows of U. Of the panels of other columns lookahead hides three quarters. Layers of
// LU take turns: one works, while the others wait for its rows. Where a rank has whole columns, products are at
// v / (v + 12) of the speed, and a panel takes twice its flops: at N = 4096 on 2 ranks LU takes 0.449, 0.443 and 0.472 s
// in steps of 64, 128 and 256. Cholesky's products are as fast, its rows are not swapped; on a symmetric pattern and
// between layers nothing of its panels is hidden, because what is left to do meanwhile is uneven from step to step. There
// a rank's tiles lie in more rows and columns, and its products are smaller: at N = 4096 on 2 and 4 ranks they took 1.14
// to 1.24 times as long as on a grid. Words that Cholesky moves one after another take their time whatever the mean is.
double predicted_seconds(const FactorProblem& p, const FactorCandidate& c, bool symmetric,
                         const Machine& machine) {
  const double n = as_real(std::min(p.rows, p.columns)), v = as_real(c.step), steps = n / v;
  const bool lu = p.kind == Kind::lu;
  const double scalar =
      factor_flops(p) / std::max(1.0, factor_flops({p.kind, p.rows, p.columns, ScalarType::f64}));
  const double per_rank = factor_flops(p) / c.ranks() * c.flop_imbalance *
                          (1 + (lu && c.down > 1 ? 24 : 12) / v) * (symmetric ? 1.18 : 1);
  const double panels = as_real(p.rows) * n * v / c.down;  // flops of a rank whose columns all are
  double again = lu ? panels / c.across : 0, rounds = 0, passes = 1;
  if (lu && c.down > 1) {
    rounds = std::ceil(std::log2(c.down));
    passes = 2;
    again +=
        as_real(p.columns) * n * v / c.across * (1 - 1 / c.down) + steps * rounds * 8 * v * v * v / c.across;
  }
  const bool hidden = c.layers == 1 && !symmetric;
  const double turns = lu ? c.layers : 1;
  const double waiting = passes * panels * (1 - 1 / (c.across * c.layers)) / (hidden ? 4 : 1);
  const double depth = std::log2(2.0 * c.ranks()), bytes_ratio = bytes(p.type) / 8.0;
  return machine.gamma * (per_rank * turns + scalar * 2 * (again + waiting)) +
         machine.beta * as_real(std::max(c.most_words(), c.chain_words)) * bytes_ratio +
         machine.alpha * (c.messages + 2 * steps * (depth + rounds));
}

// Leading terms, for patterns that are too large to count pair by pair.
void estimate_words(const FactorProblem& p, double leading, FactorCandidate& c) {
  const double n = as_real(std::min(p.rows, p.columns)), v = as_real(c.step);
  c.mean_words = n * n / 2 * leading + n * v * (2 * c.down + c.across) / c.ranks();
  c.busiest_words = 1.1 * c.mean_words;
  c.most_sent = c.most_received = static_cast<Index>(c.busiest_words);
  c.total_words = static_cast<Index>(c.mean_words * c.ranks());
  c.messages = n / v * (c.across + c.down + 4 * c.layers) / c.layers;
  c.most_messages = c.most_messages_received = static_cast<Index>(1.2 * c.messages);
  c.flop_imbalance = 1.05;
}

FactorCandidate judge(const FactorProblem& p, const Option& o, Index step, const FactorSettings& settings) {
  FactorCandidate c{.pattern = o.name, .positions = o.positions, .layers = o.layers, .step = step};
  c.across = o.across;
  c.down = o.down;
  const bool counted = c.counted =
      o.positions <= most_counted_positions && std::min(p.rows, p.columns) / step <= most_counted_steps;
  if (p.kind == Kind::lu) {
    const LuShape shape(p.rows, p.columns, step, *o.pattern, o.layers, o.row_block);
    if (counted) {
      const std::vector<Index> order = expected_order(p.rows);
      take_words(count_lu(shape, order, settings.pivoting), c);
      c.flop_imbalance = lu_flop_imbalance(shape, order);
    }
    c.memory_bytes = most_bytes(shape, p.type);
  } else {
    const CholeskyShape shape(p.rows, step, *o.cells, o.layers);
    if (counted) {
      const CholeskyMoves moves(shape);
      take_words(count_cholesky(shape, moves), c);
      c.chain_words = cholesky_chain(shape, moves);
      c.flop_imbalance = cholesky_flop_imbalance(shape);
    }
    c.memory_bytes = most_bytes(shape, p.type);
  }
  if (!counted) estimate_words(p, o.leading_words, c);
  c.seconds = predicted_seconds(p, c, o.symmetric, settings.machine);
  return c;
}

// Fewest words, where no rank sends or receives much more than 1.2 times the mean. Of two ranks one sends what the
// other receives.
double score(const FactorCandidate& c, Goal goal) {
  if (goal == Goal::time) return c.seconds;
  const double most = c.ranks() == 2 ? c.busiest_words : as_real(c.most_words());
  const double over = c.mean_words > 0 ? most / c.mean_words : 1;
  return c.mean_words * std::pow(std::max(1.0, over / 1.19), 4) * (1 + 1e-6 * c.messages / (1 + c.messages)) +
         c.in.mean_words + c.out.mean_words;
}

void add_moving(const FactorProblem& p, const Option& o, int ranks, const FactorSettings& settings,
                FactorCandidate& c) {
  if (p.kind == Kind::lu) {
    const LuShape shape(p.rows, p.columns, c.step, *o.pattern, o.layers, o.row_block);
    c.in = moved(*settings.from, lu_layout(shape), ranks, p.type);
    if (settings.back) c.out = moved_in_pivot_order(shape, *settings.from, ranks);
  } else {
    const layout::Layout native = cholesky_layout(CholeskyShape(p.rows, c.step, *o.cells, o.layers));
    c.in = moved(*settings.from, native, ranks, p.type);
    if (settings.back) c.out = moved(native, *settings.from, ranks, p.type);
  }
  c.seconds += c.in.seconds(settings.machine, p.type) + c.out.seconds(settings.machine, p.type);
}

void check_problem(const FactorProblem& p, int ranks, const FactorSettings& s) {
  require(p.rows >= 0 && p.columns >= 0, "matrix is {} x {}, expected 0 x 0 or more", p.rows, p.columns);
  require(p.kind == Kind::lu || p.rows == p.columns, "matrix is {} x {}, expected a square one for Cholesky",
          p.rows, p.columns);
  require(ranks >= 1, "ranks is {}, expected 1 or more", ranks);
  const char* paper = p.kind == Kind::lu ? "conflux" : "confchox";
  require(s.algorithm == "auto" || s.algorithm == "2d" || s.algorithm == paper,
          "algorithm is {}, expected auto, 2d or {}", s.algorithm, paper);
  require(!s.layers || (*s.layers >= 1 && *s.layers <= ranks), "layers is {}, expected 1 to {}",
          s.layers.value_or(0), ranks);
  require(!s.from || (s.from->rows() == p.rows && s.from->columns() == p.columns),
          "the layout of A is for {} x {}, and A is {} x {}", s.from ? s.from->rows() : 0,
          s.from ? s.from->columns() : 0, p.rows, p.columns);
  require(!s.from || s.from->last_rank() < ranks, "the layout of A names rank {}, expected 0 to {}",
          s.from ? s.from->last_rank() : 0, ranks - 1);
  require(!s.step || *s.step >= 1, "step is {}, expected 1 or more", s.step.value_or(0));
}

// The few options worth counting exactly.
std::vector<Option> promising(std::vector<Option> options, const FactorSettings& settings) {
  constexpr std::size_t enough = 8;
  std::ranges::stable_sort(options, {}, &Option::leading_words);
  if (!settings.memory_bytes && options.size() > enough) {
    std::vector<Option> kept(options.begin(), options.begin() + enough);
    const auto flat =
        std::ranges::find(options, 1, &Option::layers);  // the best without layers is always looked at
    if (flat != options.end()) kept.push_back(*flat);
    return kept;
  }
  return options;
}

std::string why_lost(const FactorCandidate& c, const FactorCandidate& best, Goal goal) {
  const double by = score(c, goal) / std::max(1e-300, score(best, goal));
  return goal == Goal::time ? fmt::format("{:.2f} times the time", by)
                            : fmt::format("{:.2f} times the words", by);
}

}  // namespace

double factor_flops(const FactorProblem& p) {
  const double m = as_real(p.rows), n = as_real(p.columns), k = std::min(m, n);
  const double voxels = p.kind == Kind::lu ? k * (m * n - (m + n) * k / 2 + k * k / 3) : n * n * n / 6;
  return voxels * dispatch(p.type, []<class T>() { return ScalarTraits<T>::flops_per_voxel; });
}

// Sums that are not finished where they are must leave and foreign factors must arrive: Loomis-Whitney for the
// voxels of a rank, less what it owns. Cyclic layouts: both terms of the words, at their best real c.
FactorBounds factor_bounds(const FactorProblem& p, int ranks) {
  const double n = as_real(std::min(p.rows, p.columns)), q = ranks, half = n * n / (2 * q);
  FactorBounds b;
  const bool lu = p.kind == Kind::lu;
  b.resident = std::max(0.0, (lu ? 0.7211 : 0.3606) * n * n / std::pow(q, 2.0 / 3) - (lu ? 2 : 1) * half);
  b.cyclic = INFINITY;
  for (double c = 1; c <= q; c += 0.01) {
    const double words = lu ? 2 * std::sqrt(q / c) - 2 + 2 * (c - 1) : std::sqrt(q / c) + c - 2;
    b.cyclic = std::min(b.cyclic, std::max(0.0, half * words));
  }
  return b;
}

namespace {

using Judged = std::vector<std::pair<FactorCandidate, Option>>;

void sort_judged(Judged& all, Goal goal) {
  std::ranges::stable_sort(all, {}, [&](const auto& x) { return score(x.first, goal); });
}

// Moving is counted tile by tile: for the best without it and for staying where A is. Very narrow steps are out.
void weigh_moving(const FactorProblem& problem, int ranks, const FactorSettings& settings, Judged& all) {
  constexpr std::size_t enough = 6;
  constexpr Index most_tiles = 512;  // in a row or column
  Judged kept;
  for (const auto& [candidate, option] : all) {
    const bool countable = std::max(problem.rows, problem.columns) / candidate.step <= most_tiles;
    if (!option.step && (!countable || kept.size() >= enough)) continue;
    kept.emplace_back(candidate, option);
    add_moving(problem, option, ranks, settings, kept.back().first);
  }
  if (kept.empty()) return;
  all = std::move(kept);
  sort_judged(all, settings.goal);
}

// Where the factors are wanted back and a prediction decides by little, A stays where it lies: fewer words.
void prefer_staying(const FactorSettings& settings, Judged& all) {
  constexpr double little = 1.15;
  if (!settings.back || settings.goal != Goal::time) return;
  const auto stay = std::ranges::find_if(all, [](const auto& x) { return x.second.stays; });
  if (stay != all.end() && stay->first.seconds <= little * all.front().first.seconds)
    std::rotate(all.begin(), stay, stay + 1);
}

}  // namespace

FactorPlan plan_factor(const FactorProblem& problem, int ranks, const FactorSettings& settings) {
  check_problem(problem, ranks, settings);
  FactorPlan plan{.problem = problem,
                  .settings = settings,
                  .ranks = ranks,
                  .best = {},
                  .candidates = {},
                  .bounds = {},
                  .lu = {},
                  .cholesky = {}};
  plan.bounds = factor_bounds(problem, ranks);
  Judged all;
  std::vector<Option> options = promising(options_of(problem, ranks, settings), settings);
  const std::optional<Option> stay = option_of_user(problem, ranks, settings);
  if (settings.in_place) {
    require(stay.has_value(), "A, {} x {}, cannot be factored where it lies, {} on {} ranks: expected {}",
            problem.rows, problem.columns, settings.from ? settings.from->text() : "anywhere", ranks,
            problem.kind == Kind::lu ? "blocks dealt to a grid of all ranks, kept by columns, one layer and "
                                       "these blocks as steps, and if A "
                                       "is wider than high whole blocks in its rows"
                                     : "square blocks dealt to a square grid of all ranks, kept by columns, "
                                       "one layer and these blocks as steps");
    options.clear();
  }
  if (stay) options.push_back(*stay);
  for (const Option& o : options)
    for (const Index step : step_choices(problem, ranks, settings, o))
      all.emplace_back(judge(problem, o, step, settings), o);
  const auto least = std::ranges::min_element(all, {}, [](const auto& x) { return x.first.memory_bytes; });
  const Index limit = settings.memory_bytes.value_or(least->first.memory_bytes);
  require<MemoryError>(least->first.memory_bytes <= limit,
                       "memory is {} bytes per rank, and the factorization needs {} at least", limit,
                       least->first.memory_bytes);
  if (settings.memory_bytes)
    std::erase_if(all, [&](const auto& x) { return x.first.memory_bytes > *settings.memory_bytes; });
  sort_judged(all, settings.goal);
  if (settings.from) weigh_moving(problem, ranks, settings, all);
  prefer_staying(settings, all);
  plan.best = all.front().first;
  plan.best.why = "chosen";
  for (const auto& [c, o] : all) {
    if (plan.candidates.size() == settings.most_candidates) break;
    plan.candidates.push_back(c);
    plan.candidates.back().why =
        plan.candidates.size() == 1 ? "chosen" : why_lost(c, plan.best, settings.goal);
  }
  const Option& o = all.front().second;
  if (problem.kind == Kind::lu)
    plan.lu = std::make_shared<const LuShape>(problem.rows, problem.columns, plan.best.step, *o.pattern,
                                              o.layers, o.row_block);
  else
    plan.cholesky = std::make_shared<const CholeskyShape>(problem.rows, plan.best.step, *o.cells, o.layers);
  return plan;
}

}  // namespace cairn::factor
