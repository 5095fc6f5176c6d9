#include "layout/overlap.hpp"

#include <algorithm>
#include <map>

namespace cairn::layout {

void Stretches::append(Index from, Index to, Index count) {
  count_ += count;
  if (!all_.empty()) {
    Stretch& last = all_.back();
    if (last.count == 1 && count == 1) {
      last = {last.from, last.to, from - last.from, to - last.to, 2};
      return;
    }
    const bool unit = last.count == 1 || (last.from_step == 1 && last.to_step == 1);
    const Index from_step = unit ? 1 : last.from_step, to_step = unit ? 1 : last.to_step;
    const bool follows = from == last.from + last.count * from_step && to == last.to + last.count * to_step;
    if (follows && (unit || count == 1)) {
      last = {last.from, last.to, from_step, to_step, last.count + count};
      return;
    }
  }
  all_.push_back({from, to, 1, 1, count});
}

Stretches Stretches::reversed() const {
  Stretches r = *this;
  for (Stretch& s : r.all_) s = {s.to, s.from, s.to_step, s.from_step, s.count};
  return r;
}

Stretches Stretches::slice(Index first, Index count) const {
  Stretches part;
  part.count_ = count;
  for (const Stretch& s : all_) {
    if (count == 0) break;
    const Index skipped = std::min(first, s.count), taken = std::min(count, s.count - skipped);
    first -= skipped;
    count -= taken;
    if (taken > 0)
      part.all_.push_back(
          {s.from + skipped * s.from_step, s.to + skipped * s.to_step, s.from_step, s.to_step, taken});
  }
  return part;
}

std::vector<Stretches> Stretches::split(Index most) const {
  std::vector<Stretches> lists(1);
  for (Stretch s : all_)
    while (s.count > 0) {
      if (lists.back().count_ == most) lists.emplace_back();
      Stretches& list = lists.back();
      const Index taken = std::min(s.count, most - list.count_);
      list.all_.push_back({s.from, s.to, s.from_step, s.to_step, taken});
      list.count_ += taken;
      s = {s.from + taken * s.from_step, s.to + taken * s.to_step, s.from_step, s.to_step, s.count - taken};
    }
  return lists;
}

std::vector<Shared> shared_by(const IndexMap& from, int part, const IndexMap& to) {
  std::map<int, Stretches> by_part;
  from.for_each_run(part, [&](const Run& mine) {
    for (Index i = mine.begin; i < mine.end;) {
      const Run theirs = to.run_at(i);
      const Index end = std::min(mine.end, theirs.end);
      by_part[theirs.part].append(mine.local + i - mine.begin, theirs.local, end - i);
      i = end;
    }
  });
  std::vector<Shared> result;
  for (auto& [other, stretches] : by_part) result.push_back({other, std::move(stretches)});
  return result;
}

namespace {

// Goes through the runs of a map: whose each is and where it ends. Blocks that are dealt round follow each other without
// a division.
class Runs {
 public:
  explicit Runs(const IndexMap& map) : map_(map), dealt_(map.block() > 0 && map.parts() > 1) {}

  int part() const { return part_; }
  Index end() const { return end_; }
  void next() {
    if (dealt_ && end_ > 0) {
      part_ = part_ + 1 == map_.parts() ? 0 : part_ + 1;
      end_ = std::min(map_.size(), end_ + map_.block());
      return;
    }
    const Run run = map_.run_at(end_);
    part_ = run.part;
    end_ = run.end;
  }

 private:
  const IndexMap& map_;
  bool dealt_;
  int part_ = 0;
  Index end_ = 0;
};

// f(part of the one, part of the other, indices) for all runs in which both stay the same.
template <class F>
void for_each_common_run(const IndexMap& from, const IndexMap& to, const F& f) {
  Runs a(from), b(to);
  for (Index i = 0; i < from.size();) {
    if (i == a.end()) a.next();
    if (i == b.end()) b.next();
    const Index end = std::min(a.end(), b.end());
    f(a.part(), b.part(), end - i);
    i = end;
  }
}

}  // namespace

// Planning asks this for thousands of pairs of maps: few pairs of parts are counted in a table.
std::vector<SharedCount> shared_counts(const IndexMap& from, const IndexMap& to) {
  constexpr Index most_pairs = 1 << 16;
  std::vector<SharedCount> result;
  if (Index{from.parts()} * to.parts() <= most_pairs) {
    const auto columns = static_cast<std::size_t>(to.parts());
    std::vector<Index> table(static_cast<std::size_t>(from.parts()) * columns, 0);
    for_each_common_run(from, to, [&](int a, int b, Index count) {
      table[static_cast<std::size_t>(a) * columns + static_cast<std::size_t>(b)] += count;
    });
    for (int a = 0; a < from.parts(); ++a)
      for (int b = 0; b < to.parts(); ++b)
        if (const Index count = table[static_cast<std::size_t>(a) * columns + static_cast<std::size_t>(b)])
          result.push_back({a, b, count});
    return result;
  }
  std::map<std::pair<int, int>, Index> counts;
  for_each_common_run(from, to, [&](int a, int b, Index count) { counts[{a, b}] += count; });
  for (const auto& [parts, count] : counts) result.push_back({parts.first, parts.second, count});
  return result;
}

SharedTable shared_table(const IndexMap& from, const IndexMap& to) {
  SharedTable table(static_cast<std::size_t>(to.parts()));
  for (const SharedCount& s : shared_counts(from, to))
    table[static_cast<std::size_t>(s.to)].push_back({s.from, s.count});
  return table;
}

Index shared_with(const std::vector<PartCount>& row, int part) {
  const auto found = std::ranges::lower_bound(row, part, {}, &PartCount::part);
  return found != row.end() && found->part == part ? found->count : 0;
}

}  // namespace cairn::layout
