#include "sparse/dense_rows.hpp"

#include <complex>
#include <cstring>

#include "comm/partition.hpp"
#include "sparse/blocks.hpp"
#include "sparse/local/semiring.hpp"
#include "sparse/parcels.hpp"

namespace cairn::sparse {
namespace {

Cut dense_cut(comm::CommView comm, Index length) {
  std::vector<int> ranks;
  for (int r = 0; r < comm.size(); ++r) ranks.push_back(r);
  return Cut::ranges(length, std::move(ranks));
}

// Who has blocks with indices of my dense range, and which place of the cut those have.
struct Partners {
  std::vector<int> ranks, places;
};
Partners partners_of(const Cut& cut, const Cut& other, const Correspondence& mine) {
  Partners p;
  for (int x = 0; x < cut.places(); ++x)
    for (int y = 0; y < other.places() && !mine.among[static_cast<std::size_t>(x)].empty(); ++y) {
      p.ranks.push_back(cut.offset(x) + other.offset(y));
      p.places.push_back(x);
    }
  return p;
}

// The filled indices of a block, as positions in what it has in common with each dense range.
struct Filled {
  std::vector<int> ranks;                  // dense ranges that the block meets, filled or not
  std::vector<std::vector<Local>> nth;     // position in the common part
  std::vector<std::vector<Local>> locals;  // index in the block
  std::vector<Index> common;
};
Filled filled_by_range(const Correspondence& to, const std::vector<Local>& filled) {
  Filled f;
  std::vector<std::vector<Local>> nth(to.among.size()), locals(to.among.size());
  for (const Local x : filled) {
    const auto at = static_cast<std::size_t>(x);
    const auto range = static_cast<std::size_t>(to.place[at]);
    nth[range].push_back(to.nth[at]);
    locals[range].push_back(x);
  }
  for (std::size_t r = 0; r < to.among.size(); ++r) {
    if (to.among[r].empty()) continue;
    f.ranks.push_back(static_cast<int>(r));
    f.nth.push_back(std::move(nth[r]));
    f.locals.push_back(std::move(locals[r]));
    f.common.push_back(std::ssize(to.among[r]));
  }
  return f;
}

template <class T>
void append_rows(Bytes& out, const T* numbers, Index r) {
  const auto* first = reinterpret_cast<const std::byte*>(numbers);
  out.insert(out.end(), first, first + static_cast<std::size_t>(r) * sizeof(T));
}

std::vector<Parcel> positions_for(const Filled& f) {
  std::vector<Parcel> out;
  for (std::size_t x = 0; x < f.ranks.size(); ++x)
    out.push_back({f.ranks[x], pack_positions(f.nth[x], f.common[x])});
  return out;
}

}  // namespace

DenseRange dense_range(comm::CommView comm, Index length) {
  const auto parts = comm::Partition::balanced(comm.size(), length);
  return {parts.offset(comm.rank()), parts.count(comm.rank())};
}

template <class T>
std::vector<T> fetch_dense_rows(comm::CommView comm, const DistSparse<T>& a, std::span<const T> x, Index r) {
  const Cut &cut = a.layout.column_cut(), dense = dense_cut(comm, cut.length());
  const auto at = a.layout.position_of(comm.rank());
  Filled filled;
  if (at)
    filled = filled_by_range(correspond(cut, at->column_place, dense), filled_columns(a.local.pattern()));
  const Correspondence mine = correspond(dense, comm.rank(), cut);
  const Partners askers = partners_of(cut, a.layout.row_cut(), mine);
  const std::vector<Bytes> asked = exchange_parcels(comm, positions_for(filled), askers.ranks);
  std::vector<Parcel> answers;
  for (std::size_t p = 0; p < asked.size(); ++p) {
    const auto& common = mine.among[static_cast<std::size_t>(askers.places[p])];
    Bytes bytes;
    for (const Local n : unpack_positions(asked[p], std::ssize(common)))
      append_rows(bytes, x.data() + r * common[static_cast<std::size_t>(n)], r);
    answers.push_back({askers.ranks[p], std::move(bytes)});
  }
  std::vector<Index> lengths;
  for (const auto& list : filled.locals)
    lengths.push_back(std::ssize(list) * r * static_cast<Index>(sizeof(T)));
  const std::vector<Bytes> in =
      exchange_known(comm, std::move(answers), filled.ranks, lengths, elements_in<sizeof(T)>);
  std::vector<T> numbers(static_cast<std::size_t>(r * a.local.columns), T(0));
  for (std::size_t p = 0; p < in.size(); ++p)
    for (std::size_t n = 0; n < filled.locals[p].size(); ++n)
      std::memcpy(static_cast<void*>(&numbers[static_cast<std::size_t>(r * filled.locals[p][n])]),
                  in[p].data() + n * static_cast<std::size_t>(r) * sizeof(T),
                  static_cast<std::size_t>(r) * sizeof(T));
  return numbers;
}

template <class T>
std::vector<T> reduce_dense_rows(comm::CommView comm, const DistSparse<T>& a, std::span<const T> partial,
                                 Index r, T zero, const std::function<T(T, T)>& add) {
  const Cut &cut = a.layout.row_cut(), dense = dense_cut(comm, cut.length());
  const auto at = a.layout.position_of(comm.rank());
  std::vector<Parcel> out;
  if (at) {
    const Filled filled =
        filled_by_range(correspond(cut, at->row_place, dense), filled_rows(a.local.pattern()));
    for (std::size_t x = 0; x < filled.ranks.size(); ++x) {
      Bytes bytes;  // numbers first: they keep their alignment
      for (const Local row : filled.locals[x]) append_rows(bytes, partial.data() + r * row, r);
      const Bytes where = pack_positions(filled.nth[x], filled.common[x]);
      bytes.insert(bytes.end(), where.begin(), where.end());
      const auto count = static_cast<std::uint64_t>(filled.locals[x].size());
      if (count > 0) append_rows(bytes, &count, 1);
      out.push_back({filled.ranks[x], std::move(bytes)});
    }
  }
  const Correspondence mine = correspond(dense, comm.rank(), cut);
  const Partners senders = partners_of(cut, a.layout.column_cut(), mine);
  const auto numbers_in = [r](std::span<const std::byte> parcel) {
    std::uint64_t rows = 0;
    if (parcel.size() >= sizeof rows) std::memcpy(&rows, &parcel[parcel.size() - sizeof rows], sizeof rows);
    return static_cast<Index>(rows) * r;
  };
  const std::vector<Bytes> in = exchange_parcels(comm, std::move(out), senders.ranks, numbers_in);
  std::vector<T> sums(static_cast<std::size_t>(r * dense.size(comm.rank())), zero);
  for (std::size_t p = 0; p < in.size(); ++p) {
    if (in[p].empty()) continue;
    const auto& common = mine.among[static_cast<std::size_t>(senders.places[p])];
    std::uint64_t count = 0;
    std::memcpy(&count, in[p].data() + in[p].size() - sizeof count, sizeof count);
    const std::size_t numbers = count * static_cast<std::size_t>(r) * sizeof(T);
    require<CommError>(numbers + sizeof count <= in[p].size(), "sums of {} rows in {} bytes", count,
                       in[p].size());
    const std::span<const std::byte> where(in[p].data() + numbers, in[p].size() - numbers - sizeof count);
    const std::vector<Local> positions = unpack_positions(where, std::ssize(common));
    const T* from = reinterpret_cast<const T*>(in[p].data());
    for (const Local n : positions)
      for (Index c = 0; c < r; ++c, ++from) {
        T& sum = sums[static_cast<std::size_t>(r * common[static_cast<std::size_t>(n)] + c)];
        sum = add(sum, *from);
      }
  }
  return sums;
}

#define CAIRN_DENSE(T)                                                                                   \
  template std::vector<T> fetch_dense_rows<T>(comm::CommView, const DistSparse<T>&, std::span<const T>,  \
                                              Index);                                                    \
  template std::vector<T> reduce_dense_rows<T>(comm::CommView, const DistSparse<T>&, std::span<const T>, \
                                               Index, T, const std::function<T(T, T)>&);
CAIRN_FOR_EACH_SCALAR(CAIRN_DENSE)
#undef CAIRN_DENSE

}  // namespace cairn::sparse
