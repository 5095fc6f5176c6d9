#include "plan/estimate.hpp"

#include <algorithm>
#include <bit>

#include "gemm/closed_count.hpp"
#include "gemm/simulate.hpp"

namespace cairn::plan {
namespace {

using gemm::Dim;
using gemm::Grid;
using gemm::Matrix;

double real(Index x) { return static_cast<double>(x); }

// Messages of the last of p ranks in an allgather of p blocks: p - 1 direct or in a ring; by doubling one a
// distance, and two where more than one block is sent, for these pass the end of the circle.
int last_rank_messages(int p) {
  int doubling = 0;
  for (int d = 1; d < p; d *= 2) doubling += std::min(d, p - d) > 1 ? 2 : 1;
  return std::min(p - 1, doubling);
}

int log2_ceil(Index x) {
  return x <= 1 ? 0 : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(x - 1)));
}

}  // namespace

Estimates::Estimates(const gemm::Schedule& wanted, int ranks, const model::Machine& machine)
    : wanted_(wanted), machine_(machine) {
  for (const Matrix x : gemm::all_matrices) {
    row_[index(x)] = row_dim(wanted.problem, x);
    col_[index(x)] = col_dim(wanted.problem, x);
  }
  const ScalarType type = wanted.problem.type;
  const double flops = dispatch(type, []<class T>() -> double { return ScalarTraits<T>::flops_per_voxel; });
  voxel_seconds_ = machine.gamma * flops;
  word_seconds_ = machine.beta * bytes(type) / 8.0;
  for (int p = 0; p <= ranks; ++p) gather_messages_.push_back(p < 2 ? 0 : last_rank_messages(p));
  for (const Dim d : gemm::all_dims) {
    const Index size = wanted.problem.size(d), most = std::clamp<Index>(size, 1, ranks);
    for (Index p = 0; p <= most; ++p) parts_[index(d)].push_back(ceil_div(size, std::max<Index>(p, 1)));
  }
}

double Estimates::work(const Grid& grid) const {
  return real(part(grid, Dim::m)) * real(part(grid, Dim::n)) * real(part(grid, Dim::k));
}

Estimates::Face Estimates::longest(const Grid& grid, Matrix x) const {
  return {part(grid, row_[index(x)]), part(grid, col_[index(x)]), grid.extent(missing(x))};
}

// A rank of a gather with the shortest slice receives the rest of its face, and so does some rank of a
// combine in a ring.
Index Estimates::words_of_longest(const Grid& grid) const {
  Index words = 0;
  for (const Matrix x : gemm::all_matrices) {
    const Face f = longest(grid, x);
    // The ranks with the longest parts begin at position 0 of the fibre; where there are few of them their
    // slices may all be longer.
    const Index alike = wanted_.problem.size(missing(x)) % f.fibre;
    const Index last = x == Matrix::c || alike == 0 ? f.fibre - 1 : alike - 1;
    const Index slice = f.cols / f.fibre + (last < f.cols % f.fibre ? 1 : 0);
    words += f.rows * (f.cols - slice);
  }
  return words;
}

// Kinds are 0 for the longer parts [0, split) and 1 for the shorter ones [split, p).
Index Estimates::words_of_kind(const Grid& grid, const std::array<int, 3>& kind) const {
  std::array<Index, 3> length{}, first{}, end{};
  for (const Dim d : gemm::all_dims) {
    const Index p = grid.extent(d), size = wanted_.problem.size(d), split = size % p;
    const bool longer = kind[index(d)] == 0;
    first[index(d)] = longer ? 0 : split;
    end[index(d)] = longer ? split : p;
    if (first[index(d)] == end[index(d)]) return 0;
    length[index(d)] = size / p + (longer ? 1 : 0);
  }
  Index words = 0;
  for (const Matrix x : gemm::all_matrices) {
    const Index p = grid.extent(missing(x)), cols = length[index(col_[index(x)])];
    const Index from = first[index(missing(x))], to = end[index(missing(x))];
    // The position with the shortest slice: slices get shorter along the fibre. A ring of a combine brings a
    // rank everything but the slice of the one before it.
    const Index at = x != Matrix::c ? to - 1 : from == 0 ? p - 1 : to - 2;
    words += length[index(row_[index(x)])] * (cols - cols / p - (at < cols % p ? 1 : 0));
  }
  return words;
}

Index Estimates::words(const Grid& grid) const {
  Index most = 0;
  for (int kind = 0; kind < 8; ++kind)
    most = std::max(most, words_of_kind(grid, {kind & 1, kind >> 1 & 1, kind >> 2}));
  return most;
}

double Estimates::mean_words(const Grid& grid) const {
  const gemm::Problem& p = wanted_.problem;
  const double all = real(p.m) * real(p.k) * (grid.pn - 1) + real(p.k) * real(p.n) * (grid.pm - 1) +
                     real(p.m) * real(p.n) * (grid.pk - 1);
  return all / real(grid.ranks());
}

double Estimates::mean_seconds(const Grid& grid) const {
  return word_seconds_ * mean_words(grid) + voxel_seconds_ * work(grid) * (1 - 1e-12);
}

double Estimates::rough_collective(const Face& f, bool combine) const {
  if (f.fibre == 1) return 0;
  return machine_.alpha * rough_messages(f, combine) +
         word_seconds_ * real(f.rows) * real(f.cols - f.cols / f.fibre);
}

// For a rank that also receives all words of the face but a shortest slice: the last one of a gather, some
// rank of a combine.
double Estimates::rough_messages(const Face& f, bool combine) const {
  if (combine || f.cols < f.fibre || wanted_.transport == comm::Transport::one_sided)
    return log2_ceil(std::min<Index>(f.fibre, f.cols));
  return gather_messages_[static_cast<std::size_t>(f.fibre)];
}

// The first ranks have the longest slices, the last the shortest, and their windows of blocks pass the end of
// the circle: one of these is the busiest or nearly so.
double Estimates::collective_seconds(const Face& f, Matrix x) const {
  if (f.fibre == 1) return 0;
  const gemm::Collective collective{x, comm::Partition::balanced(f.fibre, f.cols, f.rows), 0};
  const comm::BlockWay way = gemm::way_of(wanted_, collective.slices);
  const auto at = [&](int position) {
    return gemm::seconds(gemm::closed_count(wanted_, collective, way, position), machine_);
  };
  return way == comm::BlockWay::direct ? at(0) : std::max(at(0), at(f.fibre - 1));
}

bool Estimates::seconds_exceed(const Grid& grid, double limit) const {
  std::array<Face, 3> faces;
  std::array<double, 3> rough{};
  double sum = voxel_seconds_ * work(grid);
  for (const Matrix x : gemm::all_matrices) {
    faces[index(x)] = longest(grid, x);
    sum += rough[index(x)] = rough_collective(faces[index(x)], x == Matrix::c);
  }
  // One after the other from rough to near.
  for (const Matrix x : {Matrix::c, Matrix::a, Matrix::b}) {
    if (sum > limit) return true;
    sum += std::max(0.0, collective_seconds(faces[index(x)], x) - rough[index(x)]);
  }
  return sum > limit;
}

double Estimates::own_bytes(const Grid& grid) const {
  double sum = 0;
  for (const Matrix x : gemm::all_matrices) {
    const Face f = longest(grid, x);
    sum += real(f.rows) * real(ceil_div(f.cols, f.fibre));
  }
  return sum * bytes(wanted_.problem.type);
}

double Estimates::least_bytes(const Grid& grid) const {
  double faces = 0;
  for (const Matrix x : gemm::all_matrices) {
    const Face f = longest(grid, x);
    if (f.fibre > 1) faces += real(f.rows) * real(f.cols);
  }
  return own_bytes(grid) + faces * bytes(wanted_.problem.type);
}

// Landing places: one piece a peer, two slices, or the partial sums of half the face and three pieces.
double Estimates::most_bytes(const Grid& grid) const {
  const Face c = longest(grid, Matrix::c);
  const double face = c.fibre > 1 ? real(c.rows) * real(c.cols) : 0;
  return least_bytes(grid) + 4 * face * bytes(wanted_.problem.type);
}

}  // namespace cairn::plan
