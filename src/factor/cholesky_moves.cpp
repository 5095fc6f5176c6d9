#include "factor/cholesky_moves.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace cairn::factor {
namespace {

// A rank that sends less than this much more than the mean is left alone: every row passed on is a message later.
constexpr double enough_over_mean = 1.04;

RowBlock::Run& last(RowBlock& block) { return *(block.runs.end() - 1); }

void append(RowBlock& block, int tile, int classes, Index width) {
  if (!block.runs.empty() && last(block).first + last(block).count * classes == tile)
    ++last(block).count;
  else
    block.runs.push_back({tile, 1});
  block.rows += width;
}

// The topmost tile, which has so many rows, and the others.
std::pair<RowBlock, RowBlock> divided(const RowBlock& block, Index width, int classes) {
  RowBlock top{.row_class = block.row_class}, rest{.row_class = block.row_class};
  for (const RowBlock::Run& run : block.runs) {
    const int cut = top.runs.empty() ? 1 : 0;
    if (cut > 0) top.runs.push_back({run.first, cut});
    if (run.count > cut) rest.runs.push_back({run.first + cut * classes, run.count - cut});
  }
  top.rows = width;
  rest.rows = block.rows - width;
  return {top, rest};
}

}  // namespace

CholeskyMoves::CholeskyMoves(const CholeskyShape& shape)
    : shape_(shape), sent_(at_index(shape.ranks()), 0), steps_(at_index(shape.tiles())) {
  std::vector<std::vector<Group>> groups;
  for (int k = 0; k < shape.tiles(); ++k) {
    count_others(k);
    groups.push_back(groups_of(k));
    for (const Group& g : groups.back())
      for (const Taker& t : g.takers) sent(k, g.owner) += words(g, t);
  }
  const double mean =
      static_cast<double>(std::accumulate(sent_.begin(), sent_.end(), Index{0})) / shape.ranks();
  const auto uneven = [&] {
    return static_cast<double>(*std::ranges::max_element(sent_)) > enough_over_mean * mean;
  };
  // What one has taken over others may have to take over from it.
  for (int pass = 0; pass < 3 && shape.ranks() > 1 && uneven(); ++pass)
    for (std::vector<Group>& step : groups)
      for (Group& g : step) pass_on(g, (enough_over_mean - 1) * mean);
  for (int k = 0; k < shape.tiles(); ++k) {
    steps_[at_index(k)] = moves_of(k, groups[at_index(k)]);
    groups[at_index(k)].clear();
  }
}

Index& CholeskyMoves::sent(int step, int position) {
  return sent_[at_index(shape_.rank(shape_.layer(step), position))];
}

// What moves before column k is solved: sums of the other layers, and the triangle of the diagonal.
void CholeskyMoves::count_others(int k) {
  const CholeskyShape& s = shape_;
  std::vector<Index> rows(at_index(s.positions()), 0);
  Index panels = 0;
  for (int a = 0; a < s.classes(); ++a) {
    Index& mine = rows[at_index(s.owner(a, k))];
    const Index more = s.class_rows(a, k + 1);
    if (mine == 0 && more > 0 && s.owner(a, k) != s.owner(k, k)) ++panels;
    mine += more;
  }
  sent(k, s.owner(k, k)) += panels * s.triangle(k);
  for (const int x : s.contributors(k))
    for (int q = 0; q < s.positions(); ++q)
      sent_[at_index(s.rank(x, q))] +=
          rows[at_index(q)] * s.width(k) + (q == s.owner(k, k) ? s.triangle(k) : 0);
}

std::vector<CholeskyMoves::Group> CholeskyMoves::groups_of(int k) const {
  const CholeskyShape& s = shape_;
  std::vector<Group> groups;
  for (int a = 0; a < s.classes(); ++a) {
    Group g{k, s.owner(a, k)};
    std::vector<int> number(at_index(s.positions()), -1);
    for (int i = s.first_tile(a, k + 1); i < s.tiles(); i += s.classes())
      for (const CholeskyShape::Need& need : s.needs(i)) {
        if (need.last <= k || need.position == g.owner) continue;
        int& taker = number[at_index(need.position)];
        if (taker < 0) {
          taker = static_cast<int>(g.takers.size());
          g.takers.push_back({need.position, {.row_class = a}});
        }
        append(g.takers[at_index(taker)].block, i, s.classes(), s.width(i));
      }
    if (!g.takers.empty()) groups.push_back(std::move(g));
  }
  return groups;
}

// From an owner to a taker that sends less. One taker at least has its rows from the owner itself, and so have those that
// the next column waits for.
void CholeskyMoves::pass_on(Group& g, double margin) {
  const auto load = [&](int position) { return static_cast<double>(sent(g.step, position)); };
  for (Taker& t : g.takers) {
    if (t.from >= 0 || std::ranges::find(g.takers, t.position, &Taker::from) != g.takers.end()) continue;
    if (urgent(g.step, t) != Urgent::nothing) continue;
    int best = -1;
    for (const Taker& other : g.takers)
      if (other.from < 0 && other.position != t.position && other.block == t.block &&
          (best < 0 || load(other.position) < load(best)) && urgent(g.step, other) != Urgent::topmost)
        best = other.position;
    const Index n = words(g, t);
    if (best < 0 || load(g.owner) - load(best) <= margin + static_cast<double>(n)) continue;
    t.from = best;
    sent(g.step, g.owner) -= n;
    sent(g.step, best) += n;
  }
}

bool CholeskyMoves::owns_rows(int position, int k) const {
  for (int a = 0; a < shape_.classes(); ++a)
    if (shape_.owner(a, k) == position && shape_.first_tile(a, k) < shape_.tiles()) return true;
  return false;
}

CholeskyMoves::Urgent CholeskyMoves::urgent(int step, const Taker& t) const {
  const int next = step + 1, a = t.block.row_class;
  if (shape_.owner(a, next) == t.position) return Urgent::all;
  const bool of_next = a == next % shape_.classes() && t.block.runs.begin()->first == next;
  return of_next && owns_rows(t.position, next) ? Urgent::topmost : Urgent::nothing;
}

// One message for all classes that go from one position to another at once; what is passed on goes class by class, because
// it does not lie together where it has arrived.
std::vector<ColumnMove> CholeskyMoves::moves_of(int k, const std::vector<Group>& groups) const {
  std::map<std::tuple<bool, int, int>, ColumnMove> direct;  // by giving way, from, to
  std::vector<ColumnMove> moves, relayed;
  const auto add = [&](ColumnMove& move, const RowBlock& block) {
    move.blocks.push_back(block);
    move.words += block.rows * shape_.width(k);
  };
  const auto send = [&](int from, int to, bool first, const RowBlock& block) {
    add(direct.try_emplace({!first, from, to}, ColumnMove{.from = from, .to = to, .first = first})
            .first->second,
        block);
  };
  for (const Group& g : groups)
    for (const Taker& t : g.takers) {
      const Urgent urgently = urgent(k, t);
      if (t.from >= 0) {
        add(relayed.emplace_back(ColumnMove{.from = t.from, .to = t.position, .relayed = true}), t.block);
      } else if (urgently != Urgent::topmost) {
        send(g.owner, t.position, urgently == Urgent::all, t.block);
      } else {
        const auto [top, rest] = divided(t.block, shape_.width(k + 1), shape_.classes());
        send(g.owner, t.position, true, top);
        if (rest.rows > 0) send(g.owner, t.position, false, rest);
      }
    }
  for (auto& [key, move] : direct) moves.push_back(std::move(move));
  moves.insert(moves.end(), relayed.begin(), relayed.end());
  return moves;
}

}  // namespace cairn::factor
