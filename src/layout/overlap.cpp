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

std::vector<SharedCount> shared_counts(const IndexMap& from, const IndexMap& to) {
  std::map<std::pair<int, int>, Index> counts;
  for (Index i = 0; i < from.size();) {
    const Run a = from.run_at(i), b = to.run_at(i);
    const Index end = std::min(a.end, b.end);
    counts[{a.part, b.part}] += end - i;
    i = end;
  }
  std::vector<SharedCount> result;
  for (const auto& [parts, count] : counts) result.push_back({parts.first, parts.second, count});
  return result;
}

}  // namespace cairn::layout
