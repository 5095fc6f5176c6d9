// The tree of a loop program as it was written; nothing is checked beyond the grammar.
#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "daap/affine.hpp"

namespace cairn::daap {

// Offsets are places in the source text.
struct ExpressionNode {
  Affine value;
  std::size_t offset = 0;
};

struct AccessNode {
  std::string array;
  std::vector<ExpressionNode> indices;  // none for a scalar
  std::size_t offset = 0;
};

struct StatementNode {
  std::string label;  // "" if it has none
  AccessNode output;
  std::string function;
  std::vector<AccessNode> inputs;
  std::size_t offset = 0;
};

struct Node;

struct LoopNode {
  std::string variable;
  ExpressionNode lower;
  ExpressionNode upper;  // exclusive
  std::vector<Node> body;
  std::size_t offset = 0;  // of the variable
};

struct Node {
  std::variant<LoopNode, StatementNode> value;
};

}  // namespace cairn::daap
