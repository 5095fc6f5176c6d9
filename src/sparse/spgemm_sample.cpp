#include "sparse/spgemm_sample.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include "comm/agreement.hpp"
#include "comm/collectives.hpp"
#include "comm/partition.hpp"
#include "sparse/gap_code.hpp"
#include "sparse/gather_faces.hpp"
#include "sparse/local/operations.hpp"
#include "sparse/needed.hpp"
#include "sparse/voxel_sample.hpp"

namespace cairn::sparse {
namespace {

// Counts by k on the rank that keeps them: k is cut into P ranges.
struct CountsByK {
  std::vector<Index> a, b;
};

// Filled k of a block with their counts, for the keeper of a range.
Bytes pack_counts(const std::vector<Local>& positions, const std::vector<Index>& counts, Index limit) {
  Bytes out;
  if (positions.empty()) return out;
  const Bytes where = pack_positions(positions, limit);
  put_count(out, static_cast<Index>(where.size()));
  out.insert(out.end(), where.begin(), where.end());
  for (const Index c : counts) put_count(out, c);
  return out;
}

void add_counts(std::span<const std::byte> in, std::span<const Local> at, std::vector<Index>& sums) {
  if (in.empty()) return;
  const auto size = static_cast<std::size_t>(take_count(in));
  require<CommError>(size <= in.size(), "counts of {} bytes in a message of {}", size, in.size());
  const std::vector<Local> positions = unpack_positions(in.first(size), std::ssize(at));
  in = in.subspan(size);
  for (const Local p : positions)
    sums[static_cast<std::size_t>(at[static_cast<std::size_t>(p)])] += take_count(in);
}

std::vector<int> rank_numbers(int ranks) {
  std::vector<int> all(static_cast<std::size_t>(ranks));
  for (int r = 0; r < ranks; ++r) all[static_cast<std::size_t>(r)] = r;
  return all;
}

// Entries of every k, summed up by the keepers. `cut` is the k dimension of the matrix, `other` its other
// one.
std::vector<Index> counts_by_k(comm::CommView comm, const Cut& cut, const Cut& other, bool columns,
                               const SparseLayout& layout, const std::vector<Index>& mine) {
  const int ranks = comm.size();
  const Cut keepers = Cut::ranges(cut.length(), rank_numbers(ranks));
  std::vector<Parcel> out;
  const auto at = layout.position_of(comm.rank());
  if (at) {
    const Correspondence to = correspond(cut, columns ? at->column_place : at->row_place, keepers);
    for (int r = 0; r < ranks; ++r) {
      const auto& list = to.among[static_cast<std::size_t>(r)];
      if (list.empty()) continue;
      std::vector<Local> positions;
      std::vector<Index> counts;
      for (std::size_t x = 0; x < list.size(); ++x)
        if (const Index c = mine[static_cast<std::size_t>(list[x])]; c > 0) {
          positions.push_back(static_cast<Local>(x));
          counts.push_back(c);
        }
      out.push_back({r, pack_counts(positions, counts, std::ssize(list))});
    }
  }
  const Correspondence from = correspond(keepers, comm.rank(), cut);
  std::vector<int> ranks_from, places;
  for (int p = 0; p < cut.places(); ++p)
    for (int q = 0; q < other.places() && !from.among[static_cast<std::size_t>(p)].empty(); ++q) {
      ranks_from.push_back(cut.offset(p) + other.offset(q));
      places.push_back(p);
    }
  std::vector<Index> sums(static_cast<std::size_t>(keepers.size(comm.rank())), 0);
  const std::vector<Bytes> in = exchange_parcels(comm, std::move(out), ranks_from);
  for (std::size_t x = 0; x < in.size(); ++x)
    add_counts(in[x], from.among[static_cast<std::size_t>(places[x])], sums);
  return sums;
}

template <class T>
CountsByK count_by_k(comm::CommView comm, const DistSparse<T>& a, const DistSparse<T>& b) {
  const Array<Index> columns = column_counts(a.local.pattern());
  std::vector<Index> of_a(columns.begin(), columns.end()), of_b;
  for (Index k = 0; k < b.local.rows; ++k) of_b.push_back(b.local.entries_of(k));
  return {counts_by_k(comm, a.layout.column_cut(), a.layout.row_cut(), true, a.layout, of_a),
          counts_by_k(comm, b.layout.row_cut(), b.layout.column_cut(), false, b.layout, of_b)};
}

void add_exact(comm::CommView comm, const CountsByK& counts, SpgemmSample& s) {
  Index sums[5] = {};
  for (std::size_t k = 0; k < counts.a.size(); ++k) {
    const Index x = counts.a[k], y = counts.b[k];
    sums[0] += x;
    sums[1] += y;
    sums[2] += checked_mul(x, y, "products of a k");
    sums[3] += x * x;
    sums[4] += y * y;
  }
  comm::allreduce<Index>(comm.unchecked(), std::span<const Index>(sums), std::span<Index>(sums),
                         comm::ReduceOp::sum);
  s.entries_a = sums[0];
  s.entries_b = sums[1];
  s.voxels = sums[2];
  s.squares_a = static_cast<double>(sums[3]);
  s.squares_b = static_cast<double>(sums[4]);
}

// The share of its layer that k belongs to, as brick_layouts cuts it.
int share_of(Index k, Index length, int layers, int shares) {
  const auto by_layer = comm::Partition::balanced(layers, length);
  const int l = by_layer.block_of(k);
  return comm::Partition::balanced(shares, by_layer.count(l)).block_of(k - by_layer.offset(l));
}

// Entries in each block that a list meets.
using BlockCounts = std::vector<std::pair<int, float>>;
BlockCounts block_counts(std::span<const Local> sorted, Index length, int parts) {
  const auto cut = comm::Partition::balanced(parts, length);
  BlockCounts counts;
  for (const Local x : sorted) {
    const int block = cut.block_of(x);
    if (counts.empty() || counts.back().first != block) counts.emplace_back(block, 0.0F);
    counts.back().second += 1;
  }
  return counts;
}

// What the ranks of one grid would multiply and receive for the sampled k, rank after rank.
struct RankLoads {
  std::vector<float> voxels, entries;
};

// One sampled k on one grid.
void add_k(GridSample& g, RankLoads& loads, const ProductShape& shape, Index k,
           std::span<const Local> rows_of_a, std::span<const Local> columns_of_b) {
  const SparseGrid& grid = g.grid;
  const int owner_a = share_of(k, shape.k, grid.pk, grid.pn),
            owner_b = share_of(k, shape.k, grid.pk, grid.pm);
  const int l = comm::Partition::balanced(grid.pk, shape.k).block_of(k);
  const BlockCounts of_a = block_counts(rows_of_a, shape.m, grid.pm);
  const BlockCounts of_b = block_counts(columns_of_b, shape.n, grid.pn);
  for (const auto& [j, y] : of_b) g.a_needed += j != owner_a ? static_cast<double>(rows_of_a.size()) : 0;
  for (const auto& [i, x] : of_a) g.b_needed += i != owner_b ? static_cast<double>(columns_of_b.size()) : 0;
  g.filled_a += static_cast<double>(of_a.size());
  g.filled_b += static_cast<double>(of_b.size());
  for (const auto& [i, x] : of_a)
    for (const auto& [j, y] : of_b) {
      if (loads.voxels.empty()) return;
      const auto rank = static_cast<std::size_t>(grid.rank(i, j, l));
      loads.voxels[rank] += x * y;
      loads.entries[rank] += (j != owner_a ? x : 0) + (i != owner_b ? y : 0);
    }
}

// Collective. The busiest rank of each grid over its mean. Words: two a rank and grid at most.
void find_busiest(comm::CommView comm, const std::vector<RankLoads>& loads, std::vector<GridSample>& grids) {
  std::vector<float> all;
  for (const RankLoads& x : loads) {
    all.insert(all.end(), x.voxels.begin(), x.voxels.end());
    all.insert(all.end(), x.entries.begin(), x.entries.end());
  }
  if (all.empty()) return;
  const auto parts = comm::Partition::balanced(comm.size(), std::ssize(all));
  std::vector<Index> counts;
  for (int r = 0; r < comm.size(); ++r) counts.push_back(parts.count(r));
  std::vector<float> mine(static_cast<std::size_t>(parts.count(comm.rank())));
  comm::reduce_scatterv<float>(comm.unchecked(), all, std::span<float>(mine), counts, comm::ReduceOp::sum);
  std::vector<double> most(2 * loads.size(), 0), sums(2 * loads.size(), 0);
  Index at = 0;
  for (std::size_t x = 0; x < 2 * loads.size(); ++x) {
    const Index size = std::ssize(loads[x / 2].voxels);
    for (Index r = 0; r < size; ++r, ++at) {
      const Index here = at - parts.offset(comm.rank());
      if (here < 0 || here >= std::ssize(mine)) continue;
      const double load = static_cast<double>(mine[static_cast<std::size_t>(here)]);
      most[x] = std::max(most[x], load);
      sums[x] += load;
    }
  }
  comm::allreduce<double>(comm.unchecked(), most, std::span<double>(most), comm::ReduceOp::max);
  comm::allreduce<double>(comm.unchecked(), sums, std::span<double>(sums), comm::ReduceOp::sum);
  for (std::size_t x = 0; x < grids.size(); ++x) {
    const auto over_mean = [&](std::size_t y) {
      return sums[y] > 0 ? most[y] * grids[x].grid.ranks() / sums[y] : 1.0;
    };
    grids[x].work = over_mean(2 * x);
    grids[x].crowding = over_mean(2 * x + 1);
  }
}

template <class T>
DistSparse<T> selected(const DistSparse<T>& x, int rank, bool by_row, std::uint64_t below) {
  const auto at = x.layout.position_of(rank);
  DistSparse<T> result{x.layout, x.local};
  if (!at) return result;
  const std::vector<Index> names =
      by_row ? x.layout.row_cut().globals(at->row_place) : x.layout.column_cut().globals(at->column_place);
  result.local = select(x.local, [&](Index i, Index j, const T&) {
    return is_sampled(names[static_cast<std::size_t>(by_row ? i : j)], below);
  });
  for (T& v : result.local.values) v = T(1);  // places alone travel
  return result;
}

template <class T>
void sample_k(comm::CommView comm, const DistSparse<T>& a, const DistSparse<T>& b, const SampleLimits& limits,
              SpgemmSample& s) {
  const double share = static_cast<double>(limits.entries) /
                       static_cast<double>(std::max<Index>(1, s.entries_a + s.entries_b));
  const std::uint64_t below = sample_threshold(share);
  const int p = comm.size();
  const Csr<T> mine_a = transpose(convert(comm, selected(a, comm.rank(), false, below),
                                          SparseLayout::column_blocks(s.shape.m, s.shape.k, p))
                                      .local);
  const Csr<T> mine_b =
      convert(comm, selected(b, comm.rank(), true, below), SparseLayout::row_blocks(s.shape.k, s.shape.n, p))
          .local;
  const Index first = comm::Partition::balanced(p, s.shape.k).offset(comm.rank());
  std::vector<double> sums{0, 0, 0};
  constexpr int most_ranks = 256;  // beyond, loads of every rank of every grid would be too many words
  std::vector<RankLoads> loads(s.grids.size());
  for (std::size_t x = 0; x < loads.size() && p <= most_ranks; ++x) {
    loads[x].voxels.assign(static_cast<std::size_t>(s.grids[x].grid.ranks()), 0.0F);
    loads[x].entries = loads[x].voxels;
  }
  for (Index k = 0; k < mine_a.rows; ++k) {
    if (!is_sampled(first + k, below)) continue;
    sums[0] += static_cast<double>(mine_a.entries_of(k));
    sums[1] += static_cast<double>(mine_b.entries_of(k));
    sums[2] += 1;
    for (std::size_t x = 0; x < s.grids.size(); ++x)
      add_k(s.grids[x], loads[x], s.shape, first + k, mine_a.pattern().row(k), mine_b.pattern().row(k));
  }
  find_busiest(comm, loads, s.grids);
  for (const GridSample& g : s.grids)
    sums.insert(sums.end(), {g.a_needed, g.b_needed, g.filled_a, g.filled_b});
  comm::allreduce<double>(comm.unchecked(), std::span<const double>(sums), std::span<double>(sums),
                          comm::ReduceOp::sum);
  s.sampled_a = sums[0];
  s.sampled_b = sums[1];
  s.sampled_k = sums[2];
  for (std::size_t x = 0; x < s.grids.size(); ++x) {
    GridSample& g = s.grids[x];
    g.a_needed = sums[3 + 4 * x];
    g.b_needed = sums[4 + 4 * x];
    g.filled_a = sums[5 + 4 * x];
    g.filled_b = sums[6 + 4 * x];
  }
}

}  // namespace

template <class T>
SpgemmSample sample_product(comm::CommView comm, const DistSparse<T>& a, const DistSparse<T>& b,
                            const std::vector<SparseGrid>& grids, const SampleLimits& limits) {
  const comm::Phase phase(comm.traffic(), "plan");
  comm::agree(comm, "plan of a sparse product",
              [&] {
                require(a.layout.columns() == b.layout.rows(),
                        "A is {} x {} and B is {} x {}: expected as many rows of B as columns of A",
                        a.layout.rows(), a.layout.columns(), b.layout.rows(), b.layout.columns());
              },
              {{"fingerprint of A's layout", a.layout.fingerprint()},
               {"fingerprint of B's layout", b.layout.fingerprint()},
               {"grids", std::ssize(grids)}});
  SpgemmSample s;
  s.shape = {a.layout.rows(), b.layout.columns(), a.layout.columns()};
  s.ranks = comm.size();
  s.value_bytes = static_cast<Index>(sizeof(T));
  for (const SparseGrid& g : grids) s.grids.push_back({g});
  add_exact(comm, count_by_k(comm, a, b), s);
  sample_k(comm, a, b, limits, s);
  sample_voxels(comm, selected(a, comm.rank(), true, voxel_threshold(s, limits.voxels)), b, s);
  return s;
}

double SpgemmSample::a_received(const GridSample& g) const {
  return sampled_a == 0 ? 0 : g.a_needed / sampled_a * static_cast<double>(entries_a) / g.grid.ranks();
}
double SpgemmSample::b_received(const GridSample& g) const {
  return sampled_b == 0 ? 0 : g.b_needed / sampled_b * static_cast<double>(entries_b) / g.grid.ranks();
}
double SpgemmSample::c_received(const GridSample& g) const {
  if (sampled_voxels == 0) return 0;
  const double all = g.layer_entries / sampled_voxels * static_cast<double>(voxels);
  return all * (1 - 1.0 / g.grid.pk) / g.grid.ranks();
}

bool SpgemmSample::looks_random() const {
  if (shape.m != shape.n || shape.m != shape.k || shape.k < 2 || entries_a == 0 || entries_b == 0)
    return false;
  const auto n = static_cast<double>(shape.k), da = static_cast<double>(entries_a) / n,
             db = static_cast<double>(entries_b) / n;
  const auto near = [](double x, double y, double share) { return std::abs(x - y) <= share * y; };
  // Poisson: the mean square of a count is its mean and the square of that.
  return near(da, db, 0.1) && near(squares_a / n, da + da * da, 0.1) &&
         near(squares_b / n, db + db * db, 0.1) && near(static_cast<double>(voxels), n * da * db, 0.1) &&
         near(entries_c, n * n * -std::expm1(n * std::log1p(-da * db / (n * n))), 0.1);
}

std::vector<SparseGrid> spgemm_grids(int ranks, double work_limit) {
  std::vector<SparseGrid> grids;
  for (int pm = 1; pm <= ranks; ++pm)
    for (int pn = 1; ranks % pm == 0 && pn <= ranks / pm; ++pn)
      if (ranks / pm % pn == 0) grids.push_back({pm, pn, ranks / pm / pn});
  for (int used = ranks - 1; used >= 1 && used * work_limit >= ranks; --used) {
    const SparseGrid square = named_method(SpgemmAlgorithm::aware_2d, used).grid;
    if (square.pm > 1) grids.push_back(square);
  }
  return grids;
}

#define CAIRN_SAMPLE(T)                                                                               \
  template SpgemmSample sample_product<T>(comm::CommView, const DistSparse<T>&, const DistSparse<T>&, \
                                          const std::vector<SparseGrid>&, const SampleLimits&);
CAIRN_FOR_EACH_SCALAR(CAIRN_SAMPLE)
#undef CAIRN_SAMPLE

}  // namespace cairn::sparse
