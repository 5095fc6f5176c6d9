// A pointer that several handles share. It has no move of its own: a moved-from handle keeps its value and
// can be used like any other copy.
#pragma once

#include <memory>
#include <utility>

namespace cairn::detail {

template <class T>
class Shared {
 public:
  Shared() = default;
  Shared(std::shared_ptr<T> pointer) : pointer_(std::move(pointer)) {}  // NOLINT: a handle is one
  Shared(const Shared&) = default;
  Shared& operator=(const Shared&) = default;
  ~Shared() = default;

  T& operator*() const { return *pointer_; }
  T* operator->() const { return pointer_.get(); }
  friend bool operator==(const Shared&, const Shared&) = default;

 private:
  std::shared_ptr<T> pointer_;
};

}  // namespace cairn::detail
