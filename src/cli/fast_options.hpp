// What the fast commands have in common: the problem, the ranks, and which schedules are allowed.
#pragma once

#include <memory>

#include "cli/arguments.hpp"
#include "gemm/fast/choose.hpp"

namespace cairn::cli {

struct FastCommand {
  ProductOptions size;
  Index ranks = 7;
  std::string type = "d";
  std::string order = "auto";
  std::string family = "any";
  std::string entry = "winograd";  // a name of the catalogue, or a file
  std::string machine, rates;
  std::optional<double> memory, max_error_growth;
  bool json = false;

  gemm::Problem problem() const;
  gemm::fast::FastOptions options() const;
};
void add_fast_command(Command app, FastCommand& target);

void add_fast_multiply(Command fast, struct Invocation& invocation);

}  // namespace cairn::cli
