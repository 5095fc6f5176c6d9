#include "bench/pdgemm_words.hpp"

#include <unistd.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "bench/driver.hpp"
#include "cli/session.hpp"

namespace cairn::bench {

using nlohmann::json;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

}  // namespace

WireLaunch launch_counted(const std::string& wirecount, int ranks,
                          const std::vector<std::string>& arguments) {
  require<IoError>(access(wirecount.c_str(), X_OK) == 0,
                   "words on the wire need Cairn's tools/wirecount, and '{}' is not there (--wirecount FILE)",
                   wirecount);
  const std::string program = cli::launch_command(ranks, {}).back();
  std::vector<std::string> command{wirecount, "-n", std::to_string(ranks), "--json", "--", program};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const std::vector<std::string> lines = lines_of(output_of(command));
  require<IoError>(lines.size() >= 2, "a launch on {} ranks under {} gave no result", ranks, wirecount);
  const json wire = json::parse(lines.back());
  require<IoError>(wire.at("exit_code") == 0, "a launch on {} ranks under {} failed", ranks, wirecount);
  WireLaunch result{.printed = json::parse(lines[lines.size() - 2]), .messages = {}, .all = {}};
  for (const json& rank : wire.at("ranks")) {
    result.messages.push_back(rank["messages"]["received_bytes"]);
    result.all.push_back(result.messages.back() + rank["inside_mpi"]["received_bytes"].get<Index>());
  }
  return result;
}

std::vector<Index> PdgemmWords::launch(const std::string& part, std::size_t row) const {
  std::vector<std::string> arguments = arguments_;
  arguments.insert(arguments.end(), {"--worker", "--part", part, "--row", std::to_string(row)});
  return launch_counted(wirecount_, ranks_, arguments).all;
}

std::vector<Index> PdgemmWords::received(std::size_t row, const std::string& process_grid) {
  if (!setups_.contains(process_grid)) setups_[process_grid] = launch("setup", row);
  std::vector<Index> bytes = launch("pdgemm", row);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] -= setups_[process_grid][i];
  return bytes;
}

}  // namespace cairn::bench
