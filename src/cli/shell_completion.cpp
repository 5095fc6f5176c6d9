#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "cli/command_tree.hpp"

namespace cairn::cli {
namespace {

void for_each_command(const CommandDescription& c, const std::function<void(const CommandDescription&)>& f) {
  f(c);
  for (const CommandDescription& sub : c.commands) for_each_command(sub, f);
}

// Inside single quotes of any of the shells. Of a help text the first sentence will do.
std::string quoted(std::string text) {
  for (const char* end : {". ", "; ", "\n"}) text.resize(std::min(text.size(), text.find(end)));
  std::string out;
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out;
}

// All words that may come next.
std::string next_words(const CommandDescription& c) {
  std::string words;
  const auto add = [&](const std::string& word) { words += (words.empty() ? "" : " ") + word; };
  for (const CommandDescription& sub : c.commands) add(sub.name);
  for (const OptionDescription& o : c.options)
    for (const std::string& name : o.names) add(name);
  return words;
}

// For `case`: "cairn plan multiply") ... ;;
std::string cases(const CommandDescription& root, const std::string& indent,
                  const std::function<std::string(const CommandDescription&)>& body) {
  std::string text;
  for_each_command(root, [&](const CommandDescription& c) {
    text += fmt::format("{}\"{}\") {} ;;\n", indent, c.path, body(c));
  });
  return text;
}

// Words of the command line that are commands, in bash and zsh alike: `at` becomes "cairn plan multiply".
std::string walk(const CommandDescription& root) {
  std::string known;
  for_each_command(root, [&](const CommandDescription& c) {
    known += (known.empty() ? "" : "|") + ("\"" + c.path + "\"");
  });
  return fmt::format("    case \"$at $word\" in\n      {}) at=\"$at $word\" ;;\n    esac\n", known);
}

}  // namespace

std::string bash_completion(const CommandDescription& root) {
  return "# Completion of cairn for bash, made by `cairn completion bash`.\n"
         "_cairn() {\n"
         "  local at=cairn word words cur=${COMP_WORDS[COMP_CWORD]}\n"
         "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n" +
         walk(root) +
         "  done\n"
         "  case \"$at\" in\n" +
         cases(root, "    ", [](const CommandDescription& c) { return "words='" + next_words(c) + "'"; }) +
         "  esac\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
         "}\n"
         "complete -o default -F _cairn cairn\n";
}

std::string zsh_completion(const CommandDescription& root) {
  const auto described = [](const CommandDescription& c) {
    std::string words = "candidates=(";
    for (const CommandDescription& sub : c.commands)
      words += fmt::format("'{}:{}' ", sub.name, quoted(sub.help));
    for (const OptionDescription& o : c.options)
      for (const std::string& name : o.names) words += fmt::format("'{}:{}' ", name, quoted(o.help));
    return words + ")";
  };
  return "#compdef cairn\n# Completion of cairn for zsh, made by `cairn completion zsh`.\n"
         "local at=cairn word\nlocal -a candidates\n"
         "  for word in \"${words[@]:1:CURRENT-2}\"; do\n" +
         walk(root) + "  done\ncase \"$at\" in\n" + cases(root, "  ", described) +
         "esac\n_describe -V 'cairn' candidates || _files\n";
}

std::string fish_completion(const CommandDescription& root) {
  std::string text =
      "# Completion of cairn for fish, made by `cairn completion fish`.\n"
      "function __cairn_at\n"
      "  set -l at cairn\n"
      "  for word in (commandline -opc)[2..-1]\n"
      "    if contains -- \"$at $word\" ";
  for_each_command(root, [&](const CommandDescription& c) { text += "'" + c.path + "' "; });
  text += "\n      set at \"$at $word\"\n    end\n  end\n  test \"$at\" = \"$argv[1]\"\nend\n";
  for_each_command(root, [&](const CommandDescription& c) {
    const std::string when = fmt::format("complete -c cairn -n '__cairn_at \"{}\"' ", c.path);
    for (const CommandDescription& sub : c.commands)
      text += fmt::format("{}-f -a {} -d '{}'\n", when, sub.name, quoted(sub.help));
    for (const OptionDescription& o : c.options) {
      if (o.names.empty()) continue;
      text += when;
      for (const std::string& name : o.names)
        text += name.starts_with("--") ? "-l " + name.substr(2) + " " : "-s " + name.substr(1) + " ";
      text += fmt::format("{}-d '{}'\n", o.value.empty() ? "" : "-r ", quoted(o.help));
    }
  });
  return text;
}

}  // namespace cairn::cli
