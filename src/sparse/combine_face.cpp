#include "sparse/combine_face.hpp"

#include <complex>
#include <numeric>

#include "sparse/blocks.hpp"
#include "sparse/local/operations.hpp"

namespace cairn::sparse {
namespace {

// C(i, j) over the pieces of its layers.
struct FacePieces {
  Correspondence rows, columns;  // of C(i, j) over the places of C's cuts
  int first_row_place = 0, first_column_place = 0;
  int row_parts = 1, column_parts = 1;

  std::span<const Local> row_list(int part) const {
    return rows.among[static_cast<std::size_t>(first_row_place + part % row_parts)];
  }
  std::span<const Local> column_list(int part) const {
    return columns.among[static_cast<std::size_t>(first_column_place + part / row_parts)];
  }
};

FacePieces face_pieces(const BrickLayouts& layouts, const BrickSeat& seat) {
  const FaceCut& face = layouts.face;
  return {.rows = correspond(layouts.a.row_cut(), seat.i, layouts.c.row_cut()),
          .columns = correspond(layouts.b.column_cut(), seat.j, layouts.c.column_cut()),
          .first_row_place = seat.i * face.row_parts,
          .first_column_place = seat.j * face.column_parts,
          .row_parts = face.row_parts,
          .column_parts = face.column_parts};
}

std::vector<int> minus(const std::vector<int>& places, int first) {
  std::vector<int> parts(places);
  for (int& p : parts) p -= first;
  return parts;
}

int my_part(const BrickLayouts& layouts, int layer) {
  for (int p = 0; p < layouts.grid.pk; ++p)
    if (layouts.face.layer(p) == layer) return p;
  fail("layer {} has no piece of C", layer);
}

template <class T>
std::vector<Entries<T>> cut_face(const FacePieces& f, const Csr<T>& partial) {
  const std::vector<int> row_part = minus(f.rows.place, f.first_row_place);
  const std::vector<int> column_part = minus(f.columns.place, f.first_column_place);
  std::vector<Entries<T>> pieces =
      deal(partial, {row_part, column_part, f.rows.nth, f.columns.nth, f.row_parts, f.column_parts});
  for (int p = 0; p < static_cast<int>(pieces.size()); ++p) {
    pieces[static_cast<std::size_t>(p)].rows = std::ssize(f.row_list(p));
    pieces[static_cast<std::size_t>(p)].columns = std::ssize(f.column_list(p));
  }
  return pieces;
}

// Merged in the order of the layers, so that the same sums come out whatever arrived first.
template <class T>
Csr<T> merge_pieces(std::vector<Entries<T>> others, Entries<T> own, int position,
                    const LocalKernel<T>& kernel) {
  others.insert(others.begin() + position, std::move(own));
  std::vector<Csr<T>> parts;
  for (Entries<T>& e : others) {
    parts.push_back(block_of(e));
    e = {};
  }
  return kernel.merge(parts);
}

}  // namespace

template <class T>
Csr<T> combine_face(EntryExchange<T>& exchange, const BrickLayouts& layouts, const BrickSeat& seat,
                    Csr<T> partial, const LocalKernel<T>& kernel) {
  const SparseGrid& g = layouts.grid;
  if (g.pk == 1) return partial;
  std::vector<Entries<T>> pieces = cut_face(face_pieces(layouts, seat), partial);
  partial = {};
  const auto mine = static_cast<std::size_t>(my_part(layouts, seat.l));
  std::vector<Outgoing<T>> out;
  std::vector<Incoming> in;
  for (int l = 0; l < g.pk; ++l) {
    if (l == seat.l) continue;
    const int rank = g.rank(seat.i, seat.j, l);
    out.push_back({rank, std::move(pieces[static_cast<std::size_t>(my_part(layouts, l))])});
    in.push_back({rank, pieces[mine].rows, pieces[mine].columns});
  }
  std::vector<Entries<T>> arrived = exchange.run(out, in);
  return merge_pieces(std::move(arrived), std::move(pieces[mine]), seat.l, kernel);
}

template <class T>
Csr<T> combine_face_in_levels(EntryExchange<T>& exchange, const BrickLayouts& layouts, const BrickSeat& seat,
                              Csr<T> partial, const LocalKernel<T>& kernel, std::span<const int> factors) {
  const SparseGrid& g = layouts.grid;
  int stride = g.pk;
  for (auto level = factors.rbegin(); level != factors.rend(); ++level) {
    const int factor = *level;
    stride /= factor;
    const int digit = seat.l / stride % factor;
    const std::vector<Index> ends = nested_ends(partial.rows, factor, 1);
    const auto part = [&](int d) {
      const Index first = d == 0 ? 0 : ends[static_cast<std::size_t>(d) - 1];
      return entries_of(extract(partial, first, ends[static_cast<std::size_t>(d)], 0, partial.columns));
    };
    Entries<T> own = part(digit);
    std::vector<Outgoing<T>> out;
    std::vector<Incoming> in;
    for (int d = 0; d < factor; ++d) {
      if (d == digit) continue;
      const int rank = g.rank(seat.i, seat.j, seat.l + (d - digit) * stride);
      out.push_back({rank, part(d)});
      in.push_back({rank, own.rows, own.columns});
    }
    std::vector<Entries<T>> arrived = exchange.run(out, in);
    partial = merge_pieces(std::move(arrived), std::move(own), digit, kernel);
  }
  return partial;
}

template <class T>
Csr<T> gather_mask(EntryExchange<T>& exchange, const BrickLayouts& layouts, const BrickSeat& seat,
                   const Csr<T>& mine) {
  const SparseGrid& g = layouts.grid;
  if (g.pk == 1) return mine;
  const FacePieces f = face_pieces(layouts, seat);
  std::vector<Outgoing<T>> out;
  std::vector<Incoming> in;
  std::vector<int> parts;
  for (int l = 0; l < g.pk; ++l) {
    if (l == seat.l) continue;
    const int rank = g.rank(seat.i, seat.j, l);
    parts.push_back(my_part(layouts, l));
    out.push_back({rank, entries_of(mine)});
    in.push_back({rank, std::ssize(f.row_list(parts.back())), std::ssize(f.column_list(parts.back()))});
  }
  std::vector<Entries<T>> arrived = exchange.run(out, in, Content::places);
  arrived.push_back(entries_of(mine));
  parts.push_back(my_part(layouts, seat.l));
  std::vector<PlacedEntries<T>> pieces;
  for (std::size_t x = 0; x < arrived.size(); ++x)
    pieces.push_back({std::move(arrived[x]), f.row_list(parts[x]), f.column_list(parts[x])});
  return assemble<T>(layouts.a.row_cut().size(seat.i), layouts.b.column_cut().size(seat.j), pieces);
}

#define CAIRN_COMBINE(T)                                                                              \
  template Csr<T> combine_face<T>(EntryExchange<T>&, const BrickLayouts&, const BrickSeat&, Csr<T>,   \
                                  const LocalKernel<T>&);                                             \
  template Csr<T> combine_face_in_levels<T>(EntryExchange<T>&, const BrickLayouts&, const BrickSeat&, \
                                            Csr<T>, const LocalKernel<T>&, std::span<const int>);     \
  template Csr<T> gather_mask<T>(EntryExchange<T>&, const BrickLayouts&, const BrickSeat&, const Csr<T>&);
CAIRN_FOR_EACH_SCALAR(CAIRN_COMBINE)
#undef CAIRN_COMBINE

}  // namespace cairn::sparse
