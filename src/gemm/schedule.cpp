#include "gemm/schedule.hpp"

#include <bit>

#include "comm/agreement.hpp"
#include "gemm/bricks.hpp"
#include "gemm/fast/in_schedule.hpp"
#include "gemm/placement.hpp"

namespace cairn::gemm {

bool operator==(const Schedule& x, const Schedule& y) {
  const auto key = [](const Schedule& s) {
    return std::tie(s.problem, s.grid, s.rounds, s.lookahead, s.combines, s.collectives, s.transport, s.link,
                    s.fast_levels);
  };
  if (!fast::same_steps(x, y)) return false;
  const auto alike = [](const auto& p, const auto& q) { return p == q || (p && q && *p == *q); };
  return key(x) == key(y) && alike(x.tree, y.tree) && alike(x.placement, y.placement);
}

Index working_ranks(const Schedule& s) {
  return s.steps ? fast::fast_schedule_of(s).ranks() : s.tree ? s.tree->ranks() : s.grid.ranks();
}

bool stays(const Schedule& s, Matrix x) {
  if (s.steps) return false;
  if (s.placement) return stays_placed(s, x);
  return s.tree ? !s.tree->cuts(missing(x)) : s.grid.extent(missing(x)) == 1;
}

comm::BlockWay way_of(const Schedule& s, const comm::Partition& slices) {
  if (s.collectives == Collectives::fewest_words)
    return slices.is_even() ? comm::BlockWay::direct : comm::BlockWay::ring;
  return comm::choose_way(slices, bytes(s.problem.type), s.link);
}

comm::BlockCollective collective_of(const Schedule& s, Matrix x, const comm::Partition& slices) {
  return {x == Matrix::c ? comm::BlockKind::reduce_scatter : comm::BlockKind::allgather, slices,
          way_of(s, slices), s.transport, bytes(s.problem.type)};
}

std::string describe_bricks(const Schedule& s) { return s.tree ? s.tree->text() : describe(s.grid); }

std::string describe(const Problem& p) {
  return fmt::format("{} x {} x {} {} {}{}", p.m, p.n, p.k, name(p.type), name(p.op_a), name(p.op_b));
}

std::string describe(const Schedule& s) {
  std::string text = fmt::format("{} on {}", describe(s.problem), describe_bricks(s));
  if (s.steps) text += fmt::format(" of {} ranks, {}", working_ranks(s), fast::describe_steps(s));
  if (s.fast_levels > 0)
    text += fmt::format(", {} fast level{} inside", s.fast_levels, s.fast_levels == 1 ? "" : "s");
  if (s.placement && !s.steps) text += describe_placement(s);
  if (s.rounds.count > 1) text += fmt::format(", {} rounds along {}", s.rounds.count, name(s.rounds.along));
  if (s.lookahead > 0) text += fmt::format(", lookahead {}", s.lookahead);
  if (s.combines > 1) text += fmt::format(", C combined in {} parts", s.combines);
  if (s.collectives == Collectives::fewest_words) text += ", fewest words";
  if (s.transport == Transport::one_sided) text += ", one-sided";
  return text;
}

Index most_combines(const Schedule& s) {
  const bool complete_at_the_end = s.rounds.count == 1 || s.rounds.along == Dim::k;
  return !s.tree && s.grid.pk > 1 && complete_at_the_end ? std::max<Index>(1, s.problem.n) : 1;
}

namespace {

void check_tree(const Schedule& s, Index ranks) {
  require(s.tree->ranks() <= ranks, "the tree {} has {} ranks, expected at most {}", s.tree->text(),
          s.tree->ranks(), ranks);
  require(s.transport == Transport::two_sided,
          "one-sided transport for bricks of the tree {}, expected two-sided, or bricks of a grid",
          s.tree->text());
  require(s.lookahead <= 1, "lookahead is {}, expected 0 or 1 for bricks of a tree", s.lookahead);
}

}  // namespace

void check(const Schedule& s, Index ranks) {
  for (const Dim d : all_dims) {
    require_not_negative(s.problem.size(d), name(d));
    require(s.grid.extent(d) >= 1, "the grid is {}, expected 1 or more parts of {}", describe(s.grid),
            name(d));
  }
  const Index pmn = checked_mul(s.grid.pm, s.grid.pn, "ranks of the grid");
  const Index used = checked_mul(pmn, s.grid.pk, "ranks of the grid");
  require(used <= ranks, "the grid {} has {} ranks, expected at most {}", describe(s.grid), used, ranks);
  if (s.tree) check_tree(s, ranks);
  for (const auto& [x, y] : {std::pair(Dim::m, Dim::k), std::pair(Dim::k, Dim::n), std::pair(Dim::m, Dim::n)})
    checked_mul(checked_mul(s.problem.size(x), s.problem.size(y), "elements of a matrix"),
                bytes(s.problem.type), "bytes of a matrix");
  const Index most = std::max<Index>(1, s.problem.size(s.rounds.along));
  require(s.rounds.count >= 1 && s.rounds.count <= most, "{} rounds along {}, expected 1 to {}",
          s.rounds.count, name(s.rounds.along), most);
  require(s.lookahead >= 0, "lookahead is {}, expected 0 or more", s.lookahead);
  const Index most_parts = most_combines(s);
  require(s.combines >= 1 && s.combines <= most_parts,
          "C is combined in {} parts, expected 1 to {} for the {} {} and rounds along {}", s.combines,
          most_parts, s.tree ? "tree" : "grid", describe_bricks(s), name(s.rounds.along));
  fast::check_in_schedule(s, ranks);
  if (s.placement) check_placement(s, ranks);
}

Index fingerprint(const Schedule& s) {
  const std::string tree = s.tree ? s.tree->text() : std::string();
  const std::array<Index, 19> values{s.grid.pm,
                                     s.grid.pn,
                                     s.grid.pk,
                                     static_cast<Index>(s.rounds.along),
                                     s.rounds.count,
                                     s.lookahead,
                                     static_cast<Index>(s.collectives),
                                     static_cast<Index>(s.transport),
                                     static_cast<Index>(s.problem.op_a),
                                     static_cast<Index>(s.problem.op_b),
                                     static_cast<Index>(s.problem.type),
                                     std::bit_cast<Index>(s.link.alpha),
                                     std::bit_cast<Index>(s.link.beta),
                                     std::bit_cast<Index>(s.link.sigma),
                                     s.combines,
                                     s.placement ? fingerprint_of_placement(s) : 0,
                                     comm::fingerprint(std::vector<Index>(tree.begin(), tree.end())),
                                     s.fast_levels,
                                     fast::fingerprint_of_steps(s)};
  return comm::fingerprint(values);
}

}  // namespace cairn::gemm
