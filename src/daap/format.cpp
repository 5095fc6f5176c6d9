#include "daap/format.hpp"

#include <cln/integer.h>

#include <algorithm>
#include <sstream>
#include <tuple>
#include <vector>

namespace cairn::daap {
namespace {

Rational rational(const GiNaC::ex& value) {
  return cln::the<cln::cl_RA>(GiNaC::ex_to<GiNaC::numeric>(value).to_cl_N());
}

std::string digits(const Rational& value) {
  std::ostringstream out;
  out << number(value);
  return out.str();
}

std::string latex_name(const std::string& name) {
  if (name.size() == 1) return name;
  std::string escaped;
  for (const char c : name) escaped += c == '_' ? std::string("\\_") : std::string(1, c);
  return "\\mathit{" + escaped + "}";
}

class Printer {
 public:
  Printer(const Symbols& symbols, bool latex) : symbols_(symbols), sizes_(symbols.sizes()), latex_(latex) {}

  std::string print(const GiNaC::ex& expression) const {
    return GiNaC::is_a<GiNaC::add>(expression) ? sum(expression) : product(expression);
  }

 private:
  struct Factor {
    int rank = 0;
    std::string text;
    bool operator<(const Factor& other) const {
      return std::tie(rank, text) < std::tie(other.rank, other.text);
    }
  };
  struct Fraction {
    Rational number = 1;
    std::vector<Factor> above;
    std::vector<Factor> below;
    Rational root = 1;  // numbers under a square root, gathered: sqrt(2) sqrt(3) = sqrt(6)
  };

  // Summands in order: high degree in the sizes first, then in M, then plus before minus.
  struct Summand {
    Rational degree;
    Rational memory_degree;
    bool minus = false;
    std::string text;
    std::string shown;
    bool operator<(const Summand& other) const {
      if (degree != other.degree) return degree > other.degree;
      if (memory_degree != other.memory_degree) return memory_degree > other.memory_degree;
      return std::tie(minus, text) < std::tie(other.minus, other.text);
    }
  };

  std::string sum(const GiNaC::ex& expression) const {
    const Printer plain(symbols_, false);
    std::vector<Summand> parts;
    for (const GiNaC::ex& part : expression) {
      const std::string text = plain.print(part);
      parts.push_back({growth(part, sizes_), growth(part, {symbols_.memory, symbols_.partition}),
                       text.front() == '-', text, latex_ ? print(part) : text});
    }
    std::sort(parts.begin(), parts.end());
    std::string text;
    for (const Summand& part : parts) {
      if (text.empty())
        text = part.shown;
      else
        text += (part.minus ? " - " : " + ") + part.shown.substr(part.minus ? 1 : 0);
    }
    return text;
  }

  std::string product(const GiNaC::ex& expression) const {
    Fraction fraction;
    collect(expression, fraction);
    add_root(cln::numerator(fraction.root), fraction.above);
    add_root(cln::denominator(fraction.root), fraction.below);
    const std::string sign = cln::minusp(fraction.number) ? "-" : "";
    const Rational size = cln::abs(fraction.number);
    const std::string above = joined(fraction.above, cln::numerator(size), true);
    const std::string below = joined(fraction.below, cln::denominator(size), false);
    if (below.empty()) return sign + above;
    if (latex_) return sign + "\\frac{" + above + "}{" + below + "}";
    return sign + above + "/" + below;
  }

  void add_root(const Rational& value, std::vector<Factor>& side) const {
    if (value != 1) side.push_back(power(number(value), Rational(1) / 2));
  }

  void collect(const GiNaC::ex& expression, Fraction& fraction) const {
    if (GiNaC::is_a<GiNaC::numeric>(expression)) {
      fraction.number = fraction.number * rational(expression);
    } else if (GiNaC::is_a<GiNaC::mul>(expression)) {
      for (const GiNaC::ex& factor : expression) collect(factor, fraction);
    } else if (GiNaC::is_a<GiNaC::power>(expression)) {
      const Rational exponent = rational(expression.op(1));
      if (GiNaC::is_a<GiNaC::numeric>(expression.op(0)) && cln::abs(exponent) == Rational(1) / 2) {
        const Rational base = rational(expression.op(0));
        fraction.root = fraction.root * (cln::minusp(exponent) ? cln::recip(base) : base);
        return;
      }
      auto& side = cln::minusp(exponent) ? fraction.below : fraction.above;
      side.push_back(power(turned(expression.op(0), exponent, fraction), cln::abs(exponent)));
    } else {
      fraction.above.push_back(power(turned(expression, 1, fraction), 1));
    }
  }

  // GiNaC fixes the sign of a sum in a product as it likes; here it is positive at large sizes.
  GiNaC::ex turned(const GiNaC::ex& base, const Rational& exponent, Fraction& fraction) const {
    const bool odd = cln::denominator(exponent) == 1 && cln::oddp(cln::numerator(exponent));
    if (!odd || !GiNaC::is_a<GiNaC::add>(base) || at_large_sizes(base, symbols_) >= 0) return base;
    fraction.number = -fraction.number;
    return (-base).expand();
  }

  static constexpr int rank_of_sum = 3;

  int rank_of(const GiNaC::ex& base) const {
    if (GiNaC::is_a<GiNaC::numeric>(base)) return 1;
    if (GiNaC::is_a<GiNaC::add>(base)) return rank_of_sum;
    if (base.is_equal(symbols_.ranks)) return 4;
    return base.is_equal(symbols_.memory) || base.is_equal(symbols_.partition) ? 5 : 2;
  }

  Factor power(const GiNaC::ex& base, const Rational& exponent) const {
    const int rank = rank_of(base);
    std::string text = atom(base);
    if (exponent == Rational(1) / 2) return {rank, latex_ ? "\\sqrt{" + text + "}" : "sqrt(" + text + ")"};
    if (rank == rank_of_sum) text = latex_ ? "\\left(" + text + "\\right)" : "(" + text + ")";
    if (exponent == 1) return {rank, text};
    const std::string power = digits(exponent);
    if (latex_) return {rank, text + "^{" + power + "}"};
    const bool whole = cln::denominator(exponent) == 1;
    return {rank, text + "^" + (whole ? power : "(" + power + ")")};
  }

  std::string atom(const GiNaC::ex& base) const {
    if (!GiNaC::is_a<GiNaC::symbol>(base)) return print(base);
    const std::string name = GiNaC::ex_to<GiNaC::symbol>(base).get_name();
    return latex_ ? latex_name(name) : name;
  }

  // The factors of one side of the bar. Below the bar nothing means 1, and several need brackets in text.
  std::string joined(std::vector<Factor> factors, const Rational& number, bool above) const {
    std::sort(factors.begin(), factors.end());
    std::vector<std::string> words;
    if (number != 1 || (above && factors.empty())) words.push_back(digits(number));
    for (const Factor& factor : factors) words.push_back(factor.text);
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : (latex_ ? " " : "*")) + word;
    return !above && !latex_ && words.size() > 1 ? "(" + text + ")" : text;
  }

  const Symbols& symbols_;
  GiNaC::exset sizes_;
  bool latex_;
};

}  // namespace

Formula format(const GiNaC::ex& expression, const Symbols& symbols) {
  return {Printer(symbols, false).print(expression), Printer(symbols, true).print(expression)};
}

GiNaC::ex leading(const GiNaC::ex& expression, const Symbols& symbols) {
  GiNaC::ex expanded = expression.expand();
  if (!GiNaC::is_a<GiNaC::add>(expanded)) return expanded;
  const GiNaC::exset sizes = symbols.sizes();
  const Rational highest = growth(expanded, sizes);
  GiNaC::ex kept = 0;
  for (const GiNaC::ex& part : expanded)
    if (growth(part, sizes) == highest) kept += part;
  return kept;
}

GiNaC::ex factored(const GiNaC::ex& polynomial) {
  constexpr std::size_t most_factored_terms = 24;
  return polynomial.nops() > most_factored_terms ? polynomial : GiNaC::factor(polynomial);
}

}  // namespace cairn::daap
