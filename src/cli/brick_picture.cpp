#include "cli/brick_picture.hpp"

#include <algorithm>
#include <cmath>

#include "base/xml_text.hpp"
#include "cli/svg.hpp"
#include "cli/table.hpp"
#include "comm/partition.hpp"
#include "gemm/bricks.hpp"
#include "gemm/compile.hpp"
#include "gemm/placement.hpp"
#include "gemm/tree_count.hpp"
#include "program/count.hpp"

namespace cairn::cli {
namespace {

using gemm::Dim;
using gemm::Matrix;

constexpr double picture_width = 1000, box_top = 96, box_bottom = 500, bars_top = 570, bars_bottom = 740,
                 bars_left = 90, bars_right = 860, picture_height = 820;
constexpr int most_parts = 32;  // drawn along a dimension
constexpr int most_bars = 200;

struct Point {
  double x = 0, y = 0;
};

std::string text_at(Point p, double size, const char* anchor, const std::string& text,
                    const char* more = "fill=\"#222\"") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:.1f}\" text-anchor=\"{}\" {}>{}</text>\n",
                     p.x, p.y, size, anchor, more, xml_escaped(text));
}

// ---- the box
// ----------------------------------------------------------------------------------------------- m goes
// down, n to the right and back, k to the left and back: the left side is A (m x k), the right side C (m x
// n), the top B (k x n).
class Box {
 public:
  explicit Box(const gemm::Schedule& s) : schedule_(s) {
    for (const Dim d : gemm::all_dims) drawn_[index(d)] = std::min(s.grid.extent(d), most_parts);
    choose_lengths();
    place();
  }

  bool to_scale() const { return exponent_ == 1; }
  bool all_parts() const {
    return drawn(Dim::m) == schedule_.grid.pm && drawn(Dim::n) == schedule_.grid.pn &&
           drawn(Dim::k) == schedule_.grid.pk;
  }

  // Those behind first. Of many only the outer ones: the gaps are too narrow to look inside.
  std::string bricks() const {
    if (schedule_.tree) return bricks_of_tree();
    const bool all = drawn(Dim::m) * drawn(Dim::n) * drawn(Dim::k) <= 1500;
    std::string svg;
    for (int j = drawn(Dim::n) - 1; j >= 0; --j)
      for (int l = drawn(Dim::k) - 1; l >= 0; --l)
        for (int i = drawn(Dim::m) - 1; i >= 0; --i)
          if (all || i == 0 || j == 0 || l == 0) svg += brick(i, j, l);
    return svg;
  }

  std::string labels() const {
    const double m = total(Dim::m), n = total(Dim::n), k = total(Dim::k);
    const auto size = [&](Dim d) {
      if (schedule_.tree) return fmt::format("{} = {}", name(d), schedule_.problem.size(d));
      return fmt::format("{} = {}, {} part{}", name(d), schedule_.problem.size(d), schedule_.grid.extent(d),
                         schedule_.grid.extent(d) == 1 ? "" : "s");
    };
    const Point left = at(m / 2, 0, k), bottom_left = at(m, 0, k / 2), bottom_right = at(m, n / 2, 0);
    return text_at({left.x - 12, left.y}, 14, "end", size(Dim::m)) +
           text_at({bottom_left.x - 12, bottom_left.y + 24}, 14, "end", size(Dim::k)) +
           text_at({bottom_right.x + 12, bottom_right.y + 24}, 14, "start", size(Dim::n));
  }

 private:
  static constexpr double slope = 0.5, across = 0.8660254037844386;  // of 30 degrees

  int drawn(Dim d) const { return drawn_[index(d)]; }
  double total(Dim d) const { return length_[index(d)] + gap_ * (drawn(d) - 1); }

  // Sides in proportion, unless one would be less than a fifth of the longest.
  void choose_lengths() {
    double most = 1, least = 1e300;
    for (const Dim d : gemm::all_dims) {
      const double size = std::max(1.0, static_cast<double>(schedule_.problem.size(d)));
      most = std::max(most, size);
      least = std::min(least, size);
    }
    constexpr double thinnest = 0.2;
    exponent_ = least / most < thinnest ? std::log(thinnest) / std::log(least / most) : 1;
    for (const Dim d : gemm::all_dims)
      length_[index(d)] =
          std::pow(std::max(1.0, static_cast<double>(schedule_.problem.size(d))) / most, exponent_);
  }

  void place() {
    const double tall = length_[0] + slope * (length_[1] + length_[2]),
                 wide = across * (length_[1] + length_[2]);
    const double scale = std::min((box_bottom - box_top - 40) / tall, 560 / wide);
    for (double& l : length_) l *= 0.92 * scale;
    const int parts = std::max({drawn_[0], drawn_[1], drawn_[2]});
    gap_ = parts > 1 ? std::min(9.0, 0.08 * scale / parts) : 0;
    const Point top = at(0, total(Dim::n), total(Dim::k)), left = at(0, 0, total(Dim::k)),
                right = at(0, total(Dim::n), 0);
    origin_ = {picture_width / 2 - (left.x + right.x) / 2, box_top + 10 - top.y};
  }

  Point at(double m, double n, double k) const {
    return {origin_.x + across * (n - k), origin_.y + m - slope * (n + k)};
  }

  struct Range {
    double begin, end;
  };
  Range range(Dim d, int i) const {
    const Index size = std::max<Index>(1, schedule_.problem.size(d));
    const auto parts = comm::Partition::balanced(drawn(d), size);
    const double unit = length_[index(d)] / static_cast<double>(size);
    const double begin = unit * static_cast<double>(parts.offset(i)) + gap_ * i;
    return {begin, begin + unit * static_cast<double>(parts.count(i))};
  }

  static std::string side(const std::array<Point, 4>& p, const std::string& colour) {
    return fmt::format(
        "<polygon points=\"{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f}\" fill=\"{}\" "
        "stroke=\"#333\" stroke-width=\"0.6\" stroke-linejoin=\"round\"/>\n",
        p[0].x, p[0].y, p[1].x, p[1].y, p[2].x, p[2].y, p[3].x, p[3].y, colour);
  }

  // The rank in the middle of an outer side, where there is room.
  std::string number(const std::array<Point, 4>& p, bool outside, int rank) const {
    const double room_x = std::abs(p[2].x - p[0].x),
                 room_y = std::min(std::abs(p[3].y - p[0].y), std::abs(p[2].y - p[1].y));
    const std::string text = std::to_string(rank);
    const double size = std::min({15.0, 0.7 * std::max(room_y, 0.5 * room_x),
                                  room_x / (0.62 * static_cast<double>(text.size()) + 0.6)});
    if (!outside || !all_parts() || size < 7) return {};
    const Point middle{(p[0].x + p[2].x) / 2, (p[0].y + p[2].y) / 2 + size / 3};
    return text_at(middle, size, "middle", text);
  }

  int rank_of(int brick) const {
    return schedule_.placement ? schedule_.placement->ranks[static_cast<std::size_t>(brick)] : brick;
  }

  std::string brick(int i, int j, int l) const {
    return sides_of(rank_of(rank_at(schedule_.grid, {{i, j, l}})), range(Dim::m, i), range(Dim::n, j),
                    range(Dim::k, l), {i == 0, j == 0, l == 0});
  }

  // A part before a cut lies in front of the one behind it: the last brick comes first.
  std::string bricks_of_tree() const {
    const std::vector<gemm::Box> boxes = gemm::boxes_of(schedule_);
    std::string svg;
    for (std::size_t b = boxes.size(); b > 0; --b) {
      const gemm::Box& box = boxes[b - 1];
      const auto on = [&](Dim d) {
        const double unit =
            length_[index(d)] / static_cast<double>(std::max<Index>(1, schedule_.problem.size(d)));
        const double begin = unit * static_cast<double>(box[d].begin);
        return Range{begin, std::max(begin, unit * static_cast<double>(box[d].end()) - tree_gap)};
      };
      const auto outer = [&](Dim d) { return box[d].begin == 0; };
      if (!box.empty())
        svg += sides_of(rank_of(static_cast<int>(b) - 1), on(Dim::m), on(Dim::n), on(Dim::k),
                        {outer(Dim::m), outer(Dim::n), outer(Dim::k)});
    }
    return svg;
  }
  static constexpr double tree_gap = 3;

  std::string sides_of(int rank, const Range& m, const Range& n, const Range& k,
                       const std::array<bool, 3>& outer) const {
    const std::array top{at(m.begin, n.begin, k.begin), at(m.begin, n.end, k.begin),
                         at(m.begin, n.end, k.end), at(m.begin, n.begin, k.end)};
    const std::array left{at(m.begin, n.begin, k.begin), at(m.begin, n.begin, k.end),
                          at(m.end, n.begin, k.end), at(m.end, n.begin, k.begin)};
    const std::array right{at(m.begin, n.begin, k.begin), at(m.begin, n.end, k.begin),
                           at(m.end, n.end, k.begin), at(m.end, n.begin, k.begin)};
    const std::string sides = side(top, rank_colour(rank, 10)) + side(left, rank_colour(rank, 0)) +
                              side(right, rank_colour(rank, -12));
    return sides + number(top, outer[0], rank) + number(left, outer[1], rank) + number(right, outer[2], rank);
  }

  gemm::Schedule schedule_;
  std::array<int, 3> drawn_{};
  std::array<double, 3> length_{};
  double exponent_ = 1, gap_ = 0;
  Point origin_;
};

// ---- the words
struct Kind {
  Matrix matrix;
  const char* what;
  const char* colour;
  const char* phase = "";
};
constexpr std::array kinds{Kind{Matrix::a, "gather A", "#4c78a8"}, Kind{Matrix::b, "gather B", "#f2a541"},
                           Kind{Matrix::c, "combine C", "#5aa469"}};
// A and B come in one exchange where they are placed.
constexpr std::array placed_kinds{Kind{Matrix::a, "gather A and B", "#4c78a8", "gather"},
                                  Kind{Matrix::c, "combine C", "#5aa469", "combine C"}};

class Bars {
 public:
  explicit Bars(const plan::Plan& plan)
      : plan_(plan),
        kinds_(plan.best.schedule.placement ? std::span<const Kind>(placed_kinds)
                                            : std::span<const Kind>(kinds)),
        count_(static_cast<int>(std::min<Index>(plan.ranks, most_bars))),
        step_((bars_right - bars_left) / count_) {
    const double highest = std::max(static_cast<double>(plan.best.totals.words_received), plan.bound_words);
    if (plan.best.schedule.tree && !plan.best.schedule.placement)
      of_tree_ = gemm::words_of_bricks(plan.best.schedule);
    scale_ = highest > 0 ? (bars_bottom - bars_top) / (1.08 * highest) : 0;
  }

  std::string svg() const {
    std::string svg = axes();
    for (int b = 0; b < count_; ++b) svg += bar(b);
    return svg + level(plan_.bound_words, "bound", "#c0392b", "5,4", 12) +
           level(plan_.mean_words, "mean", "#222", "1,3", -6) + legend();
  }

 private:
  int rank_of(int bar) const { return static_cast<int>(Index{bar} * plan_.ranks / count_); }
  double y_of(double words) const { return bars_bottom - scale_ * words; }

  // Received by a rank, by kind.
  std::vector<Index> received(int rank) const {
    const gemm::Schedule& s = plan_.best.schedule;
    std::vector<Index> words(kinds_.size(), 0);
    if (!s.placement && rank >= gemm::bricks_of(s)) return words;
    const program::Program program =
        s.placement ? gemm::compile(s, rank, static_cast<int>(plan_.ranks)) : program::Program{};
    for (std::size_t i = 0; i < kinds_.size(); ++i)
      words[i] = s.placement ? program::moved_in(program, kinds_[i].phase).received.words
                 : s.tree    ? of_tree_[static_cast<std::size_t>(rank)].received_of[index(kinds_[i].matrix)]
                             : gemm::moved(s, kinds_[i].matrix, coordinates(s.grid, rank)).received.words;
    return words;
  }

  std::string bar(int b) const {
    const int rank = rank_of(b);
    const std::vector<Index> received_of = received(rank);
    const double x = bars_left + step_ * b + 0.1 * step_;
    std::string svg;
    double words = 0;
    for (std::size_t i = 0; i < kinds_.size(); ++i) {
      const Kind& kind = kinds_[i];
      const Index mine = received_of[i];
      const double top = words + static_cast<double>(mine);
      if (mine > 0)
        svg += fmt::format(
            "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"><title>rank {}: "
            "{} "
            "words, {}</title></rect>\n",
            x, y_of(top), 0.8 * step_, scale_ * static_cast<double>(mine), kind.colour, rank, mine,
            kind.what);
      words = top;
    }
    return svg;
  }

  std::string level(double words, const char* what, const char* colour, const char* dashes,
                    double down) const {
    if (words <= 0) return {};
    const double y = y_of(words);
    return fmt::format(
               "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" "
               "stroke-width=\"1.4\" stroke-dasharray=\"{}\"/>\n",
               bars_left, y, bars_right, y, colour, dashes) +
           text_at({bars_right + 6, y + down}, 12, "start", fmt::format("{} {}", what, number_text(words)),
                   fmt::format("fill=\"{}\"", colour).c_str());
  }

  std::string axes() const {
    const double highest = static_cast<double>(plan_.best.totals.words_received);
    std::string svg =
        fmt::format("<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{2:.1f}\" y2=\"{1:.1f}\" stroke=\"#333\"/>\n",
                    bars_left, bars_bottom, bars_right);
    svg += text_at({bars_left - 8, bars_bottom + 4}, 12, "end", "0");
    if (highest > 0) svg += text_at({bars_left - 8, y_of(highest) + 4}, 12, "end", number_text(highest));
    const int every = std::max(1, count_ / 16);
    for (int b = 0; b < count_; b += every)
      svg += text_at({bars_left + step_ * (b + 0.5), bars_bottom + 16}, 11, "middle",
                     std::to_string(rank_of(b)));
    return svg + text_at({(bars_left + bars_right) / 2, bars_bottom + 34}, 12, "middle", axis_text());
  }

  std::string axis_text() const {
    std::string text = "rank";
    if (count_ < plan_.ranks)
      text += fmt::format(" (every {:.4g}th shown)", static_cast<double>(plan_.ranks) / count_);
    const Index idle = plan_.idle_ranks();
    if (idle > 0 && plan_.best.schedule.placement)
      text += fmt::format("; {} {} no brick", idle, idle == 1 ? "has" : "have");
    else if (idle > 0)
      text += fmt::format("; the last {} {} idle", idle, idle == 1 ? "is" : "are");
    return text;
  }

  std::string legend() const {
    std::string svg = text_at({bars_left, bars_top - 14}, 14, "start", "words received by each rank");
    double x = bars_left + 230;
    for (const Kind& kind : kinds_) {
      svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"12\" height=\"12\" fill=\"{}\"/>\n", x,
                         bars_top - 25, kind.colour);
      svg += text_at({x + 17, bars_top - 14}, 13, "start", kind.what);
      x += kinds_.size() == kinds.size() ? 110 : 140;
    }
    return svg;
  }

  const plan::Plan& plan_;
  std::span<const Kind> kinds_;
  std::vector<gemm::BrickWords> of_tree_;
  int count_;
  double step_, scale_ = 0;
};

std::string heading(const plan::Plan& plan, const std::string& algorithm) {
  const gemm::Totals& t = plan.best.totals;
  const bool placed = plan.best.schedule.placement != nullptr;
  const Index busiest = placed ? std::max(t.words_received, t.words_sent) : t.words_received;
  const std::string words = busiest == 0
                                ? std::string("no words move")
                                : fmt::format("busiest rank {} {} words, {:.3f} of the lower bound {}",
                                              placed ? "receives or sends" : "receives", busiest, plan.ratio,
                                              number_text(plan.bound_words));
  return text_at({40, 36}, 18, "start",
                 fmt::format("{}: {}, {} ranks", algorithm, describe(plan.best.schedule), plan.ranks)) +
         text_at({40, 60}, 14, "start", words, "fill=\"#555\"");
}

std::string note(const Box& box, const std::string& cut) {
  std::string text = "left: A, right: C, top: B; a number is the rank that has the brick";
  if (!box.to_scale()) text += "; lengths are compressed";
  if (!box.all_parts())
    text = fmt::format("left: A, right: C, top: B; at most {} parts per side are drawn{}", most_parts,
                       box.to_scale() ? "" : ", lengths are compressed");
  if (!cut.empty()) text += "; " + cut;
  return text_at({40, picture_height - 16}, 12, "start", text, "fill=\"#555\"");
}

}  // namespace

std::string brick_svg(const plan::Plan& plan, const std::string& algorithm) {
  const Box box(plan.best.schedule);
  return svg_open(picture_width, picture_height) + heading(plan, algorithm) + box.bricks() + box.labels() +
         Bars(plan).svg() + note(box, plan.best.how) + "</svg>\n";
}

}  // namespace cairn::cli
