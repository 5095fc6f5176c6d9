// Looking moves up, and chains of them: shortest paths in the graph of distributions.
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "layout/moves/moves.hpp"

namespace cairn::layout {
namespace {

std::vector<Distribution> all_distributions() {
  std::vector<Distribution> found;
  for (const NamedMove& m : all_moves())
    for (const Distribution* x : {&m.from, &m.to})
      if (std::ranges::find(found, *x) == found.end()) found.push_back(*x);
  return found;
}

void check_known(const Distribution& x) {
  const std::vector<Distribution> all = all_distributions();
  if (std::ranges::find(all, x) != all.end()) return;
  std::vector<std::string> texts;
  for (const Distribution& d : all) texts.push_back(d.text());
  fail("'{}' is not a distribution on a mesh of two dimensions, expected one of {}", x.text(),
       fmt::join(texts, " "));
}

using Length = std::pair<double, int>;  // words, then moves

// Dijkstra's algorithm over the 18 distributions.
class ShortestPath {
 public:
  ShortestPath(Shape shape, std::function<double(const NamedMove&)> words)
      : shape_(shape), words_(std::move(words)), nodes_(all_distributions()), found_(nodes_.size()) {}

  // False if there is none.
  bool find(const Distribution& from, const Distribution& to, std::vector<NamedMove>& chain) {
    found_[number(from)].reached = true;
    for (std::size_t here = next(); here < nodes_.size(); here = next()) {
      found_[here].settled = true;
      for (const NamedMove& m : all_moves())
        if (m.from == nodes_[here] && m.applies(shape_)) reach(here, m);
    }
    if (!found_[number(to)].reached) return false;
    for (std::size_t at = number(to); found_[at].by != nullptr; at = number(chain.back().from))
      chain.push_back(*found_[at].by);
    std::ranges::reverse(chain);
    return true;
  }

 private:
  struct Node {
    bool reached = false, settled = false;
    Length length;
    const NamedMove* by = nullptr;
  };
  std::size_t number(const Distribution& x) const {
    return static_cast<std::size_t>(std::ranges::find(nodes_, x) - nodes_.begin());
  }
  std::size_t next() const {
    std::size_t best = nodes_.size();
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (found_[i].reached && !found_[i].settled &&
          (best == nodes_.size() || found_[i].length < found_[best].length))
        best = i;
    return best;
  }
  void reach(std::size_t here, const NamedMove& m) {
    Node& there = found_[number(m.to)];
    const Length total{found_[here].length.first + words_(m), found_[here].length.second + 1};
    if (!there.reached || total < there.length) there = {true, false, total, &m};
  }

  Shape shape_;
  std::function<double(const NamedMove&)> words_;
  std::vector<Distribution> nodes_;
  std::vector<Node> found_;
};

}  // namespace

const NamedMove& find_move(std::string_view name) {
  for (const NamedMove& m : all_moves())
    if (m.name() == name) return m;
  fail("there is no move '{}', expected a name like 'allgather [(0,1),()] -> [(0),()]'", name);
}

const NamedMove& find_move(std::string_view from, std::string_view to, Shape shape) {
  const Distribution a = parse_distribution(from), b = parse_distribution(to);
  for (const NamedMove& m : all_moves())
    if (m.from == a && m.to == b && m.applies(shape)) return m;
  const std::vector<NamedMove> chain = path(a, b, shape);
  std::vector<std::string> names;
  for (const NamedMove& m : chain) names.push_back(m.name());
  fail("no single collective turns a {} in {} into {}; a chain of {} does: {}", layout::name(shape), a.text(),
       b.text(), chain.size(), fmt::join(names, "; "));
}

std::vector<NamedMove> path(const Distribution& from, const Distribution& to, Shape shape) {
  constexpr int side = 64;
  constexpr Index size = Index{side} * side;
  return cheapest_path(from, to, shape, shape == Shape::row ? 1 : size, shape == Shape::column ? 1 : size,
                       side, side);
}

std::vector<NamedMove> path(std::string_view from, std::string_view to, Shape shape) {
  return path(parse_distribution(from), parse_distribution(to), shape);
}

std::vector<NamedMove> cheapest_path(const Distribution& from, const Distribution& to, Shape shape, Index m,
                                     Index n, int d0, int d1) {
  check_known(from);
  check_known(to);
  std::vector<NamedMove> chain;
  ShortestPath search(shape, [=](const NamedMove& move) { return move.words(m, n, d0, d1); });
  require(search.find(from, to, chain),
          "no chain of moves turns {} into {}: a sum cannot be taken apart again", from.text(), to.text());
  return chain;
}

}  // namespace cairn::layout
