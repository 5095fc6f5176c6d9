#include "daap/parser.hpp"

#include <fmt/format.h>

#include "daap/lexer.hpp"
#include "daap/limits.hpp"

namespace cairn::daap {
namespace {

class Parser {
 public:
  explicit Parser(const Source& source) : source_(source), tokens_(tokenize(source)) {}

  std::vector<Node> program() {
    std::vector<Node> items;
    while (now().kind != TokenKind::end) items.push_back(item(0));
    return items;
  }

 private:
  const Token& now() const { return tokens_[at_]; }
  const Token& after() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
  bool sees(std::string_view sign) const { return now().kind == TokenKind::sign && now().text == sign; }

  [[noreturn]] void fail_expected(std::string_view expected) const {
    const std::string found =
        now().kind == TokenKind::end ? "the end of the program" : fmt::format("'{}'", now().text);
    source_.fail_at(now().offset, fmt::format("found {}, expected {}", found, expected));
  }

  bool accept(std::string_view sign) {
    const bool found = sees(sign);
    at_ += found ? 1 : 0;
    return found;
  }

  void expect(std::string_view sign, std::string_view where) {
    if (!accept(sign)) fail_expected(fmt::format("'{}' {}", sign, where));
  }

  std::string expect_name(std::string_view what) {
    if (now().kind != TokenKind::name) fail_expected(what);
    return tokens_[at_++].text;
  }

  Node item(std::size_t depth) {
    if (now().kind == TokenKind::keyword_for) return {loop(depth)};
    if (now().kind == TokenKind::name) return {statement()};
    fail_expected(depth == 0 ? "'for' or a statement" : "'for', a statement or '}'");
  }

  LoopNode loop(std::size_t depth) {
    const std::size_t begin = tokens_[at_++].offset;
    if (depth >= most_nested_loops)
      source_.fail_at(begin, fmt::format("more than {} loops are nested", most_nested_loops));
    LoopNode node;
    node.offset = now().offset;
    node.variable = expect_name("a loop variable after 'for'");
    if (now().kind != TokenKind::keyword_in) fail_expected("'in' after the loop variable");
    ++at_;
    node.lower = expression();
    expect("..", "between the ends of the range");
    node.upper = expression();
    expect("{", "before the body of the loop");
    while (!sees("}")) node.body.push_back(item(depth + 1));
    ++at_;
    return node;
  }

  StatementNode statement() {
    StatementNode node;
    node.offset = now().offset;
    if (after().kind == TokenKind::sign && after().text == ":") {
      node.label = expect_name("a label");
      ++at_;
    }
    node.output = access("an array to write to");
    expect("=", "after the output of the statement");
    node.function = expect_name("the name of a function, as in A[i] = f(B[i])");
    expect("(", "after the name of the function");
    if (!sees(")")) inputs(node);
    expect(")", "or ',' after an input");
    expect(";", "at the end of the statement");
    return node;
  }

  void inputs(StatementNode& node) {
    do {
      if (node.inputs.size() == most_inputs)
        source_.fail_at(now().offset, fmt::format("a statement has more than {} inputs", most_inputs));
      node.inputs.push_back(access("an array access as input"));
    } while (accept(","));
  }

  AccessNode access(std::string_view what) {
    AccessNode node;
    node.offset = now().offset;
    node.array = expect_name(what);
    if (!accept("[")) return node;
    do {
      if (node.indices.size() == most_indices)
        source_.fail_at(now().offset, fmt::format("an access has more than {} indices", most_indices));
      node.indices.push_back(expression());
    } while (accept(","));
    expect("]", "or ',' after an index");
    return node;
  }

  ExpressionNode expression() {
    const std::size_t begin = now().offset;
    return {sum(0), begin};
  }

  Affine sum(std::size_t depth) {
    Affine value = product(depth);
    while (sees("+") || sees("-")) {
      const std::size_t place = now().offset;
      const Index factor = accept("+") ? 1 : (++at_, -1);
      value = checked(value + product(depth).times(factor), place);
    }
    return value;
  }

  Affine product(std::size_t depth) {
    Affine value = factor(depth);
    while (sees("*")) {
      const std::size_t place = tokens_[at_++].offset;
      const Affine other = factor(depth);
      if (!value.is_constant() && !other.is_constant())
        source_.fail_at(place, fmt::format("({}) * ({}) is not affine: one side must be an integer",
                                           value.text(), other.text()));
      const bool constant_left = value.is_constant();
      value = checked(constant_left ? other.times(value.constant()) : value.times(other.constant()), place);
    }
    return value;
  }

  Affine factor(std::size_t depth) {
    if (depth > most_brackets)
      source_.fail_at(now().offset, fmt::format("more than {} brackets or signs are nested", most_brackets));
    if (accept("-")) return factor(depth + 1).times(-1);
    if (accept("(")) {
      Affine value = sum(depth + 1);
      expect(")", "after the expression in brackets");
      return value;
    }
    if (now().kind == TokenKind::integer) return Affine(tokens_[at_++].value);
    return Affine::name(expect_name("an integer, a name or '('"));
  }

  // Keeps coefficients small, so that later 64-bit arithmetic on them cannot overflow.
  Affine checked(Affine value, std::size_t place) const {
    if (value.magnitude() > most_integer)
      source_.fail_at(place,
                      fmt::format("a coefficient of {} is larger than {}", value.text(), most_integer));
    if (value.coefficients().size() > most_names)
      source_.fail_at(place, fmt::format("an expression has more than {} names", most_names));
    return value;
  }

  const Source& source_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<Node> parse(const Source& source) { return Parser(source).program(); }

}  // namespace cairn::daap
