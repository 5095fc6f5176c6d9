#include "bench/pdgemm_words.hpp"

#include <unistd.h>

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

std::vector<Index> PdgemmWords::launch(const std::string& part, const std::string& shape,
                                       const std::string& grid, Index block) const {
  return launch_counted(wirecount_, ranks_,
                        {"bench", "pdgemm", "--worker", "--part", part, "--shapes", shape, "--grids", grid,
                         "--blocks", std::to_string(block)})
      .all;
}

std::vector<Index> PdgemmWords::received(const std::string& shape, const std::string& grid, Index block) {
  if (!setups_.contains(grid)) setups_[grid] = launch("setup", "1x1x1", grid, block);
  std::vector<Index> bytes = launch("pdgemm", shape, grid, block);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] -= setups_[grid][i];
  return bytes;
}

}  // namespace cairn::bench
