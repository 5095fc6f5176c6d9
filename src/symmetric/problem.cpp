#include "symmetric/problem.hpp"

#include <fmt/format.h>

namespace cairn::symmetric {

double flops(const Problem& p) {
  return flops_per_voxel(p.type) * uses(p) * static_cast<double>(triangle_elements(p.n)) *
         static_cast<double>(p.k);
}

std::string describe(const Problem& p) {
  const std::string_view half = p.triangle == Triangle::lower ? "lower" : "upper";
  const std::string_view symmetry = p.hermitian ? "Hermitian" : "symmetric";
  const std::string sizes = fmt::format("n = {}, k = {}, {}, {}", p.n, p.k, half, name(p.type));
  switch (p.kind) {
    case Kind::rank_k:
      return fmt::format("{} rank-k update, {}", symmetry, sizes);
    case Kind::rank_2k:
      return fmt::format("{} rank-2k update, {}", symmetry, sizes);
    case Kind::symmetric:
      return fmt::format("product with a {} matrix, {}", symmetry, sizes);
    case Kind::triangular:
      break;
  }
  return fmt::format("product with a triangular matrix, {}", sizes);
}

}  // namespace cairn::symmetric
