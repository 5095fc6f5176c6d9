// An array of trivial elements that grows without being copied where the system can remap it, and whose new
// elements are uninitialised: a product of millions of entries is written once, not zeroed first.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <utility>

#include "base/size.hpp"

namespace cairn::sparse {

// `bytes` of memory with what was in `old` (old_bytes or as much of it as fits); large blocks ask for huge
// pages. Throws MemoryError and leaves `old` as it was. bytes == 0 frees and returns nullptr.
void* resize_memory(void* old, Index bytes);

template <class T>
class Array {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  using value_type = T;

  Array() = default;
  explicit Array(Index size) { resize(size); }  // uninitialised
  Array(Index size, T value) { assign(size, value); }
  Array(std::initializer_list<T> values) : Array(values.begin(), values.end()) {}
  template <class Iterator>
  requires(!std::is_integral_v<Iterator>) Array(Iterator first, Iterator last) {
    resize(static_cast<Index>(std::distance(first, last)));
    std::copy(first, last, data_);
  }
  Array(const Array& other) : Array(other.begin(), other.end()) {}
  Array(Array&& other) noexcept { swap(other); }
  Array& operator=(Array other) noexcept {
    swap(other);
    return *this;
  }
  ~Array() { resize_memory(data_, 0); }

  T* data() noexcept { return data_; }
  const T* data() const noexcept { return data_; }
  Index size() const noexcept { return size_; }
  Index capacity() const noexcept { return capacity_; }
  bool empty() const noexcept { return size_ == 0; }
  T& operator[](Index i) noexcept { return data_[i]; }
  const T& operator[](Index i) const noexcept { return data_[i]; }
  T* begin() noexcept { return data_; }
  T* end() noexcept { return data_ + size_; }
  const T* begin() const noexcept { return data_; }
  const T* end() const noexcept { return data_ + size_; }
  T& back() noexcept { return data_[size_ - 1]; }
  const T& back() const noexcept { return data_[size_ - 1]; }
  std::span<T> span() noexcept { return {data_, static_cast<std::size_t>(size_)}; }
  std::span<const T> span() const noexcept { return {data_, static_cast<std::size_t>(size_)}; }

  // Elements beyond the old size are uninitialised.
  void resize(Index size) {
    reserve(size);
    size_ = size;
  }
  // Exactly this capacity if the present one is smaller.
  void reserve(Index capacity) {
    if (capacity > capacity_) set_capacity(capacity);
  }
  // Gives back what lies beyond the size.
  void trim() {
    if (capacity_ > size_) set_capacity(size_);
  }
  void assign(Index size, T value) {
    resize(size);
    std::fill(begin(), end(), value);
  }
  void push_back(T value) {
    if (size_ == capacity_) set_capacity(std::max<Index>(16, 2 * capacity_));
    data_[size_++] = value;
  }
  void append(std::span<const T> more) {
    const Index old = size_, size = old + static_cast<Index>(more.size());
    if (size > capacity_) set_capacity(std::max(size, 2 * capacity_));
    size_ = size;
    std::copy(more.begin(), more.end(), data_ + old);
  }
  void clear() noexcept { size_ = 0; }
  void swap(Array& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  friend bool operator==(const Array& a, const Array& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  void set_capacity(Index capacity) {
    require_not_negative(capacity, "size of an array");
    const Index bytes = checked_mul(capacity, static_cast<Index>(sizeof(T)), "bytes of an array");
    data_ = static_cast<T*>(resize_memory(data_, bytes));
    capacity_ = capacity;
  }

  T* data_ = nullptr;
  Index size_ = 0;
  Index capacity_ = 0;
};

}  // namespace cairn::sparse
