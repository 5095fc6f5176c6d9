#include "sparse/gather_faces.hpp"

#include <complex>
#include <numeric>

#include "sparse/gap_code.hpp"
#include "sparse/local/semiring.hpp"

namespace cairn::sparse {
namespace {

std::vector<Local> counting(Index size) {
  std::vector<Local> all(static_cast<std::size_t>(size));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

// Numbers among the marked ones only: both sides know which those are.
void renumber(Array<Local>& index, Index& size, std::span<const char> marks) {
  std::vector<Local> number(marks.size());
  Local next = 0;
  for (std::size_t i = 0; i < marks.size(); ++i) number[i] = marks[i] != 0 ? next++ : -1;
  for (Local& x : index) x = number[static_cast<std::size_t>(x)];
  size = next;
}

template <class T>
Entries<T> outgoing_entries(const Csr<T>& mine, Face face, const std::vector<std::vector<char>>& marks,
                            int to, bool numbered) {
  if (marks.empty()) return entries_of(mine);
  const std::span<const char> wanted = marks[static_cast<std::size_t>(to)];
  const std::span<const char> all;
  Entries<T> e = face == Face::a ? marked_entries(mine, all, wanted) : marked_entries(mine, wanted, all);
  if (numbered && face == Face::a) renumber(e.column, e.columns, wanted);
  if (numbered && face == Face::b) renumber(e.row, e.rows, wanted);
  return e;
}

// Where the k of a piece lie in the face: all of the share, or those asked for.
std::vector<Local> piece_places(const Fibre& fibre, int from, std::span<const char> known) {
  const std::span<const Local> share = fibre.share(from);
  std::vector<Local> places;
  for (const Local k : share)
    if (known.empty() || from == fibre.me || known[static_cast<std::size_t>(k)] != 0) places.push_back(k);
  return places;
}

// With `mine`: this rank's share as it is, between those before and after it.
template <class T>
Csr<T> assemble_face(const Fibre& fibre, Face face, std::vector<Entries<T>> pieces,
                     const std::vector<std::vector<Local>>& places, const Csr<T>* mine = nullptr) {
  const std::vector<Local> straight = counting(face == Face::a ? fibre.rows : fibre.columns);
  std::vector<PlacedEntries<T>> placed;
  for (std::size_t x = 0; x < pieces.size(); ++x) {
    const std::span<const Local> k = places[x], other = straight;
    placed.push_back({std::move(pieces[x]), face == Face::a ? other : k, face == Face::a ? k : other});
  }
  if (mine == nullptr) return assemble<T>(fibre.rows, fibre.columns, placed);
  const std::span<const Local> k = fibre.share(fibre.me), other = straight;
  const PlacedBlock<T> own{*mine, face == Face::a ? other : k, face == Face::a ? k : other, fibre.me};
  return assemble<T>(fibre.rows, fibre.columns, placed, &own);
}

Bytes framed(const std::vector<int>& from, const std::vector<Bytes>& bytes) {
  Bytes out;
  for (std::size_t x = 0; x < from.size(); ++x) {
    put_count(out, from[x]);
    put_count(out, static_cast<Index>(bytes[x].size()));
    out.insert(out.end(), bytes[x].begin(), bytes[x].end());
  }
  return out;
}

Index framed_entries(std::span<const std::byte> in) {
  Index entries = 0;
  while (!in.empty()) {
    take_count(in);
    const auto size = static_cast<std::size_t>(std::min<Index>(take_count(in), std::ssize(in)));
    entries += packed_entries(in.first(size));
    in = in.subspan(size);
  }
  return entries;
}

void unframe(std::span<const std::byte> in, std::vector<int>& from, std::vector<Bytes>& bytes) {
  while (!in.empty()) {
    from.push_back(narrow<int>(take_count(in), "coordinate in a sparse message"));
    const Index size = take_count(in);
    require<CommError>(size <= std::ssize(in), "a sparse message has {} bytes left, expected {}", in.size(),
                       size);
    bytes.emplace_back(in.begin(), in.begin() + size);
    in = in.subspan(static_cast<std::size_t>(size));
  }
}

}  // namespace

Fibre fibre_of(const BrickLayouts& layouts, const BrickSeat& seat, Face face) {
  const SparseGrid& g = layouts.grid;
  const bool is_a = face == Face::a;
  const Index inner = layouts.inner.size(seat.l);
  Fibre fibre;
  fibre.me = is_a ? seat.j : seat.i;
  for (int x = 0; x < (is_a ? g.pn : g.pm); ++x)
    fibre.ranks.push_back(is_a ? g.rank(seat.i, x, seat.l) : g.rank(x, seat.j, seat.l));
  fibre.rows = is_a ? layouts.a.row_cut().size(seat.i) : inner;
  fibre.columns = is_a ? inner : layouts.b.column_cut().size(seat.j);
  fibre.shares = correspond(layouts.inner, seat.l, is_a ? layouts.a.column_cut() : layouts.b.row_cut());
  fibre.first_place = seat.l * (is_a ? g.pn : g.pm);
  return fibre;
}

template <class T>
Csr<T> gather_face(EntryExchange<T>& exchange, const Fibre& fibre, Face face, const Csr<T>& mine,
                   Content content, const std::vector<std::vector<char>>& marks,
                   std::span<const char> known) {
  if (fibre.ranks.size() == 1) return mine;  // the share is the face
  std::vector<Outgoing<T>> out;
  std::vector<Incoming> in;
  std::vector<std::vector<Local>> places;
  for (int x = 0; x < static_cast<int>(fibre.ranks.size()); ++x) {
    if (x == fibre.me) continue;
    const int rank = fibre.ranks[static_cast<std::size_t>(x)];
    out.push_back({rank, outgoing_entries(mine, face, marks, x, !known.empty())});
    places.push_back(piece_places(fibre, x, known));
    const Index k = std::ssize(places.back());
    in.push_back({rank, face == Face::a ? fibre.rows : k, face == Face::a ? k : fibre.columns});
  }
  return assemble_face(fibre, face, exchange.run(out, in, content), places, &mine);
}

template <class T>
Csr<T> gather_face_in_levels(EntryExchange<T>& exchange, const Fibre& fibre, Face face, const Csr<T>& mine,
                             Content content, std::span<const int> factors) {
  if (fibre.ranks.size() == 1) return mine;
  std::vector<int> from{fibre.me};
  std::vector<Bytes> held{pack_entries(entries_of(mine), content)};
  int stride = 1;
  for (const int factor : factors) {
    const int digit = fibre.me / stride % factor;
    std::vector<Parcel> out;
    std::vector<int> ranks;
    for (int d = 0; d < factor; ++d) {
      if (d == digit) continue;
      ranks.push_back(fibre.ranks[static_cast<std::size_t>(fibre.me + (d - digit) * stride)]);
      out.push_back({ranks.back(), framed(from, held)});
    }
    for (const Bytes& bytes : exchange.parcels(std::move(out), ranks, framed_entries))
      unframe(bytes, from, held);
    stride *= factor;
  }
  std::vector<Entries<T>> pieces;
  std::vector<std::vector<Local>> places;
  for (std::size_t x = 0; x < from.size(); ++x) {
    places.push_back(piece_places(fibre, from[x], {}));
    const Index k = std::ssize(places.back());
    pieces.push_back(
        unpack_entries<T>(held[x], face == Face::a ? fibre.rows : k, face == Face::a ? k : fibre.columns));
    if (x > 0) exchange.add_received(pieces.back().size());
  }
  return assemble_face(fibre, face, std::move(pieces), places);
}

#define CAIRN_GATHER(T)                                                                                   \
  template Csr<T> gather_face<T>(EntryExchange<T>&, const Fibre&, Face, const Csr<T>&, Content,           \
                                 const std::vector<std::vector<char>>&, std::span<const char>);           \
  template Csr<T> gather_face_in_levels<T>(EntryExchange<T>&, const Fibre&, Face, const Csr<T>&, Content, \
                                           std::span<const int>);
CAIRN_FOR_EACH_SCALAR(CAIRN_GATHER)
#undef CAIRN_GATHER

}  // namespace cairn::sparse
