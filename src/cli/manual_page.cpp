#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cairn/version.hpp>

#include "cli/command_tree.hpp"

namespace cairn::cli {
namespace {

// As roff wants it: no line begins with a dot or an apostrophe, a hyphen is a minus.
std::string escaped(const std::string& text) {
  std::string out;
  bool begins = true;
  for (const char c : text) {
    if (begins && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
    begins = c == '\n';
  }
  return out;
}

std::string with_dashes(std::string path) {
  std::ranges::replace(path, ' ', '-');
  return path;
}

std::string option_head(const OptionDescription& o) {
  std::string head;
  if (!o.positional.empty()) head = "\\fI" + escaped(o.positional) + "\\fR";
  for (const std::string& name : o.names) head += (head.empty() ? "\\fB" : ", \\fB") + escaped(name) + "\\fR";
  return o.value.empty() || !o.positional.empty() ? head : head + " \\fI" + escaped(o.value) + "\\fR";
}

std::string section(const std::string& title) { return ".SH " + title + "\n"; }

}  // namespace

std::string manual_page(const CommandDescription& c) {
  std::string page =
      fmt::format(".TH \"{}\" 1 \"\" \"cairn {}\" \"Cairn\"\n", escaped(with_dashes(c.path)), CAIRN_VERSION);
  page += section("NAME") + escaped(with_dashes(c.path)) + " \\- " + escaped(c.help) + "\n";
  page += section("SYNOPSIS") + "\\fB" + escaped(c.path) + "\\fR" +
          (c.options.empty() ? "" : " [\\fIoptions\\fR]") + (c.commands.empty() ? "" : " \\fIcommand\\fR") +
          "\n";
  if (!c.commands.empty()) page += section("COMMANDS");
  for (const CommandDescription& sub : c.commands)
    page += fmt::format(".TP\n\\fB{}\\fR\n{}; see \\fB{}\\fR(1)\n", escaped(sub.name), escaped(sub.help),
                        escaped(with_dashes(sub.path)));
  if (!c.options.empty()) page += section("OPTIONS");
  for (const OptionDescription& o : c.options)
    page += ".TP\n" + option_head(o) + "\n" + (o.help.empty() ? "\\&" : escaped(o.help)) + "\n";
  if (!c.footer.empty()) page += section("NOTES") + ".nf\n" + escaped(c.footer) + "\n.fi\n";
  return page;
}

}  // namespace cairn::cli
