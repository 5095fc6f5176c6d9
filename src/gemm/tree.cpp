#include "gemm/tree.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

namespace cairn::gemm {
namespace {

// Reads the notation from left to right.
class TreeReader {
 public:
  explicit TreeReader(std::string_view text) : text_(text) {}

  Tree read() {
    skip_spaces();
    Tree tree = node();
    require(at_ == text_.size(), "tree '{}' is complete at character {}, expected nothing after it", text_,
            at_);
    return tree;
  }

 private:
  static constexpr int most_depth = 64;

  Tree node() {
    require(++depth_ <= most_depth, "tree '{}' is more than {} cuts deep", text_, most_depth);
    Tree tree = text_.substr(std::min(at_ + 1, text_.size())).starts_with('(') ? cut() : grid();
    --depth_;
    return tree;
  }

  // k(8:9){..., ...}
  Tree cut() {
    const Dim along = dimension();
    expect('(');
    std::vector<Index> ranks{number()};
    while (takes(':')) ranks.push_back(number());
    expect(')');
    expect('{');
    std::vector<Tree> parts;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      if (i > 0) expect(',');
      parts.push_back(node());
      require(parts.back().ranks() == ranks[i],
              "part {} of a cut of {} in tree '{}' has {} bricks, expected {}", i + 1, name(along), text_,
              parts.back().ranks(), ranks[i]);
    }
    expect('}');
    return Tree::cut(along, std::move(parts));
  }

  // m2n2k3, or 1
  Tree grid() {
    if (takes('1')) return {};
    std::array<int, 3> extents{1, 1, 1};
    std::array<bool, 3> named{};
    do {
      const Dim d = dimension();
      require(!named[index(d)], "tree '{}' names {} twice in one grid", text_, name(d));
      named[index(d)] = true;
      extents[index(d)] = static_cast<int>(number());
    } while (at_ < text_.size() && (text_[at_] == 'm' || text_[at_] == 'n' || text_[at_] == 'k'));
    return Tree::leaf({extents[0], extents[1], extents[2]});
  }

  Dim dimension() {
    for (const Dim d : all_dims)
      if (takes(name(d).front())) return d;
    wrong("m, n, k or 1");
  }
  Index number() {
    constexpr Index most = 1 << 30;
    Index value = 0;
    const std::size_t first = at_;
    for (; at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0 && value <= most;
         ++at_)
      value = 10 * value + (text_[at_] - '0');
    if (at_ == first || value < 1 || value > most) at_ = first, wrong("a number of parts or ranks");
    skip_spaces();
    return value;
  }
  void expect(char c) {
    if (!takes(c)) wrong(std::string("'") + c + "'");
  }
  // Spaces after a character are skipped, so that none is left before the next one.
  bool takes(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    skip_spaces();
    return true;
  }
  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  [[noreturn]] void wrong(const std::string& expected) const {
    fail<ArgumentError>("tree '{}' at character {}, expected {}: k(8:9){{m2n2k2, m3n3}}", text_, at_,
                        expected);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Tree Tree::leaf(const Grid& grid) {
  for (const Dim d : all_dims)
    require(grid.extent(d) >= 1, "the grid is {}, expected 1 or more parts of {}", describe(grid), name(d));
  Tree tree;
  tree.grid_ = grid;
  tree.ranks_ = checked_mul(checked_mul(grid.pm, grid.pn, "ranks of a tree"), grid.pk, "ranks of a tree");
  return tree;
}

Tree Tree::cut(Dim along, std::vector<Tree> parts) {
  require(parts.size() >= 2, "a cut of {} into {} parts, expected 2 or more", name(along), parts.size());
  Tree tree;
  tree.along_ = along;
  tree.ranks_ = 0;
  for (const Tree& part : parts) tree.ranks_ = checked_add(tree.ranks_, part.ranks(), "ranks of a tree");
  tree.parts_ = std::move(parts);
  return tree;
}

Tree Tree::parse(std::string_view text) { return TreeReader(text).read(); }

std::string Tree::text() const {
  std::string text;
  if (is_leaf()) {
    for (const Dim d : all_dims)
      if (grid_.extent(d) > 1) text += fmt::format("{}{}", name(d), grid_.extent(d));
    return text.empty() ? "1" : text;
  }
  std::vector<Index> ranks;
  std::vector<std::string> parts;
  for (const Tree& part : parts_) {
    ranks.push_back(part.ranks());
    parts.push_back(part.text());
  }
  return fmt::format("{}({}){{{}}}", name(along_), fmt::join(ranks, ":"), fmt::join(parts, ", "));
}

bool Tree::cuts(Dim d) const {
  if (is_leaf()) return grid_.extent(d) > 1;
  return along_ == d || std::ranges::any_of(parts_, [&](const Tree& part) { return part.cuts(d); });
}

Tree Tree::simplified() const {
  if (is_leaf()) return *this;
  std::vector<Tree> parts;
  for (const Tree& part : parts_) parts.push_back(part.simplified());
  std::array<int, 3> sum{};
  for (const Tree& part : parts)
    for (const Dim d : all_dims) {
      const int extent = part.grid_.extent(d);
      if (!part.is_leaf() || (d != along_ && extent != parts.front().grid_.extent(d)))
        return cut(along_, std::move(parts));
      sum[index(d)] = d == along_ ? sum[index(d)] + extent : extent;
    }
  return leaf({sum[0], sum[1], sum[2]});
}

}  // namespace cairn::gemm
