#include "sparse/voxel_sample.hpp"

#include <complex>

#include "comm/collectives.hpp"
#include "sparse/blocks.hpp"
#include "sparse/gather_faces.hpp"
#include "sparse/local/operations.hpp"
#include "sparse/parcels.hpp"
#include "sparse/sample_parts.hpp"

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
  DistSparse<T> result{b.layout, empty_block<T>(b.layout, rank)};
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

}  // namespace

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
  const Csr<T> met = gather_wanted(comm, mine, b_rows, s.shape);
  const VoxelTally t = tally_voxels(s, mine.pattern(), met.pattern());
  std::vector<double> sums = t.sums();
  comm::allreduce<double>(comm.unchecked(), std::span<const double>(sums), std::span<double>(sums),
                          comm::ReduceOp::sum);
  take_voxels(sums, t, s);
}

#define CAIRN_VOXELS(T)                                                                                 \
  template DistSparse<T> needed_rows_of<T>(comm::CommView, const DistSparse<T>&, const DistSparse<T>&); \
  template void sample_voxels<T>(comm::CommView, const DistSparse<T>&, const DistSparse<T>&, SpgemmSample&);
CAIRN_FOR_EACH_SCALAR(CAIRN_VOXELS)
#undef CAIRN_VOXELS

}  // namespace cairn::sparse
