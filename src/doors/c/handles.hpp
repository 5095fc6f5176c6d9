// Handles of the C door. A handle is a number, counted up and never used twice, in the clothes of a pointer that
// nobody follows: whatever is freed, null or of another kind is found by looking it up.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>

#include "cairn/cairn.hpp"
#include "doors/c/errors.hpp"

namespace cairn::c_door {

// One of four, by the scalar type.
template <template <class> class V>
using OfAnyType = std::variant<V<float>, V<double>, V<std::complex<float>>, V<std::complex<double>>>;

struct LuObject {
  Context context;
  OfAnyType<LuFactors> factors;
};
struct CholeskyObject {
  Context context;
  OfAnyType<CholeskyFactor> factor;
};
struct SparseObject {
  OfAnyType<SparseMatrix> matrix;
  std::string explain = {};  // of the product that made it
};

// What a type of handle stands for. `kind` is in the last hexadecimal digit of the number.
template <class Handle>
struct Meaning;
#define CAIRN_MEANING(Handle, Type, number, word) \
  template <>                                     \
  struct Meaning<Handle> {                        \
    using Object = Type;                          \
    static constexpr unsigned kind = number;      \
    static constexpr const char* name = word;     \
  }
CAIRN_MEANING(cairn_context_t, Context, 1, "a context");
CAIRN_MEANING(cairn_layout_t, Layout, 2, "a layout");
CAIRN_MEANING(cairn_matrix_t, OfAnyType<Matrix>, 3, "a matrix");
CAIRN_MEANING(cairn_plan_t, Plan, 4, "a plan");
CAIRN_MEANING(cairn_lu_t, LuObject, 5, "an LU factorization");
CAIRN_MEANING(cairn_cholesky_t, CholeskyObject, 6, "a Cholesky factorization");
CAIRN_MEANING(cairn_sparse_t, SparseObject, 7, "a sparse matrix");
CAIRN_MEANING(cairn_pattern_t, OfAnyType<SparsePattern>, 8, "a pattern");
#undef CAIRN_MEANING

template <class Handle>
using ObjectOf = typename Meaning<Handle>::Object;

// The next number of this kind.
std::uintptr_t next_number(unsigned kind);
// "a context", "a layout", ...; empty for a number that no handle can have.
const char* kind_name(std::uintptr_t number);

// All live handles of one type. Any thread may look something up while others make and free.
template <class Handle>
class Table {
 public:
  using Object = ObjectOf<Handle>;

  // It outlives everything: programs end with live handles, after MPI is gone.
  static Table& instance() {
    static Table* const table = new Table;
    return *table;
  }
  Handle put(std::shared_ptr<Object> object) {
    const std::uintptr_t number = next_number(Meaning<Handle>::kind);
    const std::lock_guard lock(mutex_);
    live_.emplace(number, std::move(object));
    return reinterpret_cast<Handle>(number);
  }
  std::shared_ptr<Object> find(const void* handle) {
    const std::lock_guard lock(mutex_);
    const auto found = live_.find(reinterpret_cast<std::uintptr_t>(handle));
    return found == live_.end() ? nullptr : found->second;
  }
  // What it stood for: let go outside the lock, for a context may talk when it ends.
  std::shared_ptr<Object> take(const void* handle) {
    const std::lock_guard lock(mutex_);
    const auto node = live_.extract(reinterpret_cast<std::uintptr_t>(handle));
    return node.empty() ? nullptr : std::move(node.mapped());
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::uintptr_t, std::shared_ptr<Object>> live_;
};

// Says what is wrong with a handle that is not in its table.
[[noreturn]] void refuse_handle(const void* handle, const char* name, const char* wanted, unsigned kind);

// What the handle stands for, alive as long as the result. `name` is the caller's argument.
template <class Handle>
std::shared_ptr<ObjectOf<Handle>> behind(Handle handle, const char* name) {
  auto object = Table<Handle>::instance().find(handle);
  if (!object) refuse_handle(handle, name, Meaning<Handle>::name, Meaning<Handle>::kind);
  return object;
}

// A new handle. `*result` was looked at before anything was done.
template <class Handle, class Object>
void give(Handle* result, Object&& object) {
  *result = Table<Handle>::instance().put(std::make_shared<ObjectOf<Handle>>(std::forward<Object>(object)));
}

template <class Handle>
cairn_status free_handle(Handle* handle) noexcept {
  return guarded([&] {
    if (*required(handle, "handle") == nullptr) return;
    const auto object = Table<Handle>::instance().take(*handle);
    if (!object) refuse_handle(*handle, "handle", Meaning<Handle>::name, Meaning<Handle>::kind);
    *handle = nullptr;
  });
}

// The context of what a live handle of any kind stands for, if it has one.
std::optional<Context> context_behind(const void* handle);

}  // namespace cairn::c_door
