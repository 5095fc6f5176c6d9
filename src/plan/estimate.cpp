#include "plan/estimate.hpp"

#include <algorithm>
#include <bit>

#include "comm/blocks.hpp"
#include "gemm/count.hpp"
#include "program/simulate.hpp"

namespace cairn::plan {
namespace {

using comm::log2_ceil;
using gemm::Dim;
using gemm::Grid;
using gemm::Matrix;

// Messages of the last of p ranks, where nobody's slice is empty: p - 1 direct or in a ring, less by
// doubling. In an allgather it sends one a distance, and two where more than one block is sent, for these
// pass the end of the circle.
int last_gather_messages(int p) {
  int doubling = 0;
  for (int d = 1; d < p; d *= 2) doubling += std::min(d, p - d) > 1 ? 2 : 1;
  return std::min(p - 1, doubling);
}

// In a reduce-scatter it receives blocks [d, d + n) counted from the rank d before it: the first is its own,
// after it the circle ends. A message also ends where the sender's sums do, in both directions.
int last_combine_messages(int p) {
  int sent = 0, received = 0, summed = 0;
  for (int d = 1 << std::max(0, log2_ceil(p) - 1); d >= 1; d /= 2) {
    const int n = std::min(d, p - d);
    const bool cut = d < summed && summed < d + n;
    sent += cut ? 2 : 1;
    received += (n > 1 ? 2 : 1) + (cut && summed != d + 1 ? 1 : 0);
    summed = std::max(summed, n);
  }
  return std::min(p - 1, std::max(sent, received));
}

// Messages of the last rank at least, in a fibre of at least p ranks: one for each of the columns, or by
// doubling, in one direction one a distance over which more than one block goes (p - 2^i > 1 for the
// longest), and in the other one a distance that reaches a column.
int least_messages(Index columns, int p) {
  const Index full = std::min<Index>(columns, p - 1);
  const int distances = log2_ceil(p);
  const int wide = distances - 1 - (p > 2 && p - (1 << (distances - 1)) == 1 ? 1 : 0);
  const int reaching = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(full)));
  return static_cast<int>(std::min<Index>(full, std::max(wide, reaching)));
}

}  // namespace

Estimates::Estimates(const gemm::Schedule& wanted, int ranks, const Machine& machine)
    : wanted_(wanted), machine_(machine) {
  for (const Matrix x : gemm::all_matrices) {
    row_[index(x)] = row_dim(wanted.problem, x);
    col_[index(x)] = col_dim(wanted.problem, x);
  }
  const ScalarType type = wanted.problem.type;
  voxel_seconds_ = machine.gamma * flops_per_voxel(type);
  word_seconds_ = machine.beta * bytes(type) / 8.0;
  for (int p = 0; p <= ranks; ++p) {
    gather_messages_.push_back(p < 2 ? 0 : last_gather_messages(p));
    combine_messages_.push_back(p < 2 ? 0 : last_combine_messages(p));
  }
  for (const Dim d : gemm::all_dims) {
    const Index size = wanted.problem.size(d), most = std::clamp<Index>(size, 1, ranks);
    for (Index p = 0; p <= most; ++p) parts_[index(d)].push_back(ceil_div(size, std::max<Index>(p, 1)));
  }
}

double Estimates::work(const Grid& grid) const {
  return as_real(part(grid, Dim::m)) * as_real(part(grid, Dim::n)) * as_real(part(grid, Dim::k));
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

double Estimates::volume(const Grid& grid) const { return gemm::words_of_all<double>(wanted_.problem, grid); }

double Estimates::mean_words(const Grid& grid) const { return volume(grid) / as_real(grid.ranks()); }

double Estimates::mean_seconds(const Grid& grid) const {
  return word_seconds_ * mean_words(grid) + voxel_seconds_ * work(grid) * (1 - 1e-12);
}

// Of the last rank: it has a shortest slice, and receives (gather) or sends (combine) all words of the face
// but these, in every way.
double Estimates::rough_collective(const Face& f, int messages) const {
  if (f.fibre == 1) return 0;
  return machine_.alpha * messages + word_seconds_ * as_real(f.rows) * as_real(f.cols - f.cols / f.fibre);
}

int Estimates::rough_messages(const Face& f, Matrix x) const {
  if (f.cols < f.fibre || wanted_.transport == Transport::one_sided) return least_messages(f.cols, f.fibre);
  return (x == Matrix::c ? combine_messages_ : gather_messages_)[static_cast<std::size_t>(f.fibre)];
}

// The first rank, which has a longest slice: direct it gives (takes) it to (from) every other rank; by
// doubling it sends (receives) a message a distance, with the windows from its slice on.
double Estimates::first_rank_seconds(const Face& f) const {
  if (f.fibre == 1) return 0;
  const auto slices = comm::Partition::balanced(f.fibre, f.cols, f.rows);
  switch (gemm::way_of(wanted_, slices)) {
    case comm::BlockWay::direct:
      return (f.fibre - 1) * (machine_.alpha + word_seconds_ * as_real(slices.count(0)));
    case comm::BlockWay::doubling:
      return machine_.alpha * log2_ceil(f.fibre) + word_seconds_ * as_real(comm::doubling_count(slices));
    case comm::BlockWay::ring:
      break;
  }
  return 0;
}

// The first ranks have the longest slices; the windows of the last of these and of the last rank pass the end
// of the longer slices and of the circle: one of these is the busiest or nearly so.
double Estimates::collective_seconds(const Face& f, Matrix x) const {
  if (f.fibre == 1) return 0;
  const comm::BlockCollective collective =
      collective_of(wanted_, x, comm::Partition::balanced(f.fibre, f.cols, f.rows));
  const auto at = [&](Index position) {
    return program::seconds(comm::closed_count(collective, static_cast<int>(position)), machine_);
  };
  if (collective.way == comm::BlockWay::direct) return at(0);
  const Index longer = f.cols % f.fibre;
  return std::max({at(0), at(f.fibre - 1), longer > 1 ? at(longer - 1) : 0});
}

// More parts of k make the faces of A and B and the work smaller, and the fibre of C longer.
double Estimates::least_seconds(int pm, int pn, int fewest_pk, int most_pk) const {
  const Grid small{pm, pn, most_pk};
  const Face a = longest(small, Matrix::a), b = longest(small, Matrix::b),
             c = longest({pm, pn, fewest_pk}, Matrix::c);
  // Those of C with all slices full do not grow with the fibre everywhere.
  return voxel_seconds_ * work(small) + rough_collective(a, rough_messages(a, Matrix::a)) +
         rough_collective(b, rough_messages(b, Matrix::b)) +
         rough_collective(c, least_messages(c.cols, c.fibre));
}

bool Estimates::seconds_exceed(const Grid& grid, double limit) const {
  std::array<Face, 3> faces;
  std::array<double, 3> seconds{};
  double sum = voxel_seconds_ * work(grid);
  for (const Matrix x : gemm::all_matrices) {
    faces[index(x)] = longest(grid, x);
    sum += seconds[index(x)] = rough_collective(faces[index(x)], rough_messages(faces[index(x)], x));
  }
  const auto look_closer = [&](Matrix x, double closer) {
    sum += std::max(0.0, closer - seconds[index(x)]);
    seconds[index(x)] = std::max(seconds[index(x)], closer);
    return sum > limit;
  };
  if (sum > limit) return true;
  constexpr std::array order{Matrix::c, Matrix::a, Matrix::b};
  return std::ranges::any_of(order,
                             [&](Matrix x) { return look_closer(x, first_rank_seconds(faces[index(x)])); }) ||
         std::ranges::any_of(
             order, [&](Matrix x) { return look_closer(x, collective_seconds(faces[index(x)], x)); });
}

double Estimates::own_bytes(const Grid& grid) const {
  double sum = 0;
  for (const Matrix x : gemm::all_matrices) {
    const Face f = longest(grid, x);
    sum += as_real(f.rows) * as_real(ceil_div(f.cols, f.fibre));
  }
  return sum * bytes(wanted_.problem.type);
}

double Estimates::least_bytes(const Grid& grid) const {
  double faces = 0;
  for (const Matrix x : gemm::all_matrices) {
    const Face f = longest(grid, x);
    if (f.fibre > 1) faces += as_real(f.rows) * as_real(f.cols);
  }
  return own_bytes(grid) + faces * bytes(wanted_.problem.type);
}

// Landing places: one piece a peer, two slices, or the partial sums of half the face and three pieces.
double Estimates::most_bytes(const Grid& grid) const {
  const Face c = longest(grid, Matrix::c);
  const double face = c.fibre > 1 ? as_real(c.rows) * as_real(c.cols) : 0;
  return least_bytes(grid) + 4 * face * bytes(wanted_.problem.type);
}

}  // namespace cairn::plan
