// `cairn man` and `cairn completion`: pages and scripts made of the commands themselves.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "cli/command.hpp"
#include "cli/command_tree.hpp"

namespace cairn::cli {
namespace {

void write_page(const CommandDescription& command, const std::filesystem::path& folder) {
  std::string name = command.path + ".1";
  std::ranges::replace(name, ' ', '-');
  std::ofstream file(folder / name);
  file << manual_page(command);
  require<IoError>(file.flush().good(), "{} cannot be written", (folder / name).string());
  for (const CommandDescription& sub : command.commands) write_page(sub, folder);
}

}  // namespace

void add_manual(CLI::App& application) {
  const Command app(&application);
  const CLI::App* const root = &application;
  const auto folder = std::make_shared<std::string>();
  const Command man = app.add_subcommand("man", "Write a man page for every command into a folder");
  man.add_option("folder", *folder, "The folder; it must exist").required();
  man.callback([root, folder] {
    require<IoError>(std::filesystem::is_directory(*folder), "{} is not a folder", *folder);
    write_page(describe_commands(*root), *folder);
  });

  const auto shell = std::make_shared<std::string>();
  const Command completion = app.add_subcommand("completion", "Print a shell's completion script");
  completion.add_option("shell", *shell, "bash, zsh or fish").required().one_of({"bash", "zsh", "fish"});
  completion.footer("example:\n  source <(cairn completion bash)");
  completion.callback([root, shell] {
    const CommandDescription all = describe_commands(*root);
    fmt::print("{}", *shell == "bash"  ? bash_completion(all)
                     : *shell == "zsh" ? zsh_completion(all)
                                       : fish_completion(all));
  });
}

}  // namespace cairn::cli
