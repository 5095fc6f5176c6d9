#include "bounds/formula.hpp"

#include <cctype>
#include <charconv>
#include <cmath>

#include "base/error.hpp"

namespace cairn::bounds {
namespace {

using Node = Formula::Node;

// sum = product {(+|-) product}; product = signed {(*|/) signed}; signed = [-] power; power = atom [^ signed]
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Node parse() {
    Node node = sum();
    if (peek() != '\0') complain("an operator");
    return node;
  }

 private:
  Node sum() { return chain("+-", &Parser::product); }
  Node product() { return chain("*/", &Parser::negation); }

  Node chain(std::string_view operators, Node (Parser::*part)()) {
    Node left = (this->*part)();
    while (peek() != '\0' && operators.find(peek()) != operators.npos) {
      const char kind = take();
      left = Node{kind, 0, "", {left, (this->*part)()}};
    }
    return left;
  }

  Node negation() {
    if (peek() != '-') return power();
    take();
    return {'-', 0, "", {negation()}};
  }

  Node power() {
    Node base = atom();
    if (peek() != '^') return base;
    take();
    return {'^', 0, "", {base, negation()}};
  }

  Node atom() {
    const char next = peek();
    if (next == '(') return parenthesis();
    if (std::isdigit(static_cast<unsigned char>(next))) return number();
    if (std::isalpha(static_cast<unsigned char>(next))) return name();
    complain("a number, a name or (");
  }

  Node parenthesis() {
    take();
    Node inside = sum();
    expect(')');
    return inside;
  }

  Node number() {
    double value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc()) complain("a number");
    at_ = static_cast<std::size_t>(end - text_.data());
    return {'n', value, "", {}};
  }

  Node name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && std::isalnum(static_cast<unsigned char>(text_[at_]))) ++at_;
    const std::string word(text_.substr(begin, at_ - begin));
    if (peek() != '(') return {'s', 0, word, {}};
    return {'f', 0, word, arguments()};
  }

  std::vector<Node> arguments() {
    std::vector<Node> all;
    do {
      take();
      all.push_back(sum());
    } while (peek() == ',');
    expect(')');
    return all;
  }

  char peek() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  char take() {
    peek();
    return text_[at_++];
  }
  void expect(char wanted) {
    if (peek() != wanted) complain(std::string_view(&wanted, 1));
    take();
  }
  [[noreturn]] void complain(std::string_view wanted) {
    fail("formula '{}', position {}: expected {}", text_, at_, wanted);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

double call(const std::string& name, const std::vector<double>& x) {
  const auto takes = [&](std::size_t count) {
    require(x.size() == count, "{} has {} arguments, expected {}", name, x.size(), count);
  };
  if (name == "min" || name == "max") {
    takes(2);
    return name == "min" ? std::min(x[0], x[1]) : std::max(x[0], x[1]);
  }
  takes(1);
  if (name == "sqrt") return std::sqrt(x[0]);
  if (name == "log2") return std::log2(x[0]);
  if (name == "ceil") return std::ceil(x[0]);
  fail("{} is not a function, expected sqrt, log2, ceil, min or max", name);
}

int binding(char kind) { return kind == '+' || kind == '-' ? 1 : kind == '*' ? 2 : 4; }

std::string join(const std::vector<std::string>& parts, std::string_view between) {
  std::string all;
  for (const auto& part : parts) all += (all.empty() ? "" : std::string(between)) + part;
  return all;
}

std::string latex_call(const std::string& name, const std::vector<std::string>& x) {
  if (name == "sqrt") return "\\sqrt{" + x[0] + "}";
  if (name == "ceil") return "\\lceil " + x[0] + " \\rceil";
  if (name == "log2") return "\\log_2(" + x[0] + ")";
  return "\\" + name + "\\{" + join(x, ", ") + "\\}";
}

}  // namespace

Formula::Formula(std::string_view text) : text_(text), root_(Parser(text_).parse()) {}

double Formula::value(const Node& node, const Symbols& symbols) {
  if (node.kind == 'n') return node.number;
  if (node.kind == 's') {
    const auto found = symbols.find(node.name);
    require(found != symbols.end(), "symbol {} has no value", node.name);
    return found->second;
  }
  std::vector<double> x;
  for (const Node& child : node.children) x.push_back(value(child, symbols));
  if (node.kind == 'f') return call(node.name, x);
  if (node.kind == '-') return x.size() == 1 ? -x[0] : x[0] - x[1];
  if (node.kind == '+') return x[0] + x[1];
  if (node.kind == '*') return x[0] * x[1];
  if (node.kind == '/') return x[0] / x[1];
  return std::pow(x[0], x[1]);
}

std::string Formula::latex(const Node& node, int outer) {
  if (node.kind == 'n') return fmt::format("{}", node.number);
  if (node.kind == 's') return node.name == "omega" ? "\\omega_0" : node.name;
  const int inner = binding(node.kind);
  std::vector<std::string> x;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const bool free = node.kind == 'f' || node.kind == '/' || (node.kind == '^' && i == 1);
    const bool after_minus = node.kind == '-' && (i == 1 || node.children.size() == 1);
    x.push_back(latex(node.children[i], free ? 0 : after_minus ? inner + 1 : node.kind == '^' ? 5 : inner));
  }
  std::string all;
  if (node.kind == 'f')
    return latex_call(node.name, x);
  else if (node.kind == '/')
    all = "\\frac{" + x[0] + "}{" + x[1] + "}";
  else if (node.kind == '^')
    all = x[0] + "^{" + x[1] + "}";
  else if (x.size() == 1)
    all = "-" + x[0];
  else
    all = x[0] + (node.kind == '*' ? " " : fmt::format(" {} ", node.kind)) + x[1];
  return inner < outer ? "\\left(" + all + "\\right)" : all;
}

}  // namespace cairn::bounds
