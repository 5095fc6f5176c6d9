#include "cli/arguments.hpp"

#include <cmath>
#include <limits>

namespace cairn::cli {
namespace {

std::string first_name(const std::string& names) { return names.substr(0, names.find(',')); }

// Above 0, or at least `least` where that is more.
double parse_amount(std::string_view name, const std::string& text, double least) {
  double value = 0;
  require(read_number(text, value) && std::isfinite(value) && value > 0 && value >= least,
          "{} is '{}', expected a number {}", name, text,
          least > 0 ? fmt::format("from {} on", least) : "above 0");
  return value;
}

Option add_number(Command app, const std::string& names, std::optional<double>& target,
                  const std::string& help, double least) {
  const auto read = [&target, least, name = first_name(names)](const std::string& text) {
    target = parse_amount(name, text, least);
  };
  return app.add_reader(names, read, help).type_name("NUMBER");
}

}  // namespace

Index parse_size(std::string_view name, const std::string& text, Index least) {
  constexpr Index most = std::numeric_limits<Index>::max();
  Index value = 0;
  double real = 0;
  bool whole = read_number(text, value);
  if (!whole && read_number(text, real) && real == std::floor(real) && std::abs(real) < 0x1p63) {  // 1e6
    value = static_cast<Index>(real);
    whole = true;
  }
  require(whole && value >= least, "{} is '{}', expected a whole number from {} to {}", name, text, least,
          most);
  return value;
}

layout::Order parse_order(std::string_view name, std::string_view text) {
  if (text == "C" || text == "row-major") return layout::Order::row_major;
  require(text == "F" || text == "column-major", "{} is '{}', expected C (row-major) or F (column-major)",
          name, text);
  return layout::Order::column_major;
}

Op parse_op(std::string_view name, std::string_view text) {
  if (text == "N") return Op::none;
  if (text == "T") return Op::transpose;
  if (text == "C") return Op::adjoint;
  fail("{} is '{}', expected N, T or C", name, text);
}

Option add_size(Command app, const std::string& names, Index& target, const std::string& help, Index least) {
  const auto read = [&target, least, name = first_name(names)](const std::string& text) {
    target = parse_size(name, text, least);
  };
  return app.add_reader(names, read, help).type_name("SIZE");
}

Option add_size(Command app, const std::string& names, std::optional<Index>& target, const std::string& help,
                Index least) {
  const auto read = [&target, least, name = first_name(names)](const std::string& text) {
    target = parse_size(name, text, least);
  };
  return app.add_reader(names, read, help).type_name("SIZE");
}

Option add_amount(Command app, const std::string& names, std::optional<double>& target,
                  const std::string& help) {
  return add_number(app, names, target, help, 0);
}

Option add_memory(Command app, std::optional<double>& target, const std::string& help) {
  return add_number(app, "--memory,-M", target, help, 1);
}

bounds::Product ProductOptions::product() const {
  const auto pick = [this](const char* name, const std::optional<Index>& given) {
    require(given || all, "{} is missing: give -m, -n and -k, or -N for all three", name);
    return given ? *given : *all;
  };
  return {pick("-m", m), pick("-n", n), pick("-k", k)};
}

void add_product(Command app, ProductOptions& target, Index least) {
  add_size(app, "-m,--m", target.m, "Rows of A and C", least);
  add_size(app, "-n,--n", target.n, "Columns of B and C", least);
  add_size(app, "-k,--k", target.k, "Columns of A, rows of B", least);
  add_size(app, "-N,--N", target.all, "Stands for those of -m, -n, -k that are not given", least);
}

}  // namespace cairn::cli
