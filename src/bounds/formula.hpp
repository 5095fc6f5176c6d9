// Formulas that are text, number and LaTeX at once, so that a table cannot print one thing and mean another.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::bounds {

using Symbols = std::map<std::string, double, std::less<>>;

// A parsed expression of numbers, names, + - * / ^, parentheses and sqrt log2 ceil min max:
//   Formula f("k*(m + n)/sqrt(P) + m*n/P");
//   f.value({{"m", 8}, {"n", 8}, {"k", 8}, {"P", 4}});   // 80
// Throws ArgumentError that names the place where the text cannot be read, or the symbol that has no value.
class Formula {
 public:
  explicit Formula(std::string_view text);

  const std::string& text() const { return text_; }
  double value(const Symbols& symbols) const { return value(root_, symbols); }
  std::string latex() const { return latex(root_, 0); }

  struct Node {
    char kind = 'n';  // n number, s symbol, f function, or one of + - * / ^; '-' with one child negates
    double number = 0;
    std::string name;
    std::vector<Node> children;
  };

 private:
  static double value(const Node& node, const Symbols& symbols);
  static std::string latex(const Node& node, int outer);

  std::string text_;
  Node root_;
};

}  // namespace cairn::bounds
