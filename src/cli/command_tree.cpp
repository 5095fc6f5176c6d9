#include "cli/command_tree.hpp"

#include <CLI/CLI.hpp>

namespace cairn::cli {
namespace {

OptionDescription describe_option(const CLI::Option& option) {
  OptionDescription d;
  for (const std::string& name : option.get_snames()) d.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) d.names.push_back("--" + name);
  if (option.get_items_expected_max() > 0) d.value = option.get_type_name();
  d.help = option.get_description();
  if (option.get_positional()) d.positional = option.get_name(true, false);
  return d;
}

CommandDescription describe_command(const CLI::App& app, const std::string& before) {
  CommandDescription d;
  d.name = app.get_name();
  d.path = before.empty() ? d.name : before + " " + d.name;
  d.help = app.get_description();
  d.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options())
    if (!option->get_group().empty()) d.options.push_back(describe_option(*option));
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    if (!command->get_name().empty()) d.commands.push_back(describe_command(*command, d.path));
  return d;
}

}  // namespace

CommandDescription describe_commands(const CLI::App& root) { return describe_command(root, ""); }

}  // namespace cairn::cli
