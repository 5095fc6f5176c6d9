// What CAIRN_SCALAPACK asks for, and how many calls went which way.
#pragma once

#include <string_view>

namespace cairn::scalapack {

enum class Mode {
  automatic,  // ours where the planner expects a gain, else passed on
  on,         // ours wherever possible
  off,        // everything is passed on
  report,     // as automatic, and a table at exit
};

struct ModeName {
  std::string_view name;
  Mode mode;
};
inline constexpr ModeName mode_names[] = {
    {"auto", Mode::automatic}, {"on", Mode::on}, {"off", Mode::off}, {"report", Mode::report}};

// From the environment when it is first asked for; set_mode changes it.
Mode mode();
bool set_mode(std::string_view name);  // false: no such mode
std::string_view mode_name();

}  // namespace cairn::scalapack
