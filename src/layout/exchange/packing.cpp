#include "layout/exchange/packing.hpp"

#include <algorithm>

namespace cairn::layout {
namespace {

// The part of a stretch that has lines first .. end-1, if the stretch starts at line `start`.
Stretch clip(const Stretch& s, Index start, Index first, Index end) {
  const Index skip = std::max<Index>(0, first - start);
  const Index count = std::min(s.count, end - start) - skip;
  return {s.from + skip * s.from_step, s.to + skip * s.to_step, s.from_step, s.to_step,
          std::max<Index>(0, count)};
}

// Calls f(along, across, position): blocks of `first .. end-1` lines as a stretch within the lines, one
// across them, and where the block's first element is in a buffer that has the lines one after the other.
template <class F>
void for_each_block(const Stretches& along, const Stretches& across, Index first, Index end, const F& f) {
  Index line = 0;
  for (const Stretch& over : across.all()) {
    const Stretch v = clip(over, line, first, end);
    if (v.count > 0) {
      Index position = (std::max(line, first) - first) * along.count();
      for (const Stretch& u : along.all()) {
        f(u, v, position);
        position += u.count;
      }
    }
    line += over.count;
    if (line >= end) break;
  }
}

template <class F>
void for_each_segment(const Parcel& parcel, const F& f) {
  Index at = 0;
  for (const Segment& s : parcel.piece.segments) {
    f(parcel.message->boxes[static_cast<std::size_t>(s.box)], s, at);
    at += s.words;
  }
}

template <Scalar T>
Strided<const T> source(const CellMemory<const T>& c, const Stretch& u, const Stretch& v) {
  return {c.data + u.from * c.along + v.from * c.across, u.from_step * c.along, v.from_step * c.across};
}
template <Scalar T>
Strided<T> target(const CellMemory<T>& c, const Stretch& u, const Stretch& v) {
  return {c.data + u.to * c.along + v.to * c.across, u.to_step * c.along, v.to_step * c.across};
}

const CommonBox& first_box(const Parcel& parcel) {
  return parcel.message->boxes[static_cast<std::size_t>(parcel.piece.segments.front().box)];
}

}  // namespace

template <Scalar T>
Packing<T>::Packing(const ExchangePlan& plan, std::span<const MoveData<T>> moves, int threads)
    : plan_(plan), workers_(threads) {
  constexpr Index larger_than_caches = Index{1} << 23;
  for (const MoveData<T>& m : moves) {
    Sides s;
    // The memory of op(A) is that of A with rows and columns swapped.
    const Layout from = as_operand(m.a.layout, m.op);
    for (const Cell& c : from.cells_of(plan.rank(), m.a.leading_dimension))
      s.from.push_back(memory_of(m.a.data, c, m.b.layout.order()));
    for (const Cell& c : m.b.cells(plan.rank())) s.to.push_back(memory_of(m.b.data, c, m.b.layout.order()));
    s.update = {m.alpha, m.beta, m.op == Op::adjoint && ScalarTraits<T>::is_complex,
                m.b.layout.elements(plan.rank()) * static_cast<Index>(sizeof(T)) > larger_than_caches};
    sides_.push_back(std::move(s));
  }
}

template <Scalar T>
bool Packing<T>::adds_up() const {
  return sides_.size() > 1 &&
         std::ranges::any_of(sides_, [](const Sides& s) { return s.update.beta != T(0); });
}

template <Scalar T>
const T* Packing<T>::where_sent(const Parcel& parcel) const {
  return contiguous(parcel, from(first_box(parcel)), &Stretch::from, &Stretch::from_step);
}

template <Scalar T>
T* Packing<T>::where_received(const Parcel& parcel) const {
  const CommonBox& box = first_box(parcel);
  return sides(box).update.is_copy() ? contiguous(parcel, to(box), &Stretch::to, &Stretch::to_step) : nullptr;
}

// `position` picks the side of the stretches.
template <Scalar T>
template <class U>
U* Packing<T>::contiguous(const Parcel& parcel, const CellMemory<U>& memory, Index Stretch::*position,
                          Index Stretch::*step) const {
  if (parcel.piece.segments.size() != 1) return nullptr;
  const Segment& s = parcel.piece.segments.front();
  const CommonBox& box = parcel.message->boxes[static_cast<std::size_t>(s.box)];
  const auto& along = plan_.stretches(box.along).all();
  if (along.size() != 1 || memory.along * (along[0].count > 1 ? along[0].*step : 1) != 1) return nullptr;
  U* start = nullptr;
  Index line = 0;
  for (const Stretch& over : plan_.stretches(box.across).all()) {
    const Stretch v = clip(over, line, s.first, s.end);
    line += over.count;
    if (v.count == 0) continue;
    if (start != nullptr) return nullptr;  // more than one stretch
    if (v.count > 1 && v.*step * memory.across != along[0].count) return nullptr;
    start = memory.data + along[0].*position + v.*position * memory.across;
  }
  return start;
}

// f(first, end) for lines first .. end-1, shared out among the threads where there is enough to do.
template <Scalar T>
template <class F>
void Packing<T>::for_line_ranges(Index first, Index end, Index line_words, const F& f) const {
  constexpr Index worth_sharing = 1 << 14;  // words a thread
  const Index shares =
      std::min<Index>({workers_.threads(), end - first, (end - first) * line_words / worth_sharing});
  if (shares < 2) return f(first, end);
  workers_.run([&](int i) {
    if (i < shares) f(first + (end - first) * i / shares, first + (end - first) * (i + 1) / shares);
  });
}

template <Scalar T>
void Packing<T>::pack(const Parcel& parcel, T* buffer) const {
  for_each_segment(parcel, [&](const CommonBox& box, const Segment& s, Index at) {
    const CellMemory<const T>& cell = from(box);
    const Stretches &along = plan_.stretches(box.along), &across = plan_.stretches(box.across);
    for_line_ranges(s.first, s.end, along.count(), [&](Index first, Index end) {
      T* lines = buffer + at + (first - s.first) * along.count();
      for_each_block(along, across, first, end, [&](const Stretch& u, const Stretch& v, Index position) {
        strided_update<T>(u.count, v.count, source(cell, u, v), {lines + position, 1, along.count()},
                          Update<T>{});
      });
    });
  });
}

template <Scalar T>
void Packing<T>::unpack(const Parcel& parcel, const T* buffer) const {
  for_each_segment(parcel, [&](const CommonBox& box, const Segment& s, Index at) {
    const CellMemory<T>& cell = to(box);
    const Stretches &along = plan_.stretches(box.along), &across = plan_.stretches(box.across);
    for_line_ranges(s.first, s.end, along.count(), [&](Index first, Index end) {
      const T* lines = buffer + at + (first - s.first) * along.count();
      for_each_block(along, across, first, end, [&](const Stretch& u, const Stretch& v, Index position) {
        strided_update<T>(u.count, v.count, {lines + position, 1, along.count()}, target(cell, u, v),
                          sides(box).update);
      });
    });
  });
}

template <Scalar T>
void Packing<T>::move_here(const CommonBox& box) const {
  const CellMemory<const T>& a = from(box);
  const CellMemory<T>& b = to(box);
  const Stretches &along = plan_.stretches(box.along), &across = plan_.stretches(box.across);
  for_line_ranges(0, across.count(), along.count(), [&](Index first, Index end) {
    for_each_block(along, across, first, end, [&](const Stretch& u, const Stretch& v, Index) {
      strided_update<T>(u.count, v.count, source(a, u, v), target(b, u, v), sides(box).update);
    });
  });
}

template class Packing<float>;
template class Packing<double>;
template class Packing<std::complex<float>>;
template class Packing<std::complex<double>>;

}  // namespace cairn::layout
