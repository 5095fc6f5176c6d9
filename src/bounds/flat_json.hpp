// The small part of JSON that a settings file needs: one object whose values are texts, numbers, true, false or null.
// Strict: everything else is refused, also nested values and a key that comes twice.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <variant>

namespace cairn::bounds {

// monostate: null.
using FlatValue = std::variant<std::monostate, bool, double, std::string>;
using FlatObject = std::map<std::string, FlatValue, std::less<>>;

// Throws IoError: "not a JSON object of texts and numbers: at byte 17 expected ...".
FlatObject parse_flat_json(std::string_view text);

// Keys in alphabetical order, one line each; numbers are written so that reading them gives the same again.
std::string flat_json_text(const FlatObject& object);

}  // namespace cairn::bounds
