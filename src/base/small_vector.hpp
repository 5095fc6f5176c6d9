// A vector of trivial objects that keeps its first N inside itself: most collectives are a round or two of a
// few messages, and a small one is over in the time of three allocations.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace cairn {

template <class T, std::size_t N>
class SmallVector {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  using value_type = T;

  SmallVector() noexcept {}
  SmallVector(const SmallVector& other) { append(other); }
  SmallVector(SmallVector&& other) noexcept { take(std::move(other)); }
  SmallVector& operator=(const SmallVector& other) {
    if (this == &other) return *this;
    clear();
    append(other);
    return *this;
  }
  SmallVector& operator=(SmallVector&& other) noexcept {
    if (this != &other) take(std::move(other));
    return *this;
  }
  ~SmallVector() = default;

  T* data() noexcept { return heap_ ? heap_.get() : inside(); }
  const T* data() const noexcept { return const_cast<SmallVector*>(this)->data(); }
  std::size_t size() const noexcept { return size_; }
  std::size_t capacity() const noexcept { return capacity_; }
  bool empty() const noexcept { return size_ == 0; }
  T* begin() noexcept { return data(); }
  T* end() noexcept { return data() + size_; }
  const T* begin() const noexcept { return data(); }
  const T* end() const noexcept { return data() + size_; }
  T& operator[](std::size_t i) noexcept { return data()[i]; }
  const T& operator[](std::size_t i) const noexcept { return data()[i]; }

  void push_back(const T& value) {
    const T copy = value;  // it may lie in here
    reserve(size_ + 1);
    std::construct_at(data() + size_++, copy);
  }
  void append(std::span<const T> values) { insert(size_, values); }
  // `values` must not lie in here.
  void insert(std::size_t at, std::span<const T> values) {
    reserve(size_ + values.size());
    std::copy_backward(begin() + at, end(), end() + values.size());
    std::copy(values.begin(), values.end(), begin() + at);
    size_ += values.size();
  }
  void assign(std::size_t count, const T& value) {
    reserve(count);
    size_ = count;
    std::fill_n(data(), count, value);
  }
  void resize(std::size_t count) {
    reserve(count);
    if (count > size_) std::fill(end(), begin() + count, T{});
    size_ = count;
  }
  void clear() noexcept { size_ = 0; }

 private:
  T* inside() noexcept { return reinterpret_cast<T*>(inside_); }

  void reserve(std::size_t wanted) {
    if (wanted <= capacity_) return;
    const std::size_t capacity = std::max(wanted, 2 * capacity_);
    auto grown = std::make_unique_for_overwrite<T[]>(capacity);
    std::copy(begin(), end(), grown.get());
    heap_ = std::move(grown);
    capacity_ = capacity;
  }

  // Leaves `other` empty.
  void take(SmallVector&& other) noexcept {
    size_ = std::exchange(other.size_, 0);
    capacity_ = std::exchange(other.capacity_, N);
    heap_ = std::move(other.heap_);
    if (!heap_) std::copy_n(other.inside(), size_, inside());
  }

  alignas(T) std::byte inside_[N * sizeof(T)];
  std::unique_ptr<T[]> heap_;
  std::size_t size_ = 0;
  std::size_t capacity_ = N;
};

}  // namespace cairn
