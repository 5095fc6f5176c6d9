// Text within XML, for pictures.
#pragma once

#include <string>
#include <string_view>

namespace cairn {

// With < > & written so that a reader of XML takes them as they are.
std::string xml_escaped(std::string_view text);

}  // namespace cairn
