#include "layout/exchange/redistribute.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "comm/agreement.hpp"

namespace cairn::layout {
namespace {

template <Scalar T>
void check(const MoveData<T>& m, int rank) {
  check_memory(m.a, rank, "A");
  check_memory(m.b, rank, "B");
  require(!share_memory(m.a, m.b, rank), "A and B share memory on rank {}", rank);
}

void check(const RedistributeOptions& o) {
  require(o.piece_bytes >= 1, "bytes of a piece is {}, expected 1 or more", o.piece_bytes);
  require(o.pieces_under_way >= 1, "pieces under way is {}, expected 1 or more", o.pieces_under_way);
  require(o.threads >= 1, "threads is {}, expected 1 or more", o.threads);
}

// The bits of a scalar, to be compared between ranks.
template <Scalar T>
Index bits(const T& value) {
  std::array<Index, 2> words{};
  static_assert(sizeof(T) <= sizeof(words));
  std::memcpy(words.data(), &value, sizeof(T));
  return comm::fingerprint(words);
}

}  // namespace

template <Scalar T>
void scale(const MatrixView<T>& b, T beta, int rank) {
  if (beta == T(1)) return;
  for (const Cell& cell : b.cells(rank)) {
    const CellMemory<T> m = memory_of(b.data, cell, b.layout.order());
    const bool by_columns = b.layout.order() == Order::column_major;
    const Index along = by_columns ? cell.rows : cell.columns, across = by_columns ? cell.columns : cell.rows;
    for (Index v = 0; v < across; ++v)
      for (Index u = 0; u < along; ++u) {
        T& x = m.data[u * m.along + v * m.across];
        x = beta == T(0) ? T(0) : beta * x;
      }
  }
}

template <Scalar T>
void run(const ExchangePlan& plan, comm::CommView comm, std::span<const MoveData<T>> moves,
         const RedistributeOptions& options) {
  const comm::Phase phase(comm.traffic(), "redistribute");
  RunningExchange<T>(plan, comm, moves, options).finish();
}

namespace {

// Of several moves each has its number.
template <Scalar T>
std::string numbered(std::string_view name, std::span<const MoveData<T>> moves, std::size_t i) {
  return moves.size() == 1 ? std::string(name) : fmt::format("{} of move {}", name, i);
}

template <Scalar T>
std::vector<comm::Argument> shapes_of(std::span<const MoveData<T>> moves) {
  std::vector<comm::Argument> all;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    all.push_back({numbered("layout of A", moves, i), moves[i].a.layout.text()});
    all.push_back({numbered("layout of B", moves, i), moves[i].b.layout.text()});
    all.push_back({numbered("op", moves, i), comm::op_text(moves[i].op)});
  }
  return all;
}

template <Scalar T>
std::vector<comm::Argument> scalars_of(std::span<const MoveData<T>> moves) {
  std::vector<comm::Argument> all;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    all.push_back({numbered("alpha", moves, i), comm::scalar_text(moves[i].alpha)});
    all.push_back({numbered("beta", moves, i), comm::scalar_text(moves[i].beta)});
  }
  return all;
}

}  // namespace

template <Scalar T>
void redistribute(comm::CommView comm, std::span<const MoveData<T>> moves,
                  const RedistributeOptions& options) {
  std::vector<Index> shapes;
  std::vector<Index> scalars;
  for (const MoveData<T>& m : moves) {
    shapes.insert(shapes.end(),
                  {m.a.layout.fingerprint(), m.b.layout.fingerprint(), static_cast<Index>(m.op)});
    scalars.insert(scalars.end(), {bits(m.alpha), bits(m.beta)});
  }
  std::vector<Move> wanted;
  for (const MoveData<T>& m : moves)
    if (m.alpha != T(0)) wanted.push_back({m.a.layout, m.b.layout, m.op});
  const bool sums =
      moves.size() > 1 && std::ranges::any_of(moves, [](const auto& m) { return m.beta != T(0); });
  const PassOn pass_on = sums ? PassOn::never : PassOn::allowed;
  std::optional<ExchangePlan> plan;
  comm::agree(comm, "redistribute",
              [&] {
                check(options);
                for (const MoveData<T>& m : moves) check(m, comm.rank());
                for (const MoveData<T>& m : moves) check_move(m.a.layout, m.b.layout, m.op, comm.size());
                plan.emplace(std::move(wanted), comm.rank(), comm.size(), pass_on);
              },
              {{"number of moves", static_cast<Index>(moves.size())},
               {"rows of A", moves.empty() ? 0 : moves.front().a.layout.rows()},
               {"columns of A", moves.empty() ? 0 : moves.front().a.layout.columns()},
               {"layouts and ops", comm::fingerprint(shapes), [&] { return shapes_of(moves); }},
               {"alpha and beta", comm::fingerprint(scalars), [&] { return scalars_of(moves); }},
               {"bytes of a piece", options.piece_bytes}});
  std::vector<MoveData<T>> moving;
  for (const MoveData<T>& m : moves)
    if (m.alpha != T(0))
      moving.push_back(m);
    else
      scale(m.b, m.beta, comm.rank());
  run<T>(*plan, comm, moving, options);
}

template <Scalar T>
void redistribute(comm::CommView comm, T alpha, Op op, const MatrixView<const T>& a, T beta,
                  const MatrixView<T>& b, const RedistributeOptions& options) {
  const MoveData<T> move{alpha, op, a, beta, b};
  redistribute<T>(comm, std::span(&move, 1), options);
}

comm::Counters count(const ExchangePlan& plan, Index element_bytes, const RedistributeOptions& options) {
  return plan.count(options.piece_words(element_bytes), element_bytes);
}

#define CAIRN_INSTANTIATE(T)                                                                             \
  template void scale(const MatrixView<T>&, T, int);                                                     \
  template void run(const ExchangePlan&, comm::CommView, std::span<const MoveData<T>>,                   \
                    const RedistributeOptions&);                                                         \
  template void redistribute(comm::CommView, std::span<const MoveData<T>>, const RedistributeOptions&);  \
  template void redistribute(comm::CommView, T, Op, const MatrixView<const T>&, T, const MatrixView<T>&, \
                             const RedistributeOptions&);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::layout
