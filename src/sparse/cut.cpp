#include "sparse/cut.hpp"

#include <algorithm>

#include "comm/agreement.hpp"
#include "comm/partition.hpp"
#include "sparse/local/csr.hpp"

namespace cairn::sparse {

Cut::Cut(std::vector<Index> ends, std::vector<int> place_of_cell, std::vector<int> offsets)
    : ends_(std::move(ends)),
      place_of_cell_(std::move(place_of_cell)),
      offsets_(std::move(offsets)),
      sizes_(offsets_.size(), 0) {
  require(ends_.size() == place_of_cell_.size(), "a cut has {} cells and {} places of cells", ends_.size(),
          place_of_cell_.size());
  first_local_.reserve(ends_.size());
  for (int c = 0; c < cells(); ++c) {
    require(cell_begin(c) <= cell_end(c), "cell {} of a cut ends at {}, before its begin {}", c, cell_end(c),
            cell_begin(c));
    Index& size = sizes_.at(static_cast<std::size_t>(cell_place(c)));
    first_local_.push_back(size);
    size += cell_end(c) - cell_begin(c);
  }
  for (const Index size : sizes_)
    require(size <= largest_side,
            "a rank would have {} rows or columns of a sparse matrix, expected at most {}", size,
            largest_side);
}

Cut Cut::at_ends(std::vector<Index> ends, std::vector<int> offsets) {
  std::vector<int> places(ends.size());
  for (std::size_t c = 0; c < places.size(); ++c) places[c] = static_cast<int>(c);
  return {std::move(ends), std::move(places), std::move(offsets)};
}

Cut Cut::ranges(Index length, std::vector<int> offsets) {
  std::vector<Index> ends = nested_ends(length, static_cast<int>(offsets.size()), 1);
  return at_ends(std::move(ends), std::move(offsets));
}

Index Cut::longest() const { return sizes_.empty() ? 0 : *std::max_element(sizes_.begin(), sizes_.end()); }

int Cut::cell_of(Index global) const {
  return static_cast<int>(std::upper_bound(ends_.begin(), ends_.end(), global) - ends_.begin());
}

int Cut::place_of(Index global) const { return cell_place(cell_of(global)); }

Index Cut::local_of(Index global) const {
  const int cell = cell_of(global);
  return first_local_[static_cast<std::size_t>(cell)] + global - cell_begin(cell);
}

Index Cut::global_of(int place, Index local) const {
  for (int c = cells() - 1; c >= 0; --c) {
    const Index first = first_local_[static_cast<std::size_t>(c)];
    if (cell_place(c) == place && local >= first && cell_begin(c) < cell_end(c))
      return cell_begin(c) + local - first;
  }
  fail("index {} of place {} of a cut that has {} there", local, place, size(place));
}

std::vector<Index> Cut::globals(int place) const {
  std::vector<Index> all;
  all.reserve(static_cast<std::size_t>(size(place)));
  for (int c = 0; c < cells(); ++c)
    for (Index g = cell_begin(c); cell_place(c) == place && g < cell_end(c); ++g) all.push_back(g);
  return all;
}

Index Cut::fingerprint() const {
  std::vector<Index> all(ends_.begin(), ends_.end());
  all.insert(all.end(), place_of_cell_.begin(), place_of_cell_.end());
  all.insert(all.end(), offsets_.begin(), offsets_.end());
  return comm::fingerprint(all);
}

std::vector<Index> nested_ends(Index length, int outer, int inner) {
  const auto parts = comm::Partition::balanced(outer, length);
  std::vector<Index> ends;
  for (int p = 0; p < outer; ++p) ends.push_back(parts.offset(p + 1));
  return inner == 1 ? ends : refine_ends(ends, inner);
}

std::vector<Index> refine_ends(const std::vector<Index>& outer, int inner) {
  std::vector<Index> ends;
  Index begin = 0;
  for (const Index end : outer) {
    const auto parts = comm::Partition::balanced(inner, end - begin);
    for (int p = 0; p < inner; ++p) ends.push_back(begin + parts.offset(p + 1));
    begin = end;
  }
  return ends;
}

Correspondence correspond(const Cut& mine, int place, const Cut& other) {
  Correspondence result;
  result.among.resize(static_cast<std::size_t>(other.places()));
  const auto size = static_cast<std::size_t>(mine.size(place));
  result.place.resize(size);
  result.nth.resize(size);
  std::size_t at = 0;
  for (int c = 0; c < mine.cells(); ++c) {
    if (mine.cell_place(c) != place) continue;
    for (Index g = mine.cell_begin(c), end = mine.cell_end(c); g < end;) {
      const int cell = other.cell_of(g), there = other.cell_place(cell);
      auto& list = result.among[static_cast<std::size_t>(there)];
      const Index stop = std::min(end, other.cell_end(cell));
      const auto count = static_cast<std::size_t>(stop - g), first = list.size();
      list.resize(first + count);
      for (std::size_t x = 0; x < count; ++x, ++at) {
        result.place[at] = there;
        result.nth[at] = static_cast<std::int32_t>(first + x);
        list[first + x] = static_cast<std::int32_t>(at);
      }
      g = stop;
    }
  }
  return result;
}

Index common_size(const Cut& a, int place_a, const Cut& b, int place_b) {
  Index common = 0;
  for (int x = 0, y = 0; x < a.cells() && y < b.cells();) {
    const Index first = std::max(a.cell_begin(x), b.cell_begin(y));
    const Index last = std::min(a.cell_end(x), b.cell_end(y));
    if (a.cell_place(x) == place_a && b.cell_place(y) == place_b && last > first) common += last - first;
    (a.cell_end(x) < b.cell_end(y) ? x : y) += 1;
  }
  return common;
}

}  // namespace cairn::sparse
