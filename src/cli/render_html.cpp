#include "cli/render.hpp"

namespace cairn::cli {

std::string render_html(const Shown& s) { return s.operation; }

}  // namespace cairn::cli
