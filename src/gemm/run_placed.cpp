// Runs a Placed multiply: fills the faces, multiplies, sums into the user's C, round by round. With lookahead
// the next round's faces are filled, and the last round's C is summed, while this round multiplies.
#include <algorithm>

#include "gemm/placed_faces.hpp"
#include "gemm/trace.hpp"
#include "program/local_product.hpp"

namespace cairn::gemm {

using program::LocalProduct;
using program::multiply_beside;

using layout::Layout;
using layout::Order;

namespace {

template <Scalar T>
class PlacedRun {
 public:
  PlacedRun(const Placed& p, comm::CommView comm, T alpha, const layout::MatrixView<const T>& a,
            const layout::MatrixView<const T>& b, T beta, const layout::MatrixView<T>& c, Trace* trace)
      : p_(p),
        comm_(comm),
        alpha_(alpha),
        beta_(beta),
        a_(a),
        b_(b),
        c_(c),
        layer_(layer_of(p, comm.rank())),
        trace_(trace) {
    for (const Matrix x : all_matrices) {
      stays_[index(x)] = stays(p, x);
      slot_[index(x)] = face_elements(p, x, comm.rank());
      faces_[index(x)] = comm.pool().lease(face_bytes(p, x, comm.rank()));
    }
  }

  // One gather and one combine are under way at most. A face that a round writes, the round before the last
  // used: its combine is over when the last round's starts.
  void run() {
    start_gather(0);
    for (Index r = 0; r < p_.rounds.count; ++r) {
      wait_for(gather_, r);
      if (p_.lookahead > 0) start_gather(r + 1);
      if (layer_) multiply(r);
      wait_for(combine_, r);
      start_combine(r);
      if (p_.lookahead > 0) continue;
      wait_for(combine_, r);
      start_gather(r + 1);
    }
    wait_for(combine_, p_.rounds.count - 1);
  }

 private:
  // The users' matrices in a round: the same memory, a part of the layout.
  template <class U>
  layout::MatrixView<U> part(const layout::MatrixView<U>& whole, Matrix x, Index r) const {
    return {part_of_round(p_, x, r), whole.data, whole.elements, leading_dimension(whole)};
  }
  // A part of a matrix keeps the leading dimension of the whole.
  template <class U>
  Index leading_dimension(const layout::MatrixView<U>& whole) const {
    return whole.leading_dimension > 0 ? whole.leading_dimension
                                       : whole.layout.least_leading_dimension(comm_.rank());
  }
  layout::MatrixView<T> face(Matrix x, Index r, int layer) const {
    return {faces_of_round(p_, x, r, layer), face_memory(x, r), slot_[index(x)], 0};
  }
  T* face_memory(Matrix x, Index r) const {
    const Index slot = has_rounds(p_, x) ? r % face_slots(p_, x) : 0;
    return faces_[index(x)].template as<T>().data() + slot * slot_[index(x)];
  }

  // An exchange, if one is under way.
  struct Exchanging {
    Activity activity;
    int channel;
    std::size_t event = 0;  // of the trace
    std::optional<layout::ExchangePlan> plan = {};
    std::optional<layout::Exchange<T>> exchange = {};
  };

  void start_gather(Index r) {
    if (r == p_.rounds.count) return;
    std::vector<layout::Move> moves = gathers_of_round(p_, r);
    if (moves.empty()) return;
    std::vector<layout::MoveData<T>> data;
    for (const Matrix x : gathered_in_round(p_, r))
      data.push_back({T(1), Op::none, part(x == Matrix::a ? a_ : b_, x, r), T(0), face(x, r, 0)});
    start(gather_, r, std::move(moves), data);
  }

  // beta C, then the sum over the layers in their order: the same bits each time.
  void start_combine(Index r) {
    std::vector<layout::Move> moves = combines_of_round(p_, r);
    if (moves.empty()) return;
    const layout::MatrixView<T> c = part(c_, Matrix::c, r);
    const bool several = moves.size() > 1;
    if (several) layout::scale(c, beta_, comm_.rank());
    std::vector<layout::MoveData<T>> data;
    for (int layer = 0; layer < p_.grid().pk; ++layer)
      data.push_back({T(1), Op::none, face(Matrix::c, r, layer), several ? T(1) : beta_, c});
    start(combine_, r, std::move(moves), data);
  }

  void start(Exchanging& x, Index r, std::vector<layout::Move> moves,
             const std::vector<layout::MoveData<T>>& data) {
    const CoreScope scope(trace_, Activity::start, r, x.activity);
    x.plan.emplace(std::move(moves), comm_.rank(), comm_.size());
    if (trace_ != nullptr)
      x.event = trace_->begin(x.activity, r, layout::count(*x.plan, sizeof(T), p_.exchange));
    x.exchange.emplace(*x.plan, comm_, data, p_.exchange, x.channel);
    advance(x);
  }
  void advance(Exchanging& x) {
    if (!x.exchange) return;
    const comm::Phase phase(comm_.traffic(), name(x.activity));
    if (!x.exchange->advance()) return;
    x.exchange.reset();
    if (trace_ != nullptr) trace_->end(x.event);
  }
  void advance_all() {
    advance(gather_);
    advance(combine_);
  }
  // The others too: some rank may wait for them.
  void wait_for(const Exchanging& x, Index r) {
    if (!x.exchange) return;
    const CoreScope scope(trace_, Activity::wait, r, x.activity);
    comm_.wait_until([&] {
      advance_all();
      return !x.exchange;
    });
  }

  // A face, or the cell of the user's matrix that is one: as BLAS sees it.
  template <class U>
  struct Operand {
    U* data = nullptr;
    Index rows = 0, columns = 0;  // of the stored matrix
    Index ld = 1;
    Op op = Op::none;
  };
  template <class U>
  Operand<U> operand(const layout::MatrixView<U>& user, Matrix x, Index r) const {
    const int rank = comm_.rank();
    const Layout faces = faces_of_round(p_, x, r, *layer_);
    const std::vector<layout::Cell> cells =
        stays_[index(x)] ? part(user, x, r).cells(rank) : faces.cells_of(rank);
    Operand<U> o{stays_[index(x)] ? user.data : face_memory(x, r),
                 faces.row_map().count(faces.row_part_of(rank)),
                 faces.column_map().count(faces.column_part_of(rank)), 1, told_to_blas(x, faces.order())};
    const bool by_columns = faces.order() == Order::column_major;
    o.ld = std::max<Index>(1, by_columns ? o.rows : o.columns);
    if (cells.empty()) return o;
    o.data += cells.front().offset;
    o.ld = by_columns ? cells.front().column_stride : cells.front().row_stride;
    return o;
  }

  Op told_to_blas(Matrix x, Order memory) const {
    const Op op = op_of(p_, x);
    if (is_flipped(memory, p_.of(Matrix::c).order())) return op == Op::none ? Op::transpose : Op::none;
    return op == Op::none || conjugates(p_, x) ? op : Op::transpose;
  }

  void multiply(Index r) {
    const auto a = operand<const T>(a_, Matrix::a, r);
    const auto b = operand<const T>(b_, Matrix::b, r);
    const auto c = operand<T>(c_, Matrix::c, r);
    const Index k = p_.problem.op_a == Op::none ? a.columns : a.rows;
    if (c.rows == 0 || c.columns == 0) return;
    const CoreScope scope(trace_, Activity::multiply, r);
    const bool first = r == 0 || has_rounds(p_, Matrix::c);
    const T factor = !first ? T(1) : stays_[index(Matrix::c)] ? beta_ : T(0);
    if (p_.of(Matrix::c).order() == Order::column_major)
      multiply(LocalProduct<T>{a.op, b.op, c.rows, c.columns, k, alpha_, a.data, a.ld, b.data, b.ld, factor,
                               c.data, c.ld});
    else  // C transposed = op(B) transposed times op(A) transposed
      multiply(LocalProduct<T>{b.op, a.op, c.columns, c.rows, k, alpha_, b.data, b.ld, a.data, a.ld, factor,
                               c.data, c.ld});
  }
  void multiply(const LocalProduct<T>& product) {
    if (!gather_.exchange && !combine_.exchange) return program::multiply(product);
    multiply_beside(product, thread_, [this] {
      const bool happened = comm_.progress();
      advance_all();
      return happened;
    });
  }

  const Placed& p_;
  comm::CommView comm_;
  T alpha_, beta_;
  const layout::MatrixView<const T>&a_, &b_;
  const layout::MatrixView<T>& c_;
  std::optional<int> layer_;
  std::array<bool, 3> stays_{};
  std::array<Index, 3> slot_{};  // elements of one face
  std::array<Pool::Lease, 3> faces_;
  Exchanging gather_{Activity::gather, 0}, combine_{Activity::combine_c, 1};
  Trace* trace_;
  comm::ProgressThread thread_;  // last: nothing that it touches goes before it
};

}  // namespace

template <Scalar T>
void multiply(const Placed& p, comm::CommView comm, T alpha, const layout::MatrixView<const T>& a,
              const layout::MatrixView<const T>& b, T beta, const layout::MatrixView<T>& c, Trace* trace) {
  if (p.problem.empty()) return;
  if (p.problem.k == 0 || alpha == T(0)) return layout::scale(c, beta, comm.rank());
  PlacedRun<T>(p, comm.unchecked(), alpha, a, b, beta, c, trace).run();
}

#define CAIRN_INSTANTIATE(T)                                                                   \
  template void multiply(const Placed&, comm::CommView, T, const layout::MatrixView<const T>&, \
                         const layout::MatrixView<const T>&, T, const layout::MatrixView<T>&, Trace*);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::gemm
