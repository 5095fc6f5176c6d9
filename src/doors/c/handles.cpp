#include "doors/c/handles.hpp"

#include <array>
#include <atomic>

namespace cairn::c_door {

std::uintptr_t next_number(unsigned kind) {
  static std::atomic<std::uintptr_t> count{0};
  return (++count << 4) | kind;
}

const char* kind_name(std::uintptr_t number) {
  static constexpr std::array names{Meaning<cairn_context_t>::name, Meaning<cairn_layout_t>::name,
                                    Meaning<cairn_matrix_t>::name,  Meaning<cairn_plan_t>::name,
                                    Meaning<cairn_lu_t>::name,      Meaning<cairn_cholesky_t>::name,
                                    Meaning<cairn_sparse_t>::name,  Meaning<cairn_pattern_t>::name};
  const std::uintptr_t kind = number & 15;
  return kind >= 1 && kind <= names.size() ? names[kind - 1] : "";
}

void refuse_handle(const void* handle, const char* name, const char* wanted, unsigned kind) {
  const auto number = reinterpret_cast<std::uintptr_t>(handle);
  expect(handle != nullptr, "{} is null, expected {}", name, wanted);
  expect((number & 15) == kind || *kind_name(number) == 0, "{} is {}, expected {}", name, kind_name(number),
         wanted);
  throw LocalError(fmt::format("{} is a handle that was freed or never made, expected {}", name, wanted));
}

std::optional<Context> context_behind(const void* handle) {
  if (const auto context = Table<cairn_context_t>::instance().find(handle)) return *context;
  if (const auto matrix = Table<cairn_matrix_t>::instance().find(handle))
    return std::visit([](const auto& m) { return m.context(); }, *matrix);
  if (const auto sparse = Table<cairn_sparse_t>::instance().find(handle))
    return std::visit([](const auto& m) { return m.context(); }, sparse->matrix);
  if (const auto lu = Table<cairn_lu_t>::instance().find(handle)) return lu->context;
  if (const auto cholesky = Table<cairn_cholesky_t>::instance().find(handle)) return cholesky->context;
  return std::nullopt;
}

}  // namespace cairn::c_door
