// Data reuse: vertices used once (Lemma 4), inputs shared by statements (Lemma 5), outputs of one statement
// that another reads (Lemma 6 and Corollary 1).
#pragma once

#include <string>
#include <vector>

#include "daap/dependence.hpp"
#include "daap/options.hpp"
#include "daap/statement_model.hpp"

namespace cairn::daap {

// The statements before `consumer` in the text that may have computed the vertices of an input. Statements
// without inputs make graph inputs, not computed vertices, and a statement further down that wrote the array
// in an earlier iteration is left to that statement's own chain of versions, as sections 6.1 and 6.2 do.
std::vector<std::size_t> producers_of(const LoopProgram& program, std::size_t consumer, const Access& input,
                                      const Dependences& dependences);

// Corollary 1: the part of the input's vertices that any dominator set holds, min(1, 1 / rho_S) over its
// producers S. `conditions` receives each rho_S > 1 that was used, since the formula needs it to hold.
GiNaC::ex output_reuse_factor(const std::vector<std::size_t>& producers,
                              const std::vector<StatementModel>& models, OutputReuse mode,
                              const Symbols& symbols, std::vector<GiNaC::ex>& conditions);

// Lemma 4: the number of inputs that each computed vertex has to itself. These are the inputs with all loop
// variables that no statement computes and that no other input may reach.
int out_degree_one_inputs(const Statement& statement, const StatementModel& model);

// Lemma 5: one array's vertices that several statements read.
struct SharedInput {
  std::string array;
  std::vector<std::size_t> statements;
  std::vector<GiNaC::ex> loads;  // of each of them
  GiNaC::ex words;               // Reuse: the sum of the loads less the one that is largest at large sizes
};
std::vector<SharedInput> shared_inputs(const LoopProgram& program, const std::vector<StatementModel>& models,
                                       const Dependences& dependences, const Symbols& symbols);

}  // namespace cairn::daap
