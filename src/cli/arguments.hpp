// Sizes and amounts on the command line: 4096, 1e6 and 2.5e9 are read alike. What is not a number or out of
// range ends in an ArgumentError with the option, its text and what was expected.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "base/blas.hpp"
#include "bounds/product.hpp"
#include "cli/command.hpp"
#include "layout/layout.hpp"

namespace cairn::cli {

// `names` with commas between them; the first one stands in errors.
Option add_size(Command app, const std::string& names, Index& target, const std::string& help,
                Index least = 1);
Option add_size(Command app, const std::string& names, std::optional<Index>& target, const std::string& help,
                Index least = 1);
Option add_amount(Command app, const std::string& names, std::optional<double>& target,
                  const std::string& help);
// Bytes: 4096, 1e9, or with a unit: k, M, G and T, KiB, MiB ... are powers of 1024, kB, MB ... of 1000.
Option add_bytes(Command app, const std::string& names, std::optional<Index>& target,
                 const std::string& help);
double parse_bytes(std::string_view name, const std::string& text);
// --memory and -M: words, one at least, or bytes with a unit.
Option add_memory(Command app, std::optional<double>& target, const std::string& help);

// IoError where no file can be made at `path`: before anything is spent on what will stand in it. `name` is the option.
void require_folder(std::string_view name, const std::string& path);

// The whole text is one number; otherwise nothing is known of `value`.
template <class T>
bool read_number(std::string_view text, T& value) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end;
}

// A whole number, `least` or more; `name` stands in the error.
Index parse_size(std::string_view name, const std::string& text, Index least = 1);

// C (row-major) | F (column-major)
layout::Order parse_order(std::string_view name, std::string_view text);

Op parse_op(std::string_view name, std::string_view text);  // N | T | C

// -m, -n and -k, and -N for those of them that are not given.
struct ProductOptions {
  std::optional<Index> m, n, k, all;
  bounds::Product product() const;  // throws if one is missing
};
void add_product(Command app, ProductOptions& target, Index least = 1);

}  // namespace cairn::cli
