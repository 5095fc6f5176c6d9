// I/O lower bounds of loop programs: the front door of the engine (paper "Near-I/O-optimal matrix
// factorizations", sections 2 to 6). Not for several threads at once: the algebra library shares state.
//
//   const auto lu = daap::analyse("for k in 0..N { for i in k+1..N { A[i,k] = f(A[i,k], A[k,k]); ... } }",
//   "lu"); lu.parallel.text                                                        // the formula
//   daap::evaluate(lu, {.sizes = {{"N", 4096}}, .ranks = 64, .memory = 1e6}).parallel   // words per rank
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/size.hpp"
#include "daap/formula.hpp"
#include "daap/options.hpp"
#include "daap/source.hpp"

namespace cairn::daap {

struct ProgramModel;

struct InputPart {
  std::string access;  // "A[i,k]"
  Formula factor;      // the part of its elements that must be loaded: 1, or 1/rho of a producer
  std::vector<std::string> producers;  // labels of the statements that compute it
};

struct TilePart {
  std::string variable;
  Formula size;  // at X0; in X where X0 is infinite
};

struct StatementPart {
  std::string label;
  std::string text;
  Position position;
  Formula vertices;     // |V|
  bool bounded = true;  // false: nothing must be loaded for it; chi, x0, rho are empty
  Formula chi;          // the largest subcomputation as a function of X, its leading term if others are lower
  bool exact = true;  // rho is the least ratio with all terms; if not, of the leading terms, which is larger
  Formula x0;         // "infinity" where the least intensity is approached only as X grows
  Formula rho;        // the maximal computational intensity
  int out_degree_one = 0;  // u of Lemma 4; rho <= 1/u
  std::vector<InputPart> inputs;
  std::vector<TilePart> tiles;  // that attain rho
  Formula sequential;           // |V| / rho
  Formula parallel;             // |V| / (P rho)
};

struct ReusePart {
  std::string array;
  std::vector<std::string> statements;
  Formula words;  // taken off the sum of the statements' sequential bounds (Lemma 5)
};

struct Analysis {
  std::string name;
  std::vector<std::string> parameters;
  std::vector<StatementPart> statements;
  std::vector<ReusePart> reuses;
  Formula sequential;          // words between a fast memory of M words and slow memory
  Formula parallel;            // words per rank on P ranks with M words each (Lemma 7)
  Formula sequential_leading;  // terms of the highest degree in the sizes
  Formula parallel_leading;
  std::vector<std::string> conditions;  // that sizes and memory must fulfil, "N-2 >= 0"
  std::vector<std::string> notes;       // assumptions that were made
  std::shared_ptr<const ProgramModel> model;
};

// Throws an ArgumentError that points at line and column if the text is not a program, or not one that the
// disjoint access model covers.
Analysis analyse(std::string_view program_text, std::string_view file_name, const Options& options = {});

struct Setting {
  std::map<std::string, Index> sizes;  // one value >= 1 for every parameter
  Index ranks = 1;
  double memory = 0;  // words of fast memory (per rank)
};

struct StatementValues {
  std::string label;
  double vertices = 0;
  double x0 = 0;   // infinite where nothing or no finite X attains the least intensity
  double rho = 0;  // infinite where nothing must be loaded
  double sequential = 0;
  double parallel = 0;
  // |V| / rho - (X0 - M), not below 0: what the X-partition really proves. |P| <= (Q + X - M) / (X - M)
  // gives Q >= (X - M)(|V| / chi - 1); the paper's Lemma 1 leaves the last subcomputation out. Equal to
  // `sequential` where Lemma 4 proves the bound.
  double strict = 0;
  std::map<std::string, double> tiles;  // none where X0 is infinite
};

struct Values {
  double sequential = 0;
  double parallel = 0;
  std::vector<StatementValues> statements;
  std::vector<double> reuses;  // words of each ReusePart
};

// Throws an ArgumentError that names the size if one is missing, unknown or outside of the conditions.
Values evaluate(const Analysis& analysis, const Setting& setting);

}  // namespace cairn::daap
