#include "bench/limited_grid.hpp"

#include <algorithm>

#include "gemm/compile.hpp"
#include "gemm/count.hpp"
#include "gemm/native.hpp"

namespace cairn::bench {
namespace {

using gemm::Dim;
using gemm::Grid;

struct Entry {
  double words;  // of a rank, on average
  Grid grid;
};

double work(const gemm::Problem& p, const Grid& g) {
  double brick = 1;
  for (const Dim d : gemm::all_dims) brick *= as_real(ceil_div(p.size(d), g.extent(d)));
  return brick;
}

std::vector<Entry> grids(const gemm::Problem& p, int ranks, double work_limit) {
  const double most = work_limit * as_real(p.m) * as_real(p.n) * as_real(p.k) / ranks;
  std::vector<Entry> all;
  for (int pm = 1; pm <= std::min<Index>(ranks, p.m); ++pm)
    for (int pn = 1; pn <= std::min<Index>(ranks / pm, p.n); ++pn)
      for (int pk = static_cast<int>(std::min<Index>(ranks / pm / pn, p.k)); pk >= 1; --pk) {
        const Grid g{pm, pn, pk};
        if (work(p, g) > most) break;  // fewer parts of k are more work
        all.push_back({gemm::words_of_all<double>(p, g) / as_real(g.ranks()), g});
      }
  std::ranges::sort(all, {}, &Entry::words);
  return all;
}

class Fitting {
 public:
  Fitting(int ranks, const plan::Settings& settings) : ranks_(ranks), settings_(settings) {}

  // With the fewest rounds along a dimension, if any number of them fits.
  std::optional<plan::Plan> along(gemm::Schedule s, Dim d) const {
    Index low = 0, high = s.problem.size(d);  // low does not fit, high does
    if (!fits(s, d, high)) return {};
    while (high - low > 1) {
      const Index middle = (low + high) / 2;
      (fits(s, d, middle) ? high : low) = middle;
    }
    return plan::plan_schedule(with(s, d, high), ranks_, settings_);
  }

 private:
  static gemm::Schedule with(gemm::Schedule s, Dim d, Index rounds) {
    s.rounds = rounds == 1 ? Rounds{} : Rounds{d, rounds};
    return s;
  }

  // The faces alone first: counting all that a rank holds takes a thousand times longer.
  bool fits(const gemm::Schedule& wanted, Dim d, Index rounds) const {
    const gemm::Schedule s = with(wanted, d, rounds);
    Index elements = gemm::work_count(s);
    for (const gemm::Matrix x : gemm::all_matrices) elements += gemm::NativeLayout(s, x).local_count(0);
    const Index limit = *settings_.memory_bytes;
    return elements * bytes(s.problem.type) <= limit &&
           plan::plan_schedule(s, ranks_, settings_).best.memory_bytes <= limit;
  }

  int ranks_;
  const plan::Settings& settings_;
};

}  // namespace

plan::Plan plan_within_memory(const gemm::Problem& p, int ranks, const plan::Settings& settings,
                              int most_layers) {
  const Fitting fitting(ranks, settings);
  gemm::Schedule s{.problem = p, .collectives = gemm::Collectives::fewest_words};
  for (const Entry& entry : grids(p, ranks, settings.work_limit)) {
    if (entry.grid.pk > most_layers) continue;
    s.grid = entry.grid;
    std::optional<plan::Plan> best;
    for (const Dim d : gemm::all_dims)
      if (const auto found = fitting.along(s, d);
          found && (!best || found->best.totals.words_received < best->best.totals.words_received))
        best = found;
    if (best) return *best;
  }
  fail<MemoryError>("{} bytes per rank, and no grid of {} x {} x {} on {} ranks fits", *settings.memory_bytes,
                    p.m, p.n, p.k, ranks);
}

}  // namespace cairn::bench
