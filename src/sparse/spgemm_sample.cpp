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
#include "sparse/sample_parts.hpp"
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
  ExactSums sums = exact_sums(counts.a, counts.b);
  comm::allreduce<Index>(comm.unchecked(), std::span<const Index>(sums), std::span<Index>(sums),
                         comm::ReduceOp::sum);
  take_exact(sums, s);
}

// Collective. The busiest rank of each grid over its mean. Words: four a rank and grid at most.
void find_busiest(comm::CommView comm, const std::vector<RankLoads>& loads, std::vector<GridSample>& grids) {
  std::vector<float> all;
  for (const RankLoads& x : loads)
    for (const auto load : all_loads) all.insert(all.end(), (x.*load).begin(), (x.*load).end());
  if (all.empty()) return;
  const auto parts = comm::Partition::balanced(comm.size(), std::ssize(all));
  std::vector<Index> counts;
  for (int r = 0; r < comm.size(); ++r) counts.push_back(parts.count(r));
  std::vector<float> mine(static_cast<std::size_t>(parts.count(comm.rank())));
  comm::reduce_scatterv<float>(comm.unchecked(), all, std::span<float>(mine), counts, comm::ReduceOp::sum);
  constexpr std::size_t kinds = all_loads.size();
  std::vector<double> most(kinds * loads.size(), 0), sums(kinds * loads.size(), 0);
  Index at = 0;
  for (std::size_t x = 0; x < kinds * loads.size(); ++x) {
    const Index size = std::ssize(loads[x / kinds].voxels);
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
    std::array<double, kinds> busiest{};
    for (std::size_t y = 0; y < kinds; ++y)
      busiest[y] = over_mean(most[kinds * x + y], sums[kinds * x + y], grids[x].grid);
    take_busiest(busiest, grids[x]);
  }
}

template <class T>
DistSparse<T> selected(const DistSparse<T>& x, int rank, bool by_row, std::uint64_t below) {
  const auto at = x.layout.position_of(rank);
  DistSparse<T> result{x.layout, empty_block<T>(x.layout, rank)};
  if (!at) return result;
  std::vector<char> chosen;
  for (const Index name :
       by_row ? x.layout.row_cut().globals(at->row_place) : x.layout.column_cut().globals(at->column_place))
    chosen.push_back(is_sampled(name, below) ? 1 : 0);
  result.local = select(x.local, [&](Index i, Index j, const T&) {
    return chosen[static_cast<std::size_t>(by_row ? i : j)] != 0;
  });
  for (T& v : result.local.values) v = T(1);  // places alone travel
  return result;
}

template <class T>
void sample_k(comm::CommView comm, const DistSparse<T>& a, const DistSparse<T>& b, const SampleLimits& limits,
              SpgemmSample& s) {
  const std::uint64_t below = k_threshold(s, limits);
  const int p = comm.size();
  const Csr<T> mine_a = transpose(convert(comm, selected(a, comm.rank(), false, below),
                                          SparseLayout::column_blocks(s.shape.m, s.shape.k, p))
                                      .local);
  const Csr<T> mine_b =
      convert(comm, selected(b, comm.rank(), true, below), SparseLayout::row_blocks(s.shape.k, s.shape.n, p))
          .local;
  const Index first = comm::Partition::balanced(p, s.shape.k).offset(comm.rank());
  KSums sums = look_at_k(s, mine_a.pattern(), mine_b.pattern(), first, below);
  find_busiest(comm, sums.loads, s.grids);
  comm::allreduce<double>(comm.unchecked(), std::span<const double>(sums.sums), std::span<double>(sums.sums),
                          comm::ReduceOp::sum);
  take_k(sums, s);
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
              {{"A's layout", a.layout.fingerprint(),
                [&] {
                  return std::vector<comm::Argument>{{"layout of A", a.layout.text()}};
                }},
               {"B's layout", b.layout.fingerprint(),
                [&] {
                  return std::vector<comm::Argument>{{"layout of B", b.layout.text()}};
                }},
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

#define CAIRN_SAMPLE(T)                                                                               \
  template SpgemmSample sample_product<T>(comm::CommView, const DistSparse<T>&, const DistSparse<T>&, \
                                          const std::vector<SparseGrid>&, const SampleLimits&);
CAIRN_FOR_EACH_SCALAR(CAIRN_SAMPLE)
#undef CAIRN_SAMPLE

}  // namespace cairn::sparse
