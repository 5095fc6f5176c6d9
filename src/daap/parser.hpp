// From text to tree. The grammar:
//   program    = { item }
//   item       = "for" name "in" expression ".." expression "{" { item } "}" | statement
//   statement  = [ name ":" ] access "=" name "(" [ access { "," access } ] ")" ";"
//   access     = name [ "[" expression { "," expression } "]" ]
//   expression = affine in names: sums, differences, products with a constant, brackets
#pragma once

#include <vector>

#include "daap/ast.hpp"
#include "daap/source.hpp"

namespace cairn::daap {

std::vector<Node> parse(const Source& source);

}  // namespace cairn::daap
