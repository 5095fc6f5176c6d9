#include "plan/estimate.hpp"

#include <algorithm>
#include <bit>

#include "comm/collectives.hpp"
#include "gemm/collective.hpp"

namespace cairn::plan {
namespace {

using gemm::Dim;
using gemm::Grid;
using gemm::Matrix;

double real(Index x) { return static_cast<double>(x); }

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
  piece_ = comm::seat_of(0, 1, bytes(type)).combine_elements();
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

double Estimates::rough_seconds(const Grid& grid) const {
  double messages = 0, words = 0;
  for (const Matrix x : gemm::all_matrices) {
    const Face f = longest(grid, x);
    if (f.fibre == 1) continue;
    messages += log2_ceil(std::min<Index>(f.fibre, f.cols));
    words += real(f.rows) * real(f.cols - f.cols / f.fibre);
  }
  return machine_.alpha * messages + word_seconds_ * words + voxel_seconds_ * work(grid);
}

// What the rank at position 0 does, which has the longest slice: it sends (combine: receives) the most where
// the words go direct or by doubling; in a ring some rank moves all but a shortest slice.
double Estimates::collective_seconds(const Face& f, bool combine) const {
  if (f.fibre == 1) return 0;
  const comm::Partition slices = comm::Partition::balanced(f.fibre, f.cols, f.rows);
  const double blocks = static_cast<double>(std::min<Index>(f.fibre, f.cols));
  const double rest = real(slices.total() - slices.count(f.fibre - 1));
  const auto cost = [&](double messages, double words) {
    return machine_.alpha * messages + word_seconds_ * words;
  };
  if (wanted_.transport == comm::Transport::one_sided) return cost(log2_ceil(f.fibre), rest);
  switch (gemm::way_of(wanted_, slices)) {
    case comm::BlockWay::direct: {
      const Index pieces = combine ? ceil_div(slices.count(0), piece_) : 1;
      return cost(real((f.fibre - 1) * pieces), real((f.fibre - 1) * slices.count(0)));
    }
    case comm::BlockWay::ring:
      return cost(blocks - 1, rest);
    case comm::BlockWay::doubling:
      break;
  }
  Index words = 0;
  int messages = 0;
  for (int d = 1; d < f.fibre; d *= 2, ++messages) words += slices.offset(std::min(d, f.fibre - d));
  return cost(messages, real(words));
}

double Estimates::seconds(const Grid& grid) const {
  double sum = voxel_seconds_ * work(grid);
  for (const Matrix x : gemm::all_matrices) sum += collective_seconds(longest(grid, x), x == Matrix::c);
  return sum;
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
