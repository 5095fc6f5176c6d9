#include "gemm/fast/in_schedule.hpp"

#include <algorithm>

#include "comm/agreement.hpp"
#include "gemm/compile.hpp"
#include "gemm/fast/compile.hpp"
#include "gemm/placement.hpp"
#include "program/append.hpp"

namespace cairn::gemm::fast {
namespace {

bool same_algorithm(const Bilinear& x, const Bilinear& y) {
  if (&x == &y) return true;
  if (x.m0 != y.m0 || x.k0 != y.k0 || x.n0 != y.n0) return false;
  return std::ranges::equal(x.terms, y.terms, [](const Term& a, const Term& b) { return a.of == b.of; });
}

// Coefficients are small fractions: their values tell them apart.
void add_coefficients(const Bilinear& x, std::vector<Index>& values) {
  values.insert(values.end(), {x.m0, x.k0, x.n0});
  for (const Term& t : x.terms)
    for (const Matrix m : all_matrices)
      for (const Rational& c : t[m]) values.push_back(static_cast<Index>(c.value() * 5040));
}

bool same_rests(const Steps& x, const Steps& y) {
  return std::ranges::equal(x.rests, y.rests, [](const Rest& a, const Rest& b) {
    return a.first == b.first && a.schedule == b.schedule;
  });
}

// A classical product takes beta from the run; that of the rest of k is 1, because it adds to what the steps made.
void set_beta_to_one(program::Program& program) {
  const auto set = [](program::Factor& f) {
    if (f.parameter == parameter_beta) f = program::Factor::of(f.number);
  };
  for (program::Action& action : program.actions) {
    if (auto* x = std::get_if<program::Multiply>(&action.what)) set(x->beta);
    if (auto* x = std::get_if<program::LinearCombination>(&action.what)) {
      set(x->keep);
      for (auto& term : x->terms) set(term.factor);
    }
    if (auto* x = std::get_if<program::Communicate>(&action.what))
      if (auto* exchange = std::get_if<program::Exchange>(&x->what))
        for (program::ExchangeMove& move : exchange->moves) set(move.beta);
  }
}

// The matrices, with the leading dimension that the whole has: a part by itself would have a smaller one.
std::array<Index, 3> known_leading(const Schedule& s, int rank, std::array<Index, 3> leading) {
  for (const Matrix x : all_matrices)
    if (leading[index(x)] == 0 && layout_of(s, x).mesh() != nullptr)
      leading[index(x)] = layout_of(s, x).least_leading_dimension(rank);
  return leading;
}

// C := beta C where there is nothing to multiply: any bricks do it where C lies.
Schedule without_steps(Schedule s) {
  s.steps.reset();
  s.grid = {};
  change_placement(s, [](Placement& p) {
    p.cuts = {};
    p.ranks = {0};
  });
  return s;
}

}  // namespace

bool same_steps(const Schedule& x, const Schedule& y) {
  if (x.steps == y.steps) return true;
  if (!x.steps || !y.steps) return false;
  const bool alike = std::ranges::equal(x.steps->all, y.steps->all, [](const FastStep& a, const FastStep& b) {
    return a.kind == b.kind && same_algorithm(*a.algorithm, *b.algorithm);
  });
  return alike && same_rests(*x.steps, *y.steps);
}

Index fingerprint_of_steps(const Schedule& s) {
  if (!s.steps) return 0;
  std::vector<Index> values;
  for (const FastStep& step : s.steps->all) {
    values.push_back(static_cast<Index>(step.kind));
    add_coefficients(*step.algorithm, values);
  }
  for (const Rest& rest : s.steps->rests) {
    values.insert(values.end(), rest.first.begin(), rest.first.end());
    values.push_back(fingerprint(rest.schedule));
  }
  return comm::fingerprint(values);
}

std::string describe_steps(const Schedule& s) {
  const std::span<const FastStep> steps = s.steps->all;
  return fmt::format("{} {}{}", algorithms_of(steps), order_of(steps),
                     s.steps->rests.empty() ? "" : ", what they do not divide peeled off");
}

void check_in_schedule(const Schedule& s, Index ranks) {
  require(s.fast_levels >= 0, "{} fast levels, expected 0 or more", s.fast_levels);
  require((!s.steps && s.fast_levels == 0) || s.transport == Transport::two_sided,
          "one-sided transport with fast steps or levels, expected two-sided");
  if (!s.steps) return;
  require(s.rounds.count == 1 && s.lookahead == 0 && s.combines == 1,
          "{} rounds, lookahead {}, C in {} parts behind fast steps, expected 1, 0 and 1", s.rounds.count,
          s.lookahead, s.combines);
  check(fast_schedule_of(s), narrow<int>(ranks, "ranks"));
  require(s.steps->rests.empty() || s.placement,
          "fast steps with peeling on native layouts, expected padding");
  for (const Rest& rest : s.steps->rests) gemm::check(rest.schedule, ranks);
}

Problem core_of(const Problem& problem, std::span<const FastStep> steps) {
  Problem core = problem;
  const std::array<Index*, 3> sizes{&core.m, &core.n, &core.k};
  for (const Dim d : all_dims) {
    Index parts = 1;
    for (const FastStep& step : steps)
      parts = checked_mul(parts, step.algorithm->parts(d), "parts of a dimension");
    *sizes[index(d)] -= problem.size(d) % parts;
  }
  return core;
}

std::array<layout::Layout, 3> parts_of(const std::array<layout::Layout, 3>& matrices, const Problem& part,
                                       const std::array<Index, 3>& first) {
  std::array<layout::Layout, 3> parts;
  for (const Matrix x : all_matrices) {
    const Dim rows = row_dim(part, x), columns = col_dim(part, x);
    parts[index(x)] = matrices[index(x)].sub_matrix(first[index(rows)], first[index(columns)],
                                                    part.size(rows), part.size(columns));
  }
  return parts;
}

std::vector<Level> winograd_levels(int count) {
  return std::vector<Level>(static_cast<std::size_t>(count), winograd_level(Temporaries::few));
}

FastSchedule fast_schedule_of(const Schedule& s) {
  return {s.problem, s.steps ? s.steps->all : std::vector<FastStep>(), s.grid, winograd_levels(s.fast_levels),
          s.link};
}

Schedule schedule_of(const FastSchedule& f) {
  Schedule s{.problem = f.problem, .grid = f.base, .link = f.link};
  if (!f.steps.empty()) s.steps = std::make_shared<const Steps>(Steps{f.steps});
  s.fast_levels = static_cast<int>(f.local.size());
  return s;
}

LocalProduct local_product_of(const program::Multiply& x, int levels) {
  return {.m = x.m, .n = x.n, .k = x.k, .op_a = x.op_a, .op_b = x.op_b, .levels = winograd_levels(levels)};
}

Schedule where_dealt(const Schedule& schedule) {
  const Dealt dealt(fast_schedule_of(schedule));
  auto placement = std::make_shared<Placement>();
  for (const Matrix x : all_matrices) {
    const layout::Layout as_used = dealt.layout(x);
    placement->matrices[index(x)] = op_of(schedule.problem, x) == Op::none ? as_used : as_used.transposed();
  }
  Schedule s = schedule;
  s.placement = std::move(placement);
  return s;
}

program::Program compile_steps(const Schedule& s, int rank, int ranks, const std::array<Index, 3>& leading) {
  if (!s.placement) return compile(fast_schedule_of(s), rank, ranks);
  if (!s.problem.multiplies()) return gemm::compile(without_steps(s), rank, ranks, leading);
  const std::array<Index, 3> whole = known_leading(s, rank, leading);
  FastSchedule steps = fast_schedule_of(s);
  std::array<layout::Layout, 3> matrices = s.placement->matrices;
  if (!s.steps->rests.empty()) {
    steps.problem = core_of(s.problem, s.steps->all);
    matrices = parts_of(matrices, steps.problem, {});
  }
  const auto placed = [&](Matrix x) {
    const Index ld = whole[index(x)];
    return PlacedMatrix{matrices[index(x)], layout_of(s, x).memory_elements(rank, ld), ld};
  };
  program::Program program = compile_placed(steps, placed(Matrix::a), placed(Matrix::b), placed(Matrix::c),
                                            rank, ranks, s.placement->exchange);
  for (const Rest& rest : s.steps->rests) {
    program::Program next = gemm::compile(rest.schedule, rank, ranks, whole);
    if (rest.first[index(Dim::k)] > 0) set_beta_to_one(next);
    program::append(program, std::move(next));
  }
  return program;
}

}  // namespace cairn::gemm::fast
