#include "sparse/needed.hpp"

#include "sparse/blocks.hpp"

namespace cairn::sparse {
namespace {

// One side tells which of its k are filled; the holders of the other matrix along the same k listen.
struct Side {
  const Cut& told;       // the k of the tellers' matrix
  const Cut& heard;      // the k of the listeners' matrix
  int my_told_place;     // of my block of the tellers' matrix
  int my_heard_place;    // of my block of the listeners' matrix
  int first_told_place;  // of this layer
  int told_shares;       // places of a layer
  int first_heard_place;
  int heard_shares;
  int groups;  // tellers with the same k; every one of them gets marks of its own
  // The listener with share s of the k and coordinate g in the other direction, and the teller alike.
  std::function<int(int s, int g)> listener;
  std::function<int(int t, int g)> teller;
  int listener_groups;
};

std::vector<Parcel> tell(const Side& side, const std::vector<Local>& filled) {
  const Correspondence to = correspond(side.told, side.my_told_place, side.heard);
  std::vector<std::vector<Local>> lists(static_cast<std::size_t>(side.heard.places()));
  for (const Local k : filled) {
    const auto at = static_cast<std::size_t>(k);
    lists[static_cast<std::size_t>(to.place[at])].push_back(to.nth[at]);
  }
  std::vector<Parcel> out;
  for (int s = 0; s < side.heard_shares; ++s) {
    const auto place = static_cast<std::size_t>(side.first_heard_place + s);
    if (to.among[place].empty()) continue;
    const Bytes bytes = pack_positions(lists[place], std::ssize(to.among[place]));
    for (int g = 0; g < side.listener_groups; ++g) out.push_back({side.listener(s, g), bytes});
  }
  return out;
}

std::vector<std::vector<char>> listen(comm::CommView comm, const Side& side, std::vector<Parcel> out) {
  const Correspondence from = correspond(side.heard, side.my_heard_place, side.told);
  const auto size = static_cast<std::size_t>(side.heard.size(side.my_heard_place));
  std::vector<std::vector<char>> marks(static_cast<std::size_t>(side.groups), std::vector<char>(size, 0));
  std::vector<int> ranks;
  std::vector<std::pair<int, int>> who;  // share and group of a teller
  for (int t = 0; t < side.told_shares; ++t)
    for (int g = 0; g < side.groups; ++g)
      if (!from.among[static_cast<std::size_t>(side.first_told_place + t)].empty()) {
        ranks.push_back(side.teller(t, g));
        who.emplace_back(t, g);
      }
  const std::vector<Bytes> in = exchange_parcels(comm, std::move(out), ranks);
  for (std::size_t x = 0; x < in.size(); ++x) {
    const auto& common = from.among[static_cast<std::size_t>(side.first_told_place + who[x].first)];
    for (const Local p : unpack_positions(in[x], std::ssize(common)))
      marks[static_cast<std::size_t>(who[x].second)]
           [static_cast<std::size_t>(common[static_cast<std::size_t>(p)])] = 1;
  }
  return marks;
}

}  // namespace

NeededMarks exchange_needed(comm::CommView comm, const BrickLayouts& layouts, const BrickSeat& seat,
                            const PatternView& a, const PatternView& b) {
  const SparseGrid& g = layouts.grid;
  const Cut &ka = layouts.a.column_cut(), &kb = layouts.b.row_cut();
  const int place_a = seat.l * g.pn + seat.j, place_b = seat.l * g.pm + seat.i;
  NeededMarks marks;
  if (g.pn > 1) {  // rank (s, j, l) tells the rows of its B to (i, t, l) for all i
    const Side side{kb,
                    ka,
                    place_b,
                    place_a,
                    seat.l * g.pm,
                    g.pm,
                    seat.l * g.pn,
                    g.pn,
                    g.pn,
                    [&](int t, int i) { return g.rank(i, t, seat.l); },
                    [&](int s, int j) { return g.rank(s, j, seat.l); },
                    g.pm};
    marks.columns_of_a = listen(comm, side, tell(side, filled_rows(b)));
  }
  if (g.pm > 1) {  // rank (i, t, l) tells the columns of its A to (s, j, l) for all j
    const Side side{ka,
                    kb,
                    place_a,
                    place_b,
                    seat.l * g.pn,
                    g.pn,
                    seat.l * g.pm,
                    g.pm,
                    g.pm,
                    [&](int s, int j) { return g.rank(s, j, seat.l); },
                    [&](int t, int i) { return g.rank(i, t, seat.l); },
                    g.pn};
    marks.rows_of_b = listen(comm, side, tell(side, filled_columns(a)));
  }
  return marks;
}

}  // namespace cairn::sparse
