#include "sparse/staged.hpp"

#include <complex>

#include "comm/traffic.hpp"
#include "sparse/column_phases.hpp"
#include "sparse/local/operations.hpp"

namespace cairn::sparse {
namespace {

template <class T>
Csr<T> merge_stages(std::vector<Csr<T>> stages, Index rows, Index columns, const LocalKernel<T>& kernel) {
  if (stages.empty()) return Csr<T>::zero(rows, columns);
  if (stages.size() == 1) return std::move(stages.front());
  return kernel.merge(stages);
}

template <class T>
void add_stage(std::vector<Csr<T>>& stages, const Csr<T>& a, const Csr<T>& b, const LocalKernel<T>& kernel,
               const Mask* mask, StageWatch& watch) {
  if (watch.over > 0) return;
  const bool watched = watch.limit < std::numeric_limits<Index>::max();
  Index need = watched ? phase_bytes(a, b, watch.held, 1, false) : 0;
  if (need > watch.limit) need = phase_bytes(a, b, watch.held, 1, true);
  if (need > watch.limit) {
    watch.over = need - watch.limit;
    stages.clear();
    return;
  }
  stages.push_back(kernel.multiply(a, b, mask));
  watch.held += stages.back().bytes();
}

std::vector<Index> wide(const std::vector<Local>& list) { return {list.begin(), list.end()}; }

// One step of SpSUMMA: the k that share t of A and share s of B have in common.
template <class T>
struct Step {
  EntryExchange<T>& exchange;
  const SparseGrid& grid;
  const BrickSeat& seat;
  Content content;

  // The owner among the fibre sends `piece` to the others; everybody has it then.
  Csr<T> spread(int owner, int me, const std::vector<int>& ranks, const Csr<T>& piece, Index rows,
                Index columns) const {
    std::vector<Outgoing<T>> out;
    std::vector<Incoming> in;
    for (int x = 0; x < static_cast<int>(ranks.size()); ++x)
      if (me == owner && x != me) out.push_back({ranks[static_cast<std::size_t>(x)], entries_of(piece)});
    if (me != owner) in.push_back({ranks[static_cast<std::size_t>(owner)], rows, columns});
    std::vector<Entries<T>> arrived = exchange.run(out, in, content);
    return me == owner ? piece : block_of(arrived.front());
  }
};

}  // namespace

template <class T>
Csr<T> multiply_ring(EntryExchange<T>& exchange, const BrickLayouts& layouts, const BrickSeat& seat,
                     const Csr<T>& a, const Csr<T>& b, Content content, const LocalKernel<T>& kernel,
                     const Mask* mask, StageWatch& watch) {
  const int ranks = layouts.grid.pm, next = (seat.i + 1) % ranks, before[] = {(seat.i + ranks - 1) % ranks};
  const Correspondence shares = correspond(layouts.inner, 0, layouts.b.row_cut());
  Bytes travelling = pack_entries(entries_of(b), content);
  std::vector<Csr<T>> stages;
  for (int stage = 0; stage < ranks; ++stage) {
    const auto from = static_cast<std::size_t>((seat.i - stage + ranks) % ranks);
    const Entries<T> piece = unpack_entries<T>(travelling, std::ssize(shares.among[from]), b.columns);
    if (stage > 0) exchange.add_received(piece.size());
    add_stage(stages, extract_columns(a, std::span<const Index>(wide(shares.among[from]))), block_of(piece),
              kernel, mask, watch);
    if (stage + 1 == ranks) break;
    const comm::Phase phase(exchange.comm().traffic(), "gather B");
    std::vector<Parcel> out;
    out.push_back({next, std::move(travelling)});
    travelling = std::move(exchange.parcels(std::move(out), before, packed_entries).front());
  }
  return merge_stages(std::move(stages), a.rows, b.columns, kernel);
}

template <class T>
Csr<T> multiply_steps(EntryExchange<T>& exchange, const BrickLayouts& layouts, const BrickSeat& seat,
                      const Csr<T>& a, const Csr<T>& b, Content content, const LocalKernel<T>& kernel,
                      const Mask* mask, StageWatch& watch) {
  const SparseGrid& g = layouts.grid;
  const Fibre row = fibre_of(layouts, seat, Face::a), column = fibre_of(layouts, seat, Face::b);
  const Step<T> step{exchange, g, seat, content};
  std::vector<Csr<T>> stages;
  for (int t = 0; t < g.pn; ++t) {
    const Correspondence in_b = correspond(layouts.a.column_cut(), seat.l * g.pn + t, layouts.b.row_cut());
    for (int s = 0; s < g.pm; ++s) {
      const Correspondence in_a = correspond(layouts.b.row_cut(), seat.l * g.pm + s, layouts.a.column_cut());
      const auto& of_a = in_b.among[static_cast<std::size_t>(seat.l * g.pm + s)];
      const auto& of_b = in_a.among[static_cast<std::size_t>(seat.l * g.pn + t)];
      const Index k = std::ssize(of_a);
      if (k == 0) continue;
      Csr<T> piece_a, piece_b;
      {
        const comm::Phase phase(exchange.comm().traffic(), "gather A");
        if (t == seat.j) piece_a = extract_columns(a, std::span<const Index>(wide(of_a)));
        piece_a = step.spread(t, seat.j, row.ranks, piece_a, row.rows, k);
      }
      {
        const comm::Phase phase(exchange.comm().traffic(), "gather B");
        if (s == seat.i) piece_b = extract_rows(b, std::span<const Index>(wide(of_b)));
        piece_b = step.spread(s, seat.i, column.ranks, piece_b, k, column.columns);
      }
      add_stage(stages, piece_a, piece_b, kernel, mask, watch);
    }
  }
  return merge_stages(std::move(stages), row.rows, column.columns, kernel);
}

#define CAIRN_STAGED(T)                                                                                      \
  template Csr<T> multiply_ring<T>(EntryExchange<T>&, const BrickLayouts&, const BrickSeat&, const Csr<T>&,  \
                                   const Csr<T>&, Content, const LocalKernel<T>&, const Mask*, StageWatch&); \
  template Csr<T> multiply_steps<T>(EntryExchange<T>&, const BrickLayouts&, const BrickSeat&, const Csr<T>&, \
                                    const Csr<T>&, Content, const LocalKernel<T>&, const Mask*,              \
                                    StageWatch&);
CAIRN_FOR_EACH_SCALAR(CAIRN_STAGED)
#undef CAIRN_STAGED

}  // namespace cairn::sparse
