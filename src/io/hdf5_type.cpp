#ifdef CAIRN_HDF5

#include "io/hdf5_type.hpp"

#include <array>
#include <memory>
#include <optional>

#include "io/format.hpp"

namespace cairn::io {
namespace {

struct RealType {
  bool is_double;
  ByteOrder byte_order;
};

std::optional<RealType> real_type_of(hid_t type) {
  const std::array<std::pair<hid_t, RealType>, 4> known{{{H5T_IEEE_F32LE, {false, ByteOrder::little}},
                                                         {H5T_IEEE_F32BE, {false, ByteOrder::big}},
                                                         {H5T_IEEE_F64LE, {true, ByteOrder::little}},
                                                         {H5T_IEEE_F64BE, {true, ByteOrder::big}}}};
  for (const auto& [id, real] : known)
    if (H5Tequal(type, id) > 0) return real;
  return {};
}

std::string member_name(hid_t type, unsigned member) {
  const std::unique_ptr<char, herr_t (*)(void*)> name(H5Tget_member_name(type, member), &H5free_memory);
  require<IoError>(name != nullptr, "HDF5 cannot name a member of the type: {}", hdf5_error());
  return name.get();
}

bool are_parts(const std::string& re, const std::string& im) {
  return (re == "r" && im == "i") || (re == "re" && im == "im") || (re == "real" && im == "imag");
}

[[noreturn]] void unknown(const std::string& what) {
  fail<IoError>("its elements are {}, expected float, double or pairs {{r, i}} of one of them", what);
}

std::string class_name(hid_t type) {
  switch (H5Tget_class(type)) {
    case H5T_INTEGER:
      return "integers";
    case H5T_FLOAT:
      return fmt::format("floating-point numbers of {} bytes", H5Tget_size(type));
    case H5T_STRING:
      return "texts";
    case H5T_COMPOUND:
      return "structures";
    default:
      return "of another kind";
  }
}

Hdf5Type complex_type_of(hid_t type) {
  if (H5Tget_nmembers(type) != 2) unknown("structures");
  const std::array<std::string, 2> names{member_name(type, 0), member_name(type, 1)};
  if (!are_parts(names[0], names[1]))
    unknown(fmt::format("structures {{{}, {}}}", in_quotes(names[0]), in_quotes(names[1])));
  std::array<std::optional<RealType>, 2> parts;
  for (unsigned member : {0U, 1U}) {
    const Handle part = checked(H5Tget_member_type(type, member), &H5Tclose, "look at the type");
    parts[member] = real_type_of(part.get());
    if (!parts[member]) unknown("pairs of " + class_name(part.get()));
  }
  const bool alike =
      parts[0]->is_double == parts[1]->is_double && parts[0]->byte_order == parts[1]->byte_order;
  if (!alike) unknown("pairs of two types");
  const std::size_t width = parts[0]->is_double ? 8 : 4;
  const bool is_plain = H5Tget_member_offset(type, 0) == 0 && H5Tget_member_offset(type, 1) == width &&
                        H5Tget_size(type) == 2 * width;
  return {parts[0]->is_double ? ScalarType::c64 : ScalarType::c32, parts[0]->byte_order, is_plain, names[0],
          names[1]};
}

}  // namespace

Hdf5Type hdf5_type_of(hid_t type) {
  if (const auto real = real_type_of(type))
    return {.type = real->is_double ? ScalarType::f64 : ScalarType::f32, .byte_order = real->byte_order};
  if (H5Tget_class(type) == H5T_COMPOUND) return complex_type_of(type);
  unknown(class_name(type));
}

Handle native_type(const Hdf5Type& t) {
  const bool single = t.type == ScalarType::f32 || t.type == ScalarType::c32;
  const hid_t part = single ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
  if (t.type == ScalarType::f32 || t.type == ScalarType::f64)
    return checked(H5Tcopy(part), &H5Tclose, "make a type");
  const std::size_t width = single ? 4 : 8;
  Handle pair = checked(H5Tcreate(H5T_COMPOUND, 2 * width), &H5Tclose, "make a type");
  checked(H5Tinsert(pair.get(), t.real_part.c_str(), 0, part), "make a type");
  checked(H5Tinsert(pair.get(), t.imaginary_part.c_str(), width, part), "make a type");
  return pair;
}

}  // namespace cairn::io

#endif
