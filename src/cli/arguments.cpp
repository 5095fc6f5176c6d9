#include "cli/arguments.hpp"

#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
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

// What a unit of bytes stands for; 0: it is none.
double unit_of(std::string_view text) {
  if (text.empty() || text == "B") return 1;
  constexpr std::string_view prefixes = "kMGT";
  const auto at = prefixes.find(text[0] == 'K' ? 'k' : text[0]);
  if (at == std::string_view::npos) return 0;
  const std::string_view rest = text.substr(1);
  if (!rest.empty() && rest != "B" && rest != "iB" && rest != "i") return 0;
  return std::pow(rest == "B" ? 1000.0 : 1024.0, static_cast<double>(at + 1));
}

std::size_t end_of_number(std::string_view text) {
  const std::size_t last = text.find_last_of("0123456789.");
  return last == std::string_view::npos ? 0 : last + 1;
}

}  // namespace

double parse_bytes(std::string_view name, const std::string& text) {
  const std::size_t end = end_of_number(text);
  const double unit = unit_of(std::string_view(text).substr(
      text.find_first_not_of(' ', end) == std::string::npos ? text.size()
                                                            : text.find_first_not_of(' ', end)));
  double value = 0;
  require(unit > 0 && read_number(text.substr(0, end), value) && std::isfinite(value) && value > 0,
          "{} is '{}', expected a number above 0, of bytes or with a unit: 4e9, 512MiB, 1G", name, text);
  return value * unit;
}

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

void require_folder(std::string_view name, const std::string& path) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  const std::string folder = parent.empty() ? "." : parent;
  if (access(folder.c_str(), W_OK | X_OK) == 0) return;
  fail<IoError>("{} is '{}': cannot write into '{}': {}", name, path, folder, std::strerror(errno));
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

Option add_bytes(Command app, const std::string& names, std::optional<Index>& target,
                 const std::string& help) {
  const auto read = [&target, name = first_name(names)](const std::string& text) {
    target = static_cast<Index>(std::min(parse_bytes(name, text), 9e18));
  };
  return app.add_reader(names, read, help).type_name("BYTES");
}

Option add_memory(Command app, std::optional<double>& target, const std::string& help) {
  const auto read = [&target](const std::string& text) {
    const bool with_unit = !text.empty() && std::isalpha(static_cast<unsigned char>(text.back())) != 0 &&
                           text.find_first_of("0123456789") != std::string::npos;
    target = with_unit ? parse_bytes("--memory", text) / 8 : parse_amount("--memory", text, 1);
  };
  return app.add_reader("--memory,-M", read, help).type_name("WORDS");
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
