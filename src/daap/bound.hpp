// The bounds of a whole program: statements analysed one by one in the order of the text, then put together.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "daap/options.hpp"
#include "daap/reuse.hpp"

namespace cairn::daap {

struct ProgramModel {
  LoopProgram program;
  Symbols symbols;
  std::vector<StatementModel> statements;
  std::vector<SharedInput> shared;
  std::vector<GiNaC::ex> rho_conditions;  // each must be >= 1 (Corollary 1 was used with it)
  std::vector<Affine> size_conditions;    // each must be >= 0
  std::vector<std::string> notes;

  // Section 4: the sum of the statements' bounds less the reuse, and never less than the largest of them. The
  // expression is the one of the two that is larger when sizes are large. The parallel bound is this / P
  // (Lemma 7).
  GiNaC::ex bound() const;
  GiNaC::ex sum_less_reuse() const;
};

std::unique_ptr<const ProgramModel> model_program(LoopProgram program, const Options& options);

}  // namespace cairn::daap
