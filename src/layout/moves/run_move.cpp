#include "layout/moves/run_move.hpp"

#include "comm/agreement.hpp"
#include "comm/collectives.hpp"

namespace cairn::layout {
namespace {

using comm::ReduceOp;

// A cell of this rank; null where it has none.
template <class T>
struct CellMemory {
  T* data = nullptr;
  Index row_stride = 1;
  Index column_stride = 1;

  CellMemory(const MatrixView<T>& view, int rank) {
    for (const Cell& c : view.cells(rank)) {
      data = view.data + c.offset;
      row_stride = c.row_stride;
      column_stride = c.column_stride;
    }
  }
  Strided<T> at(Index row, Index column, Index row_step, Index column_step) const {
    return {data + row * row_stride + column * column_stride, row_step * row_stride,
            column_step * column_stride};
  }
};

// f(rows, columns, position): blocks of a Common, and where they start in a buffer that holds it without
// gaps.
template <class F>
void for_each_block(const Common& common, const F& f) {
  Index column = 0;
  for (const Stretch& v : common.columns.all()) {
    Index row = 0;
    for (const Stretch& u : common.rows.all()) {
      f(u, v, row + column * common.rows.count());
      row += u.count;
    }
    column += v.count;
  }
}

// One progression of positions on one side of a stretch.
struct Line {
  Index first, step, count;
};
Line from_side(const Stretch& s) { return {s.from, s.from_step, s.count}; }
Line to_side(const Stretch& s) { return {s.to, s.to_step, s.count}; }

template <Scalar T>
class Mover {
 public:
  Mover(const MovePlan& plan, const comm::ProcessGrid& grid, const MatrixView<const T>& from,
        const MatrixView<T>& to, const Update<T>& update)
      : plan_(plan),
        fibre_((plan.move().along < 0 ? grid.all() : grid.fibre(plan.move().along)).unchecked()),
        from_(from, plan.rank()),
        to_(to, plan.rank()),
        update_(update) {}

  void run() {
    switch (plan_.collective()) {
      case MoveKind::local:
        return copy(mine(plan_.outgoing()));
      case MoveKind::permutation:
        return permute();
      case MoveKind::allgather:
        return allgather();
      case MoveKind::all_to_all:
        return all_to_all();
      case MoveKind::reduce_scatter:
        return reduce_scatter();
      case MoveKind::allreduce:
        return allreduce();
      case MoveKind::scatter:
        return scatter();
      case MoveKind::gather:
        return gather();
      case MoveKind::broadcast:
        return broadcast();
      case MoveKind::reduce:
        return reduce();
    }
  }

 private:
  // ---- the collectives ---------------------------------------------------------------------------------
  void permute() {
    const Common &out = plan_.outgoing().front(), &in = plan_.incoming().front();
    if (plan_.sends_to() == plan_.rank()) return copy(out);
    const std::span<T> landing = place_for(in);
    const std::span<const T> data = packed(out);
    comm::Ongoing receiving, sending;  // done, unless there is something to move
    if (!landing.empty()) receiving = comm::start_receive(fibre_, landing, plan_.receives_from(), tag);
    if (!data.empty()) sending = comm::start_send(fibre_, data, plan_.sends_to(), tag);
    sending.wait();
    receiving.wait();
    settle(in, landing);
  }
  void allgather() {
    const std::span<T> all = room(total(plan_.incoming()));
    comm::allgatherv<T>(fibre_, packed(mine(plan_.incoming())), all, counts(plan_.incoming()));
    unpack_all(plan_.incoming(), all);
  }
  void all_to_all() {
    const std::span<const T> out = packed_all(plan_.outgoing());
    const std::span<T> in = room(total(plan_.incoming()));
    comm::alltoallv<T>(fibre_, out, counts(plan_.outgoing()), in, counts(plan_.incoming()));
    unpack_all(plan_.incoming(), in);
  }
  void reduce_scatter() {
    const std::span<const T> all = packed_all(plan_.outgoing());
    const Common& part = mine(plan_.outgoing());
    const std::span<T> sum = place_for(part);
    comm::reduce_scatterv<T>(fibre_, all, sum, counts(plan_.outgoing()), ReduceOp::sum);
    settle(part, sum);
  }
  void allreduce() {
    const Common& part = mine(plan_.outgoing());
    const std::span<T> sum = place_for(part);
    comm::allreduce<T>(fibre_, packed(part), sum, ReduceOp::sum);
    settle(part, sum);
  }
  void scatter() {
    const std::span<const T> all = is_root() ? packed_all(plan_.outgoing()) : std::span<const T>();
    const Common& part = mine(plan_.outgoing());
    const std::span<T> landing = place_for(part);
    comm::scatterv<T>(fibre_, all, landing, counts(plan_.outgoing()), plan_.root());
    settle(part, landing);
  }
  void gather() {
    const std::span<T> all = is_root() ? room(total(plan_.incoming())) : std::span<T>();
    comm::gatherv<T>(fibre_, packed(mine(plan_.incoming())), all, counts(plan_.incoming()), plan_.root());
    if (is_root()) unpack_all(plan_.incoming(), all);
  }
  void broadcast() {
    const Common& part = mine(plan_.outgoing());
    const std::span<T> data = place_for(part);
    if (is_root()) pack(part, data.data());
    comm::broadcast<T>(fibre_, data, plan_.root());
    settle(part, data);
  }
  void reduce() {
    const Common& part = plan_.outgoing()[static_cast<std::size_t>(plan_.root())];
    const std::span<T> sum = is_root() ? place_for(part) : std::span<T>();
    comm::reduce<T>(fibre_, packed(part), sum, ReduceOp::sum, plan_.root());
    if (is_root()) settle(part, sum);
  }

  // ---- buffers -----------------------------------------------------------------------------------------
  bool is_root() const { return plan_.me() == plan_.root(); }
  const Common& mine(const std::vector<Common>& all) const {
    return all[static_cast<std::size_t>(plan_.me())];
  }
  static std::vector<Index> counts(const std::vector<Common>& all) {
    std::vector<Index> counts;
    for (const Common& c : all) counts.push_back(c.words());
    return counts;
  }
  static Index total(const std::vector<Common>& all) {
    Index sum = 0;
    for (const Common& c : all) sum += c.words();
    return sum;
  }
  std::span<T> room(Index words) {
    leases_.push_back(fibre_.pool().lease(words * static_cast<Index>(sizeof(T))));
    return leases_.back().template as<T>().first(static_cast<std::size_t>(words));
  }

  // Where a Common lies in a cell if it lies there without gaps, in the order in which it travels.
  template <class U, class Side>
  static U* in_one_piece(const Common& common, const CellMemory<U>& cell, const Side& side) {
    if (common.rows.all().size() != 1 || common.columns.all().size() != 1) return nullptr;
    const Line u = side(common.rows.all()[0]), v = side(common.columns.all()[0]);
    const bool down = u.count == 1 || u.step * cell.row_stride == 1;
    const bool across = v.count == 1 || v.step * cell.column_stride == u.count;
    return down && across ? cell.at(u.first, v.first, 1, 1).data : nullptr;
  }
  static std::span<T> span(T* data, Index words) { return {data, static_cast<std::size_t>(words)}; }

  // The elements of a Common in a row: where they are, or packed.
  std::span<const T> packed(const Common& common) {
    if (const T* there = in_one_piece(common, from_, from_side))
      return {there, static_cast<std::size_t>(common.words())};
    const std::span<T> buffer = room(common.words());
    pack(common, buffer.data());
    return buffer;
  }
  std::span<const T> packed_all(const std::vector<Common>& all) {
    const std::span<T> buffer = room(total(all));
    T* at = buffer.data();
    for (const Common& c : all) {
      pack(c, at);
      at += c.words();
    }
    return buffer;
  }
  // Memory for a Common to arrive in: its own place if nothing is left to do there. settle() puts it there
  // otherwise.
  std::span<T> place_for(const Common& common) {
    if (T* there = update_.is_copy() ? in_one_piece(common, to_, to_side) : nullptr)
      return span(there, common.words());
    return room(common.words());
  }
  void settle(const Common& common, std::span<const T> data) const {
    if (update_.is_copy() && in_one_piece(common, to_, to_side) == data.data()) return;
    unpack(common, data.data());
  }
  void unpack_all(const std::vector<Common>& all, std::span<const T> data) const {
    const T* at = data.data();
    for (const Common& c : all) {
      unpack(c, at);
      at += c.words();
    }
  }

  void pack(const Common& common, T* buffer) const {
    const Index ld = common.rows.count();
    for_each_block(common, [&](const Stretch& u, const Stretch& v, Index position) {
      strided_update<T>(u.count, v.count, from_.at(u.from, v.from, u.from_step, v.from_step),
                        {buffer + position, 1, ld}, Update<T>{});
    });
  }
  void unpack(const Common& common, const T* buffer) const {
    const Index ld = common.rows.count();
    for_each_block(common, [&](const Stretch& u, const Stretch& v, Index position) {
      strided_update<T>(u.count, v.count, {buffer + position, 1, ld},
                        to_.at(u.to, v.to, u.to_step, v.to_step), update_);
    });
  }
  void copy(const Common& common) const {
    for_each_block(common, [&](const Stretch& u, const Stretch& v, Index) {
      strided_update<T>(u.count, v.count, from_.at(u.from, v.from, u.from_step, v.from_step),
                        to_.at(u.to, v.to, u.to_step, v.to_step), update_);
    });
  }

  static constexpr int tag = 11;

  const MovePlan& plan_;
  comm::CommView fibre_;
  CellMemory<const T> from_;
  CellMemory<T> to_;
  Update<T> update_;
  std::vector<Pool::Lease> leases_;
};

}  // namespace

void check_on_grid(const comm::GridShape& shape, const Layout& layout, std::string_view name) {
  require(shape.dimensions() == 2, "the grid has {} dimensions, expected 2", shape.dimensions());
  const Mesh mesh({shape.extent(0), shape.extent(1)});
  require(layout.mesh() != nullptr && *layout.mesh() == mesh, "{} is {}, expected a layout on the mesh {}",
          name, layout.text(), mesh.text());
}

template <Scalar T>
void run(const MovePlan& plan, const comm::ProcessGrid& grid, const MatrixView<const T>& from,
         const MatrixView<T>& to, const Update<T>& update) {
  const comm::Phase phase(grid.all().traffic(), plan.move().name());
  Mover<T>(plan, grid, from, to, update).run();
}

template <Scalar T>
void run_move(const comm::ProcessGrid& grid, const NamedMove& move, const MatrixView<const T>& from,
              const MatrixView<T>& to, const Update<T>& update) {
  require(grid.member(), "{}: this rank is not in the grid", move.name());
  const int rank = grid.all().rank();
  std::optional<MovePlan> plan;
  comm::agree(grid.all(), "move",
              [&] {
                check_on_grid(grid.shape(), from.layout, "from");
                check_on_grid(grid.shape(), to.layout, "to");
                check_memory(from, rank, "from");
                check_memory(to, rank, "to");
                require(!share_memory(from, to, rank), "from and to share memory on rank {}", rank);
                plan.emplace(move, from.layout, to.layout, rank);
              },
              {{"collective", static_cast<Index>(move.collective)},
               {"mesh dimension", move.along},
               {"rows", from.layout.rows()},
               {"columns", from.layout.columns()},
               {"from", from.layout.fingerprint(),
                [&] {
                  return std::vector<comm::Argument>{{"layout of from", from.layout.text()}};
                }},
               {"to", to.layout.fingerprint(), [&] {
                  return std::vector<comm::Argument>{{"layout of to", to.layout.text()}};
                }}});
  run<T>(*plan, grid, from, to, update);
}

#define CAIRN_INSTANTIATE(T)                                                                     \
  template void run(const MovePlan&, const comm::ProcessGrid&, const MatrixView<const T>&,       \
                    const MatrixView<T>&, const Update<T>&);                                     \
  template void run_move(const comm::ProcessGrid&, const NamedMove&, const MatrixView<const T>&, \
                         const MatrixView<T>&, const Update<T>&);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::layout
