#include "sparse/voxel_sample.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <map>

#include "comm/collectives.hpp"
#include "comm/partition.hpp"
#include "sparse/blocks.hpp"
#include "sparse/gather_faces.hpp"
#include "sparse/local/operations.hpp"
#include "sparse/parcels.hpp"

namespace cairn::sparse {
namespace {

// Which k any rank's sampled rows meet. `rows` has all columns.
template <class T>
std::vector<char> wanted_by_any(comm::CommView comm, const Csr<T>& rows) {
  const Bytes mine = pack_positions(filled_columns(rows.pattern()), rows.columns);
  std::vector<Index> counts(static_cast<std::size_t>(comm.size()));
  const auto size = static_cast<Index>(mine.size());
  comm::allgather<Index>(comm.unchecked(), std::span<const Index>(&size, 1), std::span<Index>(counts));
  Index total = 0;
  for (const Index c : counts) total += c;
  Bytes all(static_cast<std::size_t>(total));
  comm::allgatherv<std::byte>(comm.unchecked(), mine, std::span<std::byte>(all), counts);
  std::vector<char> wanted(static_cast<std::size_t>(rows.columns), 0);
  std::size_t at = 0;
  for (const Index c : counts) {
    const std::span<const std::byte> part(all.data() + at, static_cast<std::size_t>(c));
    for (const Local k : unpack_positions(part, rows.columns)) wanted[static_cast<std::size_t>(k)] = 1;
    at += static_cast<std::size_t>(c);
  }
  return wanted;
}

template <class T>
DistSparse<T> wanted_rows(const DistSparse<T>& b, int rank, const std::vector<char>& wanted) {
  DistSparse<T> result{b.layout, b.local};
  const auto at = b.layout.position_of(rank);
  if (!at) return result;
  const std::vector<Index> names = b.layout.row_cut().globals(at->row_place);
  result.local = select(b.local, [&](Index k, Index, const T&) {
    return wanted[static_cast<std::size_t>(names[static_cast<std::size_t>(k)])] != 0;
  });
  return result;
}

// The rows of B that this rank's sampled rows meet: block row improved, on places.
template <class T>
Csr<T> gather_wanted(comm::CommView comm, const Csr<T>& rows, const Csr<T>& b, const ProductShape& shape) {
  const BrickLayouts layouts = brick_layouts(shape, {comm.size(), 1, 1}, row_face(1));
  const BrickSeat seat{comm.rank(), 0, 0};
  const NeededMarks marks = exchange_needed(comm, layouts, seat, rows.pattern(), b.pattern());
  EntryExchange<T> exchange(comm, nullptr);
  std::vector<char> known(static_cast<std::size_t>(rows.columns), 0);
  for (const Local k : filled_columns(rows.pattern())) known[static_cast<std::size_t>(k)] = 1;
  if (comm.size() == 1) known.clear();
  return gather_face(exchange, fibre_of(layouts, seat, Face::b), Face::b, b, Content::places, marks.rows_of_b,
                     known);
}

// Different (j, layer) among the voxels (j, k) of a row, which are sorted by j, then k.
double different(const std::vector<std::pair<Local, Local>>& voxels, const std::vector<int>& layer_of_k) {
  double count = 0;
  Local j = -1;
  int layer = -1;
  for (const auto& [column, k] : voxels) {
    const int l = layer_of_k[static_cast<std::size_t>(k)];
    if (column != j || l != layer) ++count;
    j = column;
    layer = l;
  }
  return count;
}

struct Tally {
  double voxels = 0, entries = 0, squares = 0, cross = 0, voxel_squares = 0;
  std::map<int, double> by_layers;
};

template <class T>
Tally tally(const Csr<T>& rows, const Csr<T>& b, const std::map<int, std::vector<int>>& layers) {
  Tally t;
  for (const auto& [pk, of_k] : layers) t.by_layers[pk] = 0;
  std::vector<std::pair<Local, Local>> voxels;
  for (Index i = 0; i < rows.rows; ++i) {
    voxels.clear();
    for (const Local k : rows.pattern().row(i))
      for (const Local j : b.pattern().row(k)) voxels.emplace_back(j, k);
    std::sort(voxels.begin(), voxels.end());
    for (const auto& [pk, of_k] : layers) t.by_layers[pk] += different(voxels, of_k);
    const double v = static_cast<double>(voxels.size()), e = different(voxels, layers.at(1));
    t.voxels += v;
    t.entries += e;
    t.squares += e * e;
    t.cross += e * v;
    t.voxel_squares += v * v;
  }
  return t;
}

std::map<int, std::vector<int>> layers_of_k(const SpgemmSample& s) {
  std::map<int, std::vector<int>> layers;
  const auto add = [&](int pk) {
    if (layers.contains(pk)) return;
    const auto cut = comm::Partition::balanced(pk, s.shape.k);
    std::vector<int>& of_k = layers[pk];
    for (Index k = 0; k < s.shape.k; ++k) of_k.push_back(cut.block_of(k));
  };
  add(1);
  for (const GridSample& g : s.grids) add(g.grid.pk);
  return layers;
}

}  // namespace

std::uint64_t sample_threshold(double share) {
  if (share >= 1) return ~std::uint64_t{0};
  return static_cast<std::uint64_t>(share * 0x1p64);
}

std::uint64_t voxel_threshold(const SpgemmSample& s, Index voxels) {
  return sample_threshold(static_cast<double>(voxels) / static_cast<double>(std::max<Index>(1, s.voxels)));
}

template <class T>
DistSparse<T> needed_rows_of(comm::CommView comm, const DistSparse<T>& rows, const DistSparse<T>& b) {
  return wanted_rows(b, comm.rank(), wanted_by_any(comm, rows.local));
}

template <class T>
void sample_voxels(comm::CommView comm, const DistSparse<T>& rows, const DistSparse<T>& b, SpgemmSample& s) {
  const int p = comm.size();
  const Csr<T> mine = convert(comm, rows, SparseLayout::row_blocks(s.shape.m, s.shape.k, p)).local;
  DistSparse<T> wanted = needed_rows_of(comm, {SparseLayout::row_blocks(s.shape.m, s.shape.k, p), mine}, b);
  for (T& v : wanted.local.values) v = T(1);  // places alone travel
  const Csr<T> b_rows = convert(comm, wanted, SparseLayout::row_blocks(s.shape.k, s.shape.n, p)).local;
  const Tally t = tally(mine, gather_wanted(comm, mine, b_rows, s.shape), layers_of_k(s));
  std::vector<double> sums{t.voxels, t.entries, t.squares, t.cross, t.voxel_squares};
  for (const auto& [pk, entries] : t.by_layers) sums.push_back(entries);
  comm::allreduce<double>(comm.unchecked(), std::span<const double>(sums), std::span<double>(sums),
                          comm::ReduceOp::sum);
  s.sampled_voxels = sums[0];
  if (sums[0] == 0) return;
  const double ratio = sums[1] / sums[0], all = static_cast<double>(s.voxels);
  s.entries_c = ratio * all;
  // Of a ratio of sums over rows drawn at random.
  const double spread = sums[2] - 2 * ratio * sums[3] + ratio * ratio * sums[4];
  s.entries_c_error = sums[0] >= all ? 0 : std::sqrt(std::max(0.0, spread)) / sums[0] * all;
  std::size_t x = 5;
  for (const auto& [pk, unused] : t.by_layers) {
    for (GridSample& g : s.grids)
      if (g.grid.pk == pk) g.layer_entries = sums[x];
    ++x;
  }
}

#define CAIRN_VOXELS(T)                                                                                 \
  template DistSparse<T> needed_rows_of<T>(comm::CommView, const DistSparse<T>&, const DistSparse<T>&); \
  template void sample_voxels<T>(comm::CommView, const DistSparse<T>&, const DistSparse<T>&, SpgemmSample&);
CAIRN_FOR_EACH_SCALAR(CAIRN_VOXELS)
#undef CAIRN_VOXELS

}  // namespace cairn::sparse
