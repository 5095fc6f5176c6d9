#include "base/scalar.hpp"

#include <array>

#include "base/error.hpp"

namespace cairn {
namespace {

struct Entry {
  ScalarType type;
  char letter;
  std::string_view name;
  int bytes;
};

constexpr std::array<Entry, 4> entries{{{ScalarType::f32, 's', "float", 4},
                                        {ScalarType::f64, 'd', "double", 8},
                                        {ScalarType::c32, 'c', "complex<float>", 8},
                                        {ScalarType::c64, 'z', "complex<double>", 16}}};

const Entry& entry(ScalarType type) { return entries[static_cast<std::size_t>(type)]; }

}  // namespace

std::string_view name(ScalarType type) { return entry(type).name; }

int bytes(ScalarType type) { return entry(type).bytes; }

ScalarType parse_scalar_type(std::string_view text) {
  for (const Entry& e : entries)
    if (text == e.name || (text.size() == 1 && text[0] == e.letter)) return e.type;
  fail("type is '{}', expected s (float), d (double), c (complex<float>) or z (complex<double>)", text);
}

double flops_per_voxel(ScalarType type) {
  return dispatch(type, []<class T>() -> double { return ScalarTraits<T>::flops_per_voxel; });
}

}  // namespace cairn
