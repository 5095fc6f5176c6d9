#include "symmetric/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "bounds/symmetric.hpp"
#include "factor/symmetric_table.hpp"
#include "layout/exchange/exchange_plan.hpp"
#include "program/count.hpp"
#include "symmetric/home.hpp"

namespace cairn::symmetric {
namespace {

using Layouts = std::array<layout::Layout, 3>;

constexpr int most_rows = 128;                // of a grid of the result: its square of cells is looked at
constexpr int most_tabled = 64;               // positions whose pattern is shipped
constexpr Index most_pairs = Index{1} << 22;  // of seats and ranks that are matched
constexpr double most_work = 1.3;             // of an even share, where only words count

struct Option {
  std::shared_ptr<Shape> shape;
  Candidate candidate;
};

// ---- what could be done ------------------------------------------------------------------------------------

// As the user deals the columns of the first panel: parts that divide his are unions of his.
layout::IndexMap part_map(const Problem& p, const Layouts& layouts, int parts) {
  const layout::Layout& user = layouts[static_cast<std::size_t>(panel_matrices(p).front())];
  return as_operand(user, turn(p)).column_map().dealt_to(parts);
}

void add_pattern(const Problem& p, const factor::SymmetricCells& cells, const Layouts& layouts, int ranks,
                 const Settings& settings, std::vector<Option>& options) {
  const auto k = static_cast<int>(std::min<Index>(std::max<Index>(1, p.k), ranks));
  const int parts = settings.parts.value_or(std::min(k, ranks / cells.positions));
  if (parts < 1 || parts > ranks / cells.positions) return;
  options.push_back({std::make_shared<Shape>(Shape::of_pattern(p, cells, part_map(p, layouts, parts))), {}});
}

// The result where it is; and on any grid, dealt round in eighths of a share, so that triangles are even.
void add_grids(const Problem& p, const Layouts& layouts, int ranks, const Settings& settings,
               std::vector<Option>& options) {
  const layout::Layout& result = layouts[static_cast<std::size_t>(result_matrix(p))];
  const auto add = [&](Shape shape) {
    if (settings.parts.value_or(shape.parts()) != shape.parts()) return;
    options.push_back({std::make_shared<Shape>(std::move(shape)), {}});
  };
  if (settings.algorithm == "pattern") return;
  const layout::Layout panel = as_operand(result, turn(p));
  if (panel.row_map().parts() <= most_rows)
    if (auto shape = Shape::result_in_place(p, panel)) add(std::move(*shape));
  if (settings.algorithm == "in-place") return;
  for (int rows = 1; rows <= std::min(ranks, most_rows); ++rows) {
    if (ranks % rows != 0 || ranks / rows > std::max<Index>(1, p.k)) continue;
    const Index block = std::max<Index>(1, p.n / (8 * Index{rows}));
    add(Shape::of_grid(p, layout::IndexMap::block_cyclic(p.n, block, rows),
                       part_map(p, layouts, ranks / rows)));
  }
}

std::vector<Option> options_of(const Problem& p, const Layouts& layouts, int ranks,
                               const Settings& settings) {
  std::vector<Option> options;
  if (settings.algorithm != "pattern" && settings.parts.value_or(1) == 1)
    if (auto shape = Shape::in_place(p, layouts[static_cast<std::size_t>(triangle_matrix(p))]))
      options.push_back({std::make_shared<Shape>(std::move(*shape)), {}});
  if (!p.updates()) add_grids(p, layouts, ranks, settings, options);
  if (settings.algorithm == "in-place") return options;
  for (int q = 1; q <= std::min(ranks, most_tabled); ++q)
    add_pattern(p, factor::symmetric_pattern(q), layouts, ranks, settings, options);
  for (int r = 12; r * (r - 1) / 2 <= ranks; ++r)
    add_pattern(p, factor::triangle_pairs(r), layouts, ranks, settings, options);
  return options;
}

// ---- what it costs -----------------------------------------------------------------------------------------

Index bytes_held(const Problem& p, const Shape& s, const Layouts& layouts, int ranks) {
  Index most = 0;
  for (int q = 0; q < s.positions(); ++q)
    for (int part = 0; part < s.parts(); ++part) {
      const Index k = s.part_map().count(part);
      Index elements = Shape::rows_of(s.faces(p, q, Shape::Use::read)) * k * panels_read(p) +
                       Shape::rows_of(s.faces(p, q, Shape::Use::written)) * k +
                       (s.stays() ? 0 : s.block_elements(q));
      if (ranks <= most_tabled)
        for (const layout::Layout& l : layouts) elements += l.memory_elements(s.rank(q, part));
      most = std::max(most, elements);
    }
  const layout::RedistributeOptions exchange;
  const Index slots = ranks == 1 ? 0 : 2 * exchange.pieces_under_way * exchange.piece_bytes;
  return most * bytes(p.type) + slots;
}

// Words from what seats need and what their ranks have of it; `kept` in all.
void judge(const Problem& p, const Layouts& layouts, int ranks, const Settings& settings, double kept,
           Option& o) {
  const Shape& s = *o.shape;
  Candidate& c = o.candidate;
  c.pattern = s.pattern();
  c.positions = s.positions();
  c.parts = s.parts();
  c.stays = s.stays();
  double in = 0, out = 0, most_in = 0, most_out = 0;
  for (const SeatWords& w : words_of_seats(p, s)) {
    in += w.in;
    out += w.out;
    most_in = std::max(most_in, w.in);
    most_out = std::max(most_out, w.out);
  }
  const double all = std::max(1e-300, in + out), moving = 1 - std::min(1.0, kept / all);
  c.mean_words = moving * all / ranks;
  c.busiest_words = moving * std::max(most_in + out / ranks, most_out + in / ranks);
  Index most_work_here = 0, columns = 0;
  for (int q = 0; q < s.positions(); ++q) most_work_here = std::max(most_work_here, s.work(q));
  for (int part = 0; part < s.parts(); ++part) columns = std::max(columns, s.part_map().count(part));
  const double share =
      static_cast<double>(triangle_elements(p.n)) * uses(p) * static_cast<double>(p.k) / ranks;
  c.work = share > 0 ? static_cast<double>(most_work_here) * static_cast<double>(columns) / share : 1;
  c.memory_bytes = bytes_held(p, s, layouts, ranks);
  const double word = bytes(p.type) / 8.0;
  const double exchanges = s.stays() && p.updates() ? 1 : 2;
  const double messages = exchanges * (ranks - 1) + c.busiest_words * bytes(p.type) / 262144;
  c.seconds = settings.machine.alpha * messages + settings.machine.beta * word * c.busiest_words +
              settings.machine.copy * word * (most_in + most_out) +
              settings.machine.gamma * flops(p) / ranks * c.work;
}

// Seats on the ranks that have most of what they need.
double sit_at_home(const Problem& p, const Layouts& layouts, int ranks, Shape& s) {
  const std::vector<layout::Benefit> benefits = words_at_home(p, s, layouts);
  if (s.is_seated() || std::ssize(benefits) > most_pairs) {
    double kept = 0;
    for (const layout::Benefit& b : benefits)
      if (s.rank(b.position % s.positions(), b.position / s.positions()) == b.rank)
        kept += static_cast<double>(b.words);
    return kept;
  }
  layout::Assignment a = layout::assign_positions(s.ranks(), ranks, benefits);
  s.sit_on(std::move(a.rank_of));
  return static_cast<double>(a.kept);
}

double score(const Candidate& c, Goal goal) {
  if (goal == Goal::time) return c.seconds;
  // Work is uneven where a triangle stays: that is for the goal `time` to judge, up to a point.
  return c.busiest_words * std::pow(std::max(1.0, c.work / most_work), 4) + 1e-9 * c.seconds;
}

void require_memory(const std::vector<Option>& options, const Settings& settings) {
  if (!settings.memory_bytes) return;
  Index least = options.front().candidate.memory_bytes;
  for (const Option& o : options) least = std::min(least, o.candidate.memory_bytes);
  require<MemoryError>(least <= *settings.memory_bytes,
                       "memory is {} bytes per rank, and the product needs {} at least",
                       *settings.memory_bytes, least);
}

void check(const Problem& p, int ranks, const Settings& s) {
  require(p.n >= 0 && p.k >= 0, "n is {} and k is {}, expected 0 or more", p.n, p.k);
  require(ranks >= 1, "ranks is {}, expected 1 or more", ranks);
  require(s.algorithm == "auto" || s.algorithm == "pattern" || s.algorithm == "in-place",
          "algorithm is {}, expected auto, pattern or in-place", s.algorithm);
  require(!s.parts || (*s.parts >= 1 && *s.parts <= ranks), "parts is {}, expected 1 to {}",
          s.parts.value_or(0), ranks);
}

std::string why_lost(const Candidate& c, const Candidate& best, Goal goal) {
  const double by = score(c, goal) / std::max(1e-300, score(best, goal));
  return fmt::format("{:.2f} times the {}", by, goal == Goal::time ? "time" : "words");
}

}  // namespace

bool operator==(const Settings& x, const Settings& y) {
  return x.goal == y.goal && x.algorithm == y.algorithm && x.parts == y.parts &&
         x.memory_bytes == y.memory_bytes && x.machine.alpha == y.machine.alpha &&
         x.machine.beta == y.machine.beta && x.machine.gamma == y.machine.gamma &&
         x.machine.copy == y.machine.copy;
}

void check_layouts(const Problem& p, const Layouts& layouts, int ranks) {
  const auto extents = stored_extents(p);
  for (std::size_t m = 0; m < 3; ++m) {
    const layout::Layout& l = layouts[m];
    const char name = "ABC"[m];
    require(l.rows() == extents[m].rows && l.columns() == extents[m].columns,
            "{} is {} x {}, expected {} x {}", name, l.rows(), l.columns(), extents[m].rows,
            extents[m].columns);
    require(l.last_rank() < ranks, "the layout of {} names rank {}, expected ranks below {}", name,
            l.last_rank(), ranks);
  }
}

double bound_words(const Problem& p, int ranks) {
  return bounds::symmetric::words({.n = p.n,
                                   .k = p.k,
                                   .panels = p.kind == Kind::rank_k ? 1 : 2,
                                   .symmetric = p.kind != Kind::triangular,
                                   .panels_owned = p.kind == Kind::rank_k ? 1 : 2},
                                  ranks);
}

Plan plan_product(const Problem& problem, const Layouts& layouts, int ranks, const Settings& settings) {
  check(problem, ranks, settings);
  check_layouts(problem, layouts, ranks);
  constexpr std::size_t looked_at = 8;  // with their best ranks
  std::vector<Option> options = options_of(problem, layouts, ranks, settings);
  require(!options.empty(), "algorithm {} with {} parts is not possible here", settings.algorithm,
          settings.parts.value_or(1));
  for (Option& o : options) judge(problem, layouts, ranks, settings, 0, o);
  require_memory(options, settings);
  if (settings.memory_bytes)
    std::erase_if(options,
                  [&](const Option& o) { return o.candidate.memory_bytes > *settings.memory_bytes; });
  const auto by_score = [&](const Option& o) { return score(o.candidate, settings.goal); };
  // What stays is always looked at: most of it may be at home.
  std::ranges::stable_sort(options, {},
                           [&](const Option& o) { return std::pair(!o.shape->is_seated(), by_score(o)); });
  if (options.size() > looked_at) options.resize(looked_at);
  for (Option& o : options)
    judge(problem, layouts, ranks, settings, sit_at_home(problem, layouts, ranks, *o.shape), o);
  std::ranges::stable_sort(options, {}, by_score);
  Plan plan{.problem = problem,
            .ranks = ranks,
            .shape = options.front().shape,
            .best = options.front().candidate,
            .candidates = {},
            .bound_words = bound_words(problem, ranks)};
  for (const Option& o : options) {
    if (plan.candidates.size() == settings.most_candidates) break;
    plan.candidates.push_back(o.candidate);
    plan.candidates.back().why =
        plan.candidates.size() == 1 ? "chosen" : why_lost(o.candidate, plan.best, settings.goal);
  }
  return plan;
}

std::vector<comm::Counters> count(const Plan& plan, const Layouts& layouts) {
  std::vector<comm::Counters> all;
  dispatch(plan.problem.type, [&]<class T>() {
    for (int rank = 0; rank < plan.ranks; ++rank)
      all.push_back(
          program::count(compile<T>(plan.problem, *plan.shape, {layouts, {}}, rank, plan.ranks)).total());
  });
  return all;
}

}  // namespace cairn::symmetric
