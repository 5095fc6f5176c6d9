// The memory side of an exchange: what is packed, unpacked and copied, and what can be sent or received where
// it lies.
#pragma once

#include <span>
#include <vector>

#include "base/workers.hpp"
#include "layout/exchange/exchange_plan.hpp"
#include "layout/exchange/strided_update.hpp"
#include "layout/matrix_view.hpp"

namespace cairn::layout {

// B := alpha op(A) + beta B, one of several moves that share an exchange.
template <Scalar T>
struct MoveData {
  T alpha = T(1);
  Op op = Op::none;
  MatrixView<const T> a;
  T beta = T(0);
  MatrixView<T> b;
};

// What is sent at once, and the message it belongs to.
struct Parcel {
  const Message* message;
  MessagePiece piece;
};

// The memory of a cell, along a line of the exchange (u) and across the lines (v).
template <class T>
struct CellMemory {
  T* data;
  Index along;
  Index across;
};

template <class T>
CellMemory<T> memory_of(T* data, const Cell& cell, Order order) {
  const bool by_columns = order == Order::column_major;
  return {data + cell.offset, by_columns ? cell.row_stride : cell.column_stride,
          by_columns ? cell.column_stride : cell.row_stride};
}

template <Scalar T>
class Packing {
 public:
  // The plan must outlive this.
  Packing(const ExchangePlan& plan, std::span<const MoveData<T>> moves, int threads);

  // Whether several moves are added up in one place: their order decides the bits.
  bool adds_up() const;
  // Where the words lie one after the other, or are to lie: null if they must be packed, or unpacked.
  const T* where_sent(const Parcel& parcel) const;
  T* where_received(const Parcel& parcel) const;

  void pack(const Parcel& parcel, T* buffer) const;
  void unpack(const Parcel& parcel, const T* buffer) const;
  void move_here(const CommonBox& box) const;

 private:
  struct Sides {
    std::vector<CellMemory<const T>> from;
    std::vector<CellMemory<T>> to;
    Update<T> update;
  };

  const Sides& sides(const CommonBox& box) const { return sides_[static_cast<std::size_t>(box.move)]; }
  const CellMemory<const T>& from(const CommonBox& box) const {
    return sides(box).from[static_cast<std::size_t>(box.from_cell)];
  }
  const CellMemory<T>& to(const CommonBox& box) const {
    return sides(box).to[static_cast<std::size_t>(box.to_cell)];
  }
  template <class U>
  U* contiguous(const Parcel& parcel, const CellMemory<U>& memory, Index Stretch::*position,
                Index Stretch::*step) const;
  template <class F>
  void for_line_ranges(Index first, Index end, Index line_words, const F& f) const;

  const ExchangePlan& plan_;
  mutable Workers workers_;
  std::vector<Sides> sides_;
};

}  // namespace cairn::layout
