#include "layout/index_map.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "comm/agreement.hpp"
#include "comm/partition.hpp"

namespace cairn::layout {
namespace {

void check_parts(int parts) { require(parts >= 1, "parts of an index map is {}, expected 1 or more", parts); }

void check_cuts(std::span<const Index> cuts) {
  require(cuts.size() >= 2, "cuts has {} entries, expected at least 2 (the first is 0, the last the size)",
          cuts.size());
  require(cuts.front() == 0, "cuts[0] is {}, expected 0", cuts.front());
  for (std::size_t i = 1; i < cuts.size(); ++i)
    require(cuts[i] >= cuts[i - 1], "cuts[{}] is {}, expected at least cuts[{}] = {}", i, cuts[i], i - 1,
            cuts[i - 1]);
}

}  // namespace

IndexMap IndexMap::balanced(Index n, int parts) {
  require_not_negative(n, "size of a dimension");
  check_parts(parts);
  return {Kind::balanced, n, parts};
}

IndexMap IndexMap::block_cyclic(Index n, Index block, int parts, int source, Index offset) {
  require_not_negative(n, "size of a dimension");
  check_parts(parts);
  require(block >= 1, "block size is {}, expected 1 or more", block);
  require(source >= 0 && source < parts, "source is {}, expected 0 <= source < {}", source, parts);
  require_not_negative(offset, "offset of a sub-matrix");
  const Index end = checked_add(offset, n, "offset + size of a sub-matrix");
  IndexMap map(Kind::block_cyclic, n, parts);
  map.block_ = std::min(block, std::max<Index>(end, 1));  // a longer block holds nothing more
  checked_mul(map.block_, parts, "block size * parts");
  map.source_ = source;
  map.offset_ = offset;
  return map;
}

IndexMap IndexMap::of_cuts(std::span<const Index> cuts) {
  check_cuts(cuts);
  const int parts = narrow<int>(cuts.size() - 1, "parts of an index map");
  std::vector<int> owners(static_cast<std::size_t>(parts));
  for (int i = 0; i < parts; ++i) owners[static_cast<std::size_t>(i)] = i;
  return of_intervals(cuts, owners, parts);
}

IndexMap IndexMap::of_intervals(std::span<const Index> cuts, std::span<const int> owners, int parts) {
  check_parts(parts);
  check_cuts(cuts);
  require(owners.size() + 1 == cuts.size(), "{} owners for {} intervals", owners.size(), cuts.size() - 1);
  Intervals table;
  table.cuts.push_back(0);
  for (std::size_t i = 0; i < owners.size(); ++i) {
    require(owners[i] >= 0 && owners[i] < parts, "owner of interval {} is {}, expected 0 <= owner < {}", i,
            owners[i], parts);
    if (cuts[i + 1] == cuts[i]) continue;  // empty intervals are left out: every interval has a first index
    table.cuts.push_back(cuts[i + 1]);
    table.owners.push_back(owners[i]);
  }
  table.first.assign(static_cast<std::size_t>(parts), 0);
  return make_intervals(std::move(table), cuts.back(), parts);
}

IndexMap IndexMap::make_intervals(Intervals table, Index n, int parts) {
  const auto p = static_cast<std::size_t>(parts);
  table.of_part.assign(p, {});
  table.counts.assign(p, 0);
  for (std::size_t i = 0; i < table.owners.size(); ++i) {
    const auto owner = static_cast<std::size_t>(table.owners[i]);
    table.locals.push_back(table.counts[owner]);
    table.of_part[owner].push_back(static_cast<Index>(i));
    table.counts[owner] += table.cuts[i + 1] - table.cuts[i];
  }
  IndexMap map(Kind::intervals, n, parts);
  map.intervals_ = std::make_shared<const Intervals>(std::move(table));
  return map;
}

Index IndexMap::held_below(int part, Index bound) const {
  const Index blocks = bound / block_;
  const Index full = blocks / parts_ * block_;  // from the complete rounds
  const Index left = blocks % parts_;
  const int t = turn(part);
  return full + (t < left ? block_ : t == left ? bound % block_ : 0);
}

int IndexMap::balanced_part(Index i) const {
  const Index q = n_ / parts_, longer = n_ % parts_;
  if (i < longer * (q + 1)) return static_cast<int>(i / (q + 1));
  return static_cast<int>(longer + (i - longer * (q + 1)) / q);
}

std::size_t IndexMap::interval_of(Index i) const {
  const auto& cuts = intervals_->cuts;
  return static_cast<std::size_t>(std::upper_bound(cuts.begin(), cuts.end(), i) - cuts.begin()) - 1;
}

Index IndexMap::local_of(Index i) const { return run_at(i).local; }

Run IndexMap::run_at(Index i) const {
  require(i >= 0 && i < n_, "index is {}, expected 0 <= index < {}", i, n_);
  switch (kind_) {
    case Kind::balanced: {
      const int part = balanced_part(i);
      const Index start = balanced_start(part);
      return {i, balanced_start(part + 1), part, i - start};
    }
    case Kind::block_cyclic: {
      const Index at = i + offset_, block = at / block_;
      const int part = static_cast<int>((block + source_) % parts_);
      const Index local = block / parts_ * block_ + at % block_;
      const Index end = parts_ == 1 ? n_ : std::min(n_, (block + 1) * block_ - offset_);
      return {i, end, part, local - held_below(part, offset_)};
    }
    case Kind::intervals:
      break;
  }
  const std::size_t at = interval_of(i);
  const Intervals& t = *intervals_;
  return {i, t.cuts[at + 1], t.owners[at], t.locals[at] + i - t.cuts[at]};
}

Index IndexMap::count(int part) const {
  switch (kind_) {
    case Kind::balanced:
      return balanced_start(part + 1) - balanced_start(part);
    case Kind::block_cyclic:
      return held_below(part, offset_ + n_) - held_below(part, offset_);
    case Kind::intervals:
      break;
  }
  return intervals_->counts[static_cast<std::size_t>(part)];
}

Index IndexMap::global_of(int part, Index local) const {
  require(local >= 0 && local < count(part), "local index is {}, expected 0 <= index < {} (part {})", local,
          count(part), part);
  switch (kind_) {
    case Kind::balanced:
      return balanced_start(part) + local;
    case Kind::block_cyclic: {
      const Index at = local + held_below(part, offset_);
      return (at / block_ * parts_ + turn(part)) * block_ + at % block_ - offset_;
    }
    case Kind::intervals:
      break;
  }
  const Intervals& t = *intervals_;
  const auto& mine = t.of_part[static_cast<std::size_t>(part)];
  const auto after = std::upper_bound(mine.begin(), mine.end(), local, [&](Index l, Index interval) {
    return l < t.locals[static_cast<std::size_t>(interval)];
  });
  const auto at = static_cast<std::size_t>(*std::prev(after));
  return t.cuts[at] + local - t.locals[at];
}

Index IndexMap::next_of(int part, Index from) const {
  if (from >= n_) return n_;
  if (kind_ == Kind::block_cyclic) {
    const Index held = held_below(part, offset_ + from) - held_below(part, offset_);
    return held < count(part) ? global_of(part, held) : n_;
  }
  if (kind_ == Kind::balanced) {
    if (from >= balanced_start(part + 1) || count(part) == 0) return n_;
    return std::max(from, balanced_start(part));
  }
  const Intervals& t = *intervals_;
  const auto& mine = t.of_part[static_cast<std::size_t>(part)];
  const auto at = std::partition_point(mine.begin(), mine.end(), [&](Index interval) {
    return t.cuts[static_cast<std::size_t>(interval) + 1] <= from;
  });
  return at == mine.end() ? n_ : std::max(from, t.cuts[static_cast<std::size_t>(*at)]);
}

Index IndexMap::first_local(int part) const {
  if (kind_ == Kind::block_cyclic) return held_below(part, offset_);
  if (kind_ == Kind::intervals) return intervals_->first[static_cast<std::size_t>(part)];
  return 0;
}

bool IndexMap::is_sub_matrix() const {
  if (kind_ == Kind::intervals) return std::ranges::any_of(intervals_->first, [](Index f) { return f > 0; });
  return offset_ > 0;
}

IndexMap IndexMap::sub(Index begin, Index count) const {
  require(begin >= 0 && count >= 0 && begin <= n_ - count,
          "sub-range {} .. {} does not lie in a dimension of size {}", begin, begin + count, n_);
  if (count == n_) return *this;
  if (kind_ == Kind::block_cyclic) return block_cyclic(count, block_, parts_, source_, offset_ + begin);
  Intervals table;
  table.cuts.push_back(0);
  for (int part = 0; part < parts_; ++part) table.first.push_back(first_local(part));
  for (Index i = 0; i < begin;) {
    const Run run = run_at(i);
    table.first[static_cast<std::size_t>(run.part)] += std::min(run.end, begin) - i;
    i = run.end;
  }
  for (Index i = begin; i < begin + count;) {
    const Run run = run_at(i);
    table.cuts.push_back(std::min(run.end, begin + count) - begin);
    table.owners.push_back(run.part);
    i = run.end;
  }
  return make_intervals(std::move(table), count, parts_);
}

IndexMap IndexMap::dealt_to(int parts) const {
  if (kind_ != Kind::block_cyclic) return balanced(n_, parts);
  return block_cyclic(n_, block_, parts, source_ % parts, offset_);
}

IndexMap IndexMap::sliced(int slices) const {
  std::vector<Index> cuts{0};
  std::vector<int> owners;
  for (Index i = 0; i < n_;) {
    const Run run = run_at(i);
    const auto cut = comm::Partition::balanced(slices, count(run.part));
    const int slice = cut.block_of(run.local);
    i = std::min(run.end, i + cut.offset(slice + 1) - run.local);
    cuts.push_back(i);
    owners.push_back(run.part + slice * parts_);
  }
  if (n_ == 0) return balanced(0, parts_ * slices);
  return of_intervals(cuts, owners, parts_ * slices);
}

std::string IndexMap::text() const {
  switch (kind_) {
    case Kind::balanced:
      return fmt::format("blocked n={} parts={}", n_, parts_);
    case Kind::block_cyclic:
      return fmt::format("block-cyclic n={} block={} parts={} source={} offset={}", n_, block_, parts_,
                         source_, offset_);
    case Kind::intervals:
      break;
  }
  return fmt::format("intervals n={} parts={} cuts={} owners={}", n_, parts_, intervals_->cuts,
                     intervals_->owners);
}

Index IndexMap::fingerprint() const {
  std::vector<Index> values{static_cast<Index>(kind_), n_, parts_, block_, source_, offset_};
  if (kind_ == Kind::intervals) {
    values.insert(values.end(), intervals_->cuts.begin(), intervals_->cuts.end());
    values.insert(values.end(), intervals_->owners.begin(), intervals_->owners.end());
    values.insert(values.end(), intervals_->first.begin(), intervals_->first.end());
  }
  return comm::fingerprint(values);
}

bool operator==(const IndexMap& a, const IndexMap& b) {
  if (a.kind_ != b.kind_ || a.n_ != b.n_ || a.parts_ != b.parts_) return false;
  if (a.kind_ == IndexMap::Kind::intervals) return *a.intervals_ == *b.intervals_;
  return a.block_ == b.block_ && a.source_ == b.source_ && a.offset_ == b.offset_;
}

}  // namespace cairn::layout
