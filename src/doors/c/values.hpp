// From C's values to C++'s and back: enumerations, numbers by address, texts, structs that begin with their size.
#pragma once

#include <algorithm>
#include <cstring>
#include <string_view>

#include "doors/c/handles.hpp"

namespace cairn::c_door {

// f(T{}) for the type that is named.
template <class F>
decltype(auto) with_type(cairn_scalar type, F&& f) {
  switch (type) {
    case CAIRN_F32:
      return f(float{});
    case CAIRN_F64:
      return f(double{});
    case CAIRN_C32:
      return f(std::complex<float>{});
    case CAIRN_C64:
      return f(std::complex<double>{});
    default:
      throw LocalError(fmt::format("type is {}, expected CAIRN_F32, F64, C32 or C64", type));
  }
}
inline ScalarType scalar_type(cairn_scalar type) {
  return with_type(type, []<class T>(T) { return ScalarTraits<T>::type; });
}

// Enumerations of C++ and C have the same values; `count` of them.
template <class E>
E enum_value(int value, int count, const char* name) {
  expect(value >= 0 && value < count, "{} is {}, expected one of its {} values from 0 on", name, value,
         count);
  return static_cast<E>(value);
}
inline Op op_value(cairn_op op, const char* name) { return enum_value<Op>(op, 3, name); }

// The object of type T in one of any type; `like` has type T already.
template <class T, template <class> class V>
V<T>& same_type(OfAnyType<V>& object, const char* name, const char* like) {
  V<T>* const found = std::get_if<V<T>>(&object);
  static constexpr const char* names[] = {"float", "double", "complex float", "complex double"};
  expect(found != nullptr, "{} is of {}, expected {} as {} is", name, names[object.index()],
         names[static_cast<int>(ScalarTraits<T>::type)], like);
  return *found;
}

template <class T>
T number_at(const void* address, T if_null) {
  return address == nullptr ? if_null : *static_cast<const T*>(address);
}

inline std::string_view text_at(const char* text, std::string_view if_null) {
  return text == nullptr ? if_null : std::string_view(text);
}

// Local.
inline void copy_text(std::string_view text, char* buffer, std::size_t size, std::size_t* length) {
  expect(buffer != nullptr || size == 0, "buffer is NULL and size is {}, expected 0", size);
  if (length != nullptr) *length = text.size();
  if (size == 0) return;
  const std::size_t count = std::min(text.size(), size - 1);
  text.copy(buffer, count);
  buffer[count] = 0;
}

// A struct of options as this library knows it. A shorter one is of an older program; a longer one of a newer, and
// may say nothing in what is not known here.
template <class S>
S known_options(const S* given, const char* name) {
  S known{};
  if (given == nullptr) return known;
  const std::size_t size = given->struct_size;
  expect(size >= sizeof(std::size_t) && size < 65536,
         "{}.struct_size is {}, expected sizeof, as CAIRN_INIT sets it", name, size);
  std::memcpy(static_cast<void*>(&known), given, std::min(size, sizeof(S)));
  const auto* bytes = reinterpret_cast<const char*>(given);
  expect(std::all_of(bytes + std::min(size, sizeof(S)), bytes + size, [](char c) { return c == 0; }),
         "{} has members that Cairn {} does not know, expected zeros there", name, CAIRN_VERSION);
  return known;
}

// The caller's report: as much of it as the caller knows.
template <class S>
void check_report(const S* report, const char* name) {
  expect(report == nullptr || (report->struct_size >= sizeof(std::size_t) && report->struct_size < 65536),
         "{}.struct_size is not set, expected sizeof, as CAIRN_INIT sets it", name);
}
template <class S>
void write_report(S* report, S filled) {
  if (report == nullptr) return;
  filled.struct_size = report->struct_size;
  std::memcpy(static_cast<void*>(report), &filled, std::min(filled.struct_size, sizeof(S)));
}
template <std::size_t N>
void copy_name(std::string_view text, char (&field)[N]) {
  copy_text(text, field, N, nullptr);
}

// Zero stands for the default.
template <class V, class R>
void set_unless_zero(V value, R& result) {
  if (value != V{}) result = value;
}
void set_machine(const cairn_machine& given, Machine& machine);

PlanOptions plan_options(const cairn_plan_options* options);
FactorOptions factor_options(const cairn_factor_options* options);
Product product_value(const cairn_product* product, cairn_scalar type);
cairn_factor_report report_value(const FactorReport& r);

}  // namespace cairn::c_door
