// What the analysis finds out about one statement.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "daap/domain.hpp"
#include "daap/intensity.hpp"

namespace cairn::daap {

struct InputModel {
  GiNaC::ex factor = 1;                // c_j: the part of A_j(D) that must be in a dominator set
  std::vector<std::size_t> producers;  // earlier statements that compute it
  int group_size = 1;                  // inputs that may reach a common vertex with it
};

struct StatementModel {
  Domain domain;
  std::vector<InputModel> inputs;
  std::set<std::string> tiled;  // loop variables that occur in a counted input
  std::set<std::string> free;   // the others; a subcomputation may hold all their values
  GiNaC::ex free_extent = 1;    // prod of the extents of the free variables
  bool bounded = false;         // false: nothing must be loaded, the intensity has no bound
  TileOptimum optimum;          // of the tiled variables
  Intensity tile_intensity;     // of the tiled variables
  bool exact = true;            // rho is the least ratio of problem (1), terms of lower order included
  std::vector<GiNaC::ex> loads_per_vertex;  // c_j |A_j(D)| / chi(X0) of every term
  int out_degree_one = 0;                   // u of Lemma 4
  GiNaC::ex rho = 0;                        // the maximal computational intensity, if bounded
  GiNaC::ex bound = 0;                      // Q >= |V| / rho
  std::map<std::string, GiNaC::ex> tiles;
};

}  // namespace cairn::daap
