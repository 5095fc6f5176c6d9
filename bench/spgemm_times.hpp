// Time of sparse products on ranks beside PETSc's MatMatMult: part of cairn bench spgemm.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "comm/communicator.hpp"

namespace cairn::bench {

// Collective over all ranks of the launch. One row for each generator of a matrix; none where PETSc is not installed, and rank 0 says so.
nlohmann::json time_beside_petsc(comm::CommView c, const std::vector<std::string>& matrices, int rounds);
void print_times(const nlohmann::json& rows);

}  // namespace cairn::bench
