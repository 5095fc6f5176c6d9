// The command line as a value: what man pages and completion are made of.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace cairn::cli {

struct OptionDescription {
  std::vector<std::string> names;  // "-N", "--ranks"; empty for a word that stands by itself
  std::string value;               // "INT", or empty for a flag
  std::string help;
  std::string positional;  // the name of a word that stands by itself
};

struct CommandDescription {
  std::string path;  // "cairn plan multiply"
  std::string name;  // "multiply"
  std::string help;
  std::string footer;
  std::vector<OptionDescription> options;
  std::vector<CommandDescription> commands;
};

CommandDescription describe_commands(const CLI::App& root);

// `cairn man` and `cairn completion`, which know what was added to the application before and after them.
void add_manual(CLI::App& app);

// The page of one command, for `man`. Its sub-commands have pages of their own.
std::string manual_page(const CommandDescription& command);
std::string bash_completion(const CommandDescription& root);
std::string zsh_completion(const CommandDescription& root);
std::string fish_completion(const CommandDescription& root);

}  // namespace cairn::cli
