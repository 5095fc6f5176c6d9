#include "cli/command.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cairn/types.hpp>
#include <cstdint>
#include <optional>
#include <vector>

namespace cairn::cli {

const Option& Option::required() const {
  option_->required();
  return *this;
}

const Option& Option::type_name(const std::string& name) const {
  option_->type_name(name);
  return *this;
}

const Option& Option::group(const std::string& title) const {
  option_->group(title);
  return *this;
}

const Option& Option::delimiter(char c) const {
  option_->delimiter(c);
  return *this;
}

const Option& Option::value_optional() const {
  option_->expected(0, 1);
  return *this;
}

const Option& Option::at_least(long long least) const {
  const auto check = [least](const std::string& text) -> std::string {
    long long value = 0;
    if (CLI::detail::lexical_cast(text, value) && value >= least) return {};
    return "is '" + text + "', expected a whole number, " + std::to_string(least) + " or more";
  };
  option_->check(CLI::Validator(check, ""));
  return *this;
}

const Option& Option::non_negative() const {
  const auto check = [](const std::string& text) -> std::string {
    double value = 0;
    if (CLI::detail::lexical_cast(text, value) && value >= 0) return {};
    return "is '" + text + "', expected a number, 0 or more";
  };
  option_->check(CLI::Validator(check, ""));
  return *this;
}

const Option& Option::one_of(std::initializer_list<std::string> names) const {
  const std::vector<std::string> all(names);
  std::string expected;
  for (const std::string& name : all)
    expected += (expected.empty() ? "" : &name == &all.back() ? " or " : ", ") + name;
  const auto check = [all, expected](const std::string& text) -> std::string {
    if (std::ranges::find(all, text) != all.end()) return {};
    return "is '" + text + "', expected " + expected;
  };
  option_->check(CLI::Validator(check, ""));
  return *this;
}

Command Command::add_subcommand(const std::string& name, const std::string& help) const {
  return Command(app_->add_subcommand(name, help));
}

void Command::require_subcommand() const { app_->require_subcommand(1); }

void Command::footer(const std::string& text) const { app_->footer(text); }

void Command::callback(std::function<void()> f) const { app_->callback(std::move(f)); }

template <class T>
Option Command::add_option(const std::string& names, T& target, const std::string& help) const {
  return Option(app_->add_option(names, target, help));
}

Option Command::add_flag(const std::string& names, bool& target, const std::string& help) const {
  return Option(app_->add_flag(names, target, help));
}

Option Command::add_reader(const std::string& names, const std::function<void(const std::string&)>& read,
                           const std::string& help) const {
  return Option(app_->add_option_function<std::string>(names, read, help));
}

#define CAIRN_OPTION(...) \
  template Option Command::add_option(const std::string&, __VA_ARGS__&, const std::string&) const;
CAIRN_OPTION(int)
CAIRN_OPTION(Index)
CAIRN_OPTION(std::uint64_t)
CAIRN_OPTION(double)
CAIRN_OPTION(std::string)
CAIRN_OPTION(std::optional<int>)
CAIRN_OPTION(std::optional<Index>)
CAIRN_OPTION(std::optional<std::string>)
CAIRN_OPTION(std::vector<int>)
CAIRN_OPTION(std::vector<Index>)
CAIRN_OPTION(std::vector<std::string>)
#undef CAIRN_OPTION

}  // namespace cairn::cli
