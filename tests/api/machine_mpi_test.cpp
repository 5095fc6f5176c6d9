// Which machine plans are made for: one that is named, or kept and still true, or measured now.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "api/support.hpp"
#include "bounds/machine.hpp"
#include "comm/collectives.hpp"

namespace cairn::test {
namespace {

class ApiMachine : public MpiTest {};

// Kept when a message took a second, which it does no longer. Only rank 0 looks.
TEST_F(ApiMachine, WhatIsKeptIsCheckedAndWhatIsNamedIsTaken) {
  for (const int size : {2, 3, 7})
    on_context(size, [](const Context& context) {
      const comm::CommView c = context.state().comm();
      const std::filesystem::path folder =
          std::filesystem::temp_directory_path() / fmt::format("cairn-machine-{}", getpid());
      const std::string file =
          (folder / bounds::kept_machine_name(c.size(), comm::ranks_on_this_node(c))).string();
      const bool first = c.rank() == 0;
      if (first) bounds::save_machine({.alpha = 1}, file);
      EXPECT_LT(measure_machine(context, {.seconds = 0.01, .kept_in = first ? folder.string() : "."}).alpha,
                0.5);
      EXPECT_EQ(measure_machine(context, {.seconds = 0.01, .kept_in = first ? file : "."}).alpha, 1);
      if (first) std::filesystem::remove_all(folder);
    });
}

}  // namespace
}  // namespace cairn::test
