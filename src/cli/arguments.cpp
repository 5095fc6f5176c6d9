#include "cli/arguments.hpp"

#include <charconv>
#include <cmath>

namespace cairn::cli {
namespace {

template <class T>
std::optional<T> parse(const std::string& text) {
  T value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return {};
  return value;
}

double parse_amount(std::string_view name, const std::string& text) {
  const std::optional<double> value = parse<double>(text);
  require(value && std::isfinite(*value) && *value > 0, "{} is '{}', expected a number above 0", name, text);
  return *value;
}

std::string first_name(const std::string& names) { return names.substr(0, names.find(',')); }

}  // namespace

Index parse_size(std::string_view name, const std::string& text) {
  constexpr double largest = 9007199254740992.0;  // up to here doubles hold every whole number
  if (const std::optional<Index> whole = parse<Index>(text); whole && *whole >= 1) return *whole;
  const double real = parse<double>(text).value_or(0);
  require(real >= 1 && real <= largest && real == std::floor(real),
          "{} is '{}', expected a whole number, 1 or more", name, text);
  return static_cast<Index>(real);
}

CLI::Option* add_size(CLI::App& app, const std::string& names, Index& target, const std::string& help) {
  const auto read = [&target, name = first_name(names)](const std::string& text) {
    target = parse_size(name, text);
  };
  return app.add_option_function<std::string>(names, read, help)->type_name("SIZE");
}

CLI::Option* add_amount(CLI::App& app, const std::string& names, std::optional<double>& target,
                        const std::string& help) {
  const auto read = [&target, name = first_name(names)](const std::string& text) {
    target = parse_amount(name, text);
  };
  return app.add_option_function<std::string>(names, read, help)->type_name("NUMBER");
}

model::Product ProductOptions::product() const {
  const auto pick = [this](const char* name, Index given) {
    require(given > 0 || all > 0, "{} is missing: give -m, -n and -k, or -N for all three", name);
    return given > 0 ? given : all;
  };
  return {pick("-m", m), pick("-n", n), pick("-k", k)};
}

void add_product(CLI::App& app, ProductOptions& target) {
  add_size(app, "-m,--m", target.m, "Rows of A and C");
  add_size(app, "-n,--n", target.n, "Columns of B and C");
  add_size(app, "-k,--k", target.k, "Columns of A, rows of B");
  add_size(app, "-N,--N", target.all, "Stands for those of -m, -n, -k that are not given");
}

}  // namespace cairn::cli
