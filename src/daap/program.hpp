// A loop program after its names are resolved: statements, each with the loops around it (paper "Near-I/O-
// optimal matrix factorizations", section 2.2).
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "daap/affine.hpp"
#include "daap/ast.hpp"
#include "daap/source.hpp"

namespace cairn::daap {

struct Loop {
  std::string variable;
  Affine lower;
  Affine upper;            // exclusive
  std::size_t offset = 0;  // of the variable in the source; tells loops of one name apart
  std::string range() const { return lower.text() + ".." + upper.text(); }
};

// A[phi(psi)]: phi is the access function vector, `variables` the iteration variables in it.
struct Access {
  std::string array;
  std::vector<Affine> indices;
  std::set<std::string> variables;
  std::size_t offset = 0;
  std::string text() const;
  bool same_element(const Access& other) const { return array == other.array && indices == other.indices; }
};

struct Statement {
  std::string label;
  std::vector<Loop> loops;  // from the outermost
  Access output;
  std::vector<Access> inputs;  // without repetitions
  std::string text;
  std::size_t offset = 0;

  std::set<std::string> variables() const;
  // The input is the previous version of the element that is written: C[i,j] = f(C[i,j], ...).
  bool in_place(const Access& input) const { return input.same_element(output); }
};

struct LoopProgram {
  Source source;
  std::vector<std::string> parameters;  // sizes, sorted: every name in a range or index that is not a loop
  std::vector<Statement> statements;    // in the order of the text
};

// Parses, resolves names and checks that every access function vector is injective in its variables.
LoopProgram resolve(const Source& source);

}  // namespace cairn::daap
