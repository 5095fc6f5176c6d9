// A command of the command line: its options, its sub-commands, and what it does. CLI11 is behind it and is
// included by two sources only: it takes several seconds to compile, and every command would pay them.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace cairn::cli {

// A handle, as cheap to copy as a pointer; the application owns what it stands for.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  const Option& required() const;
  const Option& type_name(const std::string& name) const;  // shown in the help
  const Option& group(const std::string& title) const;     // "" hides the option
  const Option& delimiter(char c) const;                   // between several values
  const Option& value_optional() const;                    // it may stand alone
  // The errors name the value and what was expected.
  const Option& at_least(long long least) const;  // a whole number
  const Option& non_negative() const;
  const Option& one_of(std::initializer_list<std::string> names) const;

 private:
  CLI::Option* option_;
};

// A handle like Option.
class Command {
 public:
  explicit Command(CLI::App* app) : app_(app) {}

  Command add_subcommand(const std::string& name, const std::string& help) const;
  void require_subcommand() const;
  void footer(const std::string& text) const;
  void callback(std::function<void()> f) const;

  // `names` with commas between them. T is one of those that command.cpp lists at its end.
  template <class T>
  Option add_option(const std::string& names, T& target, const std::string& help = {}) const;
  Option add_flag(const std::string& names, bool& target, const std::string& help = {}) const;
  // For values that `read` takes or refuses by an exception.
  Option add_reader(const std::string& names, const std::function<void(const std::string&)>& read,
                    const std::string& help) const;

 private:
  CLI::App* app_;
};

}  // namespace cairn::cli
