// How the indices 0 .. n-1 of one dimension of a matrix are dealt to parts. A part keeps its indices in
// increasing order; `local` is the position among them. A pure value: no data, no ranks.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/size.hpp"

namespace cairn::layout {

// Consecutive indices begin .. end-1 of one part, which lie there at local, local+1, ...
struct Run {
  Index begin = 0;
  Index end = 0;
  int part = 0;
  Index local = 0;

  Index count() const { return end - begin; }
  friend bool operator==(const Run&, const Run&) = default;
};

class IndexMap {
 public:
  // Everything in one part.
  static IndexMap whole(Index n) { return balanced(n, 1); }
  // Contiguous parts whose sizes differ by at most one, the longer ones first.
  static IndexMap balanced(Index n, int parts);
  // Blocks of `block` dealt round the parts, the first to `source`. With `offset` the indices are those of a
  // sub-matrix: index i here is index i + offset of the matrix that was dealt. O(1) memory and time.
  static IndexMap block_cyclic(Index n, Index block, int parts, int source = 0, Index offset = 0);
  // Element i to part (i + source) mod parts: block-cyclic with blocks of one.
  static IndexMap elemental(Index n, int parts, int source = 0) { return block_cyclic(n, 1, parts, source); }
  // Part i has the indices cuts[i] .. cuts[i+1]-1. The first cut is 0, the last n; they do not decrease.
  static IndexMap of_cuts(std::span<const Index> cuts);
  // Interval i, cuts[i] .. cuts[i+1]-1, belongs to part owners[i]. O(intervals) memory, O(log) time.
  static IndexMap of_intervals(std::span<const Index> cuts, std::span<const int> owners, int parts);

  Index size() const noexcept { return n_; }
  int parts() const noexcept { return parts_; }

  int part_of(Index i) const { return run_at(i).part; }
  Index local_of(Index i) const;
  Index global_of(int part, Index local) const;
  Index count(int part) const;
  // The first index >= from that belongs to the part; size() if there is none.
  Index next_of(int part, Index from) const;
  // The longest run that starts at i.
  Run run_at(Index i) const;
  // How many indices of the larger matrix this part has before the first one here; 0 unless this is a
  // sub-matrix. Local positions are counted from there.
  Index first_local(int part) const;
  bool is_sub_matrix() const;
  // Whether blocks of this size are dealt round the parts from part 0 on, from the first index on.
  bool deals(Index block) const { return *this == block_cyclic(n_, block, parts_); }
  Index block() const noexcept { return kind_ == Kind::block_cyclic ? block_ : 0; }  // 0: another kind

  // The runs of one part, in order: f(Run).
  template <class F>
  void for_each_run(int part, F&& f) const {
    for (Index i = next_of(part, 0); i < n_;) {
      const Run run = run_at(i);
      f(run);
      i = next_of(part, run.end);
    }
  }

  // The indices begin .. begin+count-1 as a dimension of their own, on the same parts.
  IndexMap sub(Index begin, Index count) const;

  // Block-cyclic: the same blocks dealt round another number of parts. Where it divides the present one, each
  // of its parts is a union of present ones. Other kinds: contiguous and even.
  IndexMap dealt_to(int parts) const;

  // Every part cut into `slices` of its own indices, one after the other and as even as possible, the longer ones
  // first. Slice s of part q is part q + s parts() of the result. O(runs).
  IndexMap sliced(int slices) const;

  std::string text() const;  // "block-cyclic n=300 block=64 parts=2 source=0 offset=0"
  // A number that is the same on all ranks for the same map.
  Index fingerprint() const;
  friend bool operator==(const IndexMap& a, const IndexMap& b);

 private:
  enum class Kind { balanced, block_cyclic, intervals };
  struct Intervals {
    std::vector<Index> cuts;                  // one more than owners
    std::vector<int> owners;                  // of each interval
    std::vector<Index> locals;                // where each interval starts in its part
    std::vector<Index> first;                 // first_local of each part
    std::vector<std::vector<Index>> of_part;  // its intervals, in order
    std::vector<Index> counts;                // of each part
    friend bool operator==(const Intervals&, const Intervals&) = default;
  };

  IndexMap(Kind kind, Index n, int parts) : kind_(kind), n_(n), parts_(parts) {}
  static IndexMap make_intervals(Intervals table, Index n, int parts);
  // Indices below `bound` of the larger matrix that the part has (block-cyclic).
  Index held_below(int part, Index bound) const;
  int turn(int part) const { return (part - source_ + parts_) % parts_; }
  Index balanced_start(Index part) const { return part * (n_ / parts_) + std::min(part, n_ % parts_); }
  int balanced_part(Index i) const;
  std::size_t interval_of(Index i) const;

  Kind kind_;
  Index n_ = 0;
  int parts_ = 1;
  Index block_ = 1;
  int source_ = 0;
  Index offset_ = 0;
  std::shared_ptr<const Intervals> intervals_;
};

}  // namespace cairn::layout
