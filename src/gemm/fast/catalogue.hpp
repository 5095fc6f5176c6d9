// Bilinear algorithms by name. The files of catalogue/ are part of the library; users bring their own in the
// same form:
//
//   # a comment
//   name strassen
//   shape 2 2 2                          m0 k0 n0
//   rank 7
//   1 0 0 1 | 1 0 0 1 | 1 0 0 1          one line for each product: coefficients of the blocks of A, B and C,
//   ...                                  numbered by rows; whole numbers or fractions
//
// Whatever is read is verified before anybody gets it.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "gemm/fast/bilinear.hpp"

namespace cairn::gemm::fast {

// Throws ArgumentError that names `origin` and the line.
Bilinear parse_bilinear(std::string_view text, std::string_view origin);
Bilinear read_bilinear(const std::string& path);
std::string bilinear_text(const Bilinear& x);  // in the form of a file

// What the library has, in the order of `catalogue_names`.
std::vector<std::string> catalogue_names();
// An entry of the catalogue, verified once in a process; "3x2x2" and the like stand for the entry of lowest
// rank with that shape, "a*b" for a composed with b. Throws ArgumentError that lists the names.
std::shared_ptr<const Bilinear> find_bilinear(std::string_view name);
// The same, or the path of a file: what has a slash in it, or ends in .txt.
std::shared_ptr<const Bilinear> bilinear_of(const std::string& name_or_path);

}  // namespace cairn::gemm::fast
