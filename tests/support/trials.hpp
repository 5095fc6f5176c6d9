#pragma once

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace cairn::test {

// `./run test --all`
inline bool all_trials_wanted() {
  const char* wanted = std::getenv("CAIRN_TRIALS");
  return wanted != nullptr && std::string_view(wanted) == "all";
}

// How many random trials of `all`: an eighth, but eight at least. With CAIRN_TRIALS=all in the environment all of them;
// under the sanitizers, which look at every access of each, a quarter.
inline int trials(int all) {
  const int few = std::min(all, std::max(8, all / 8));
#ifdef __SANITIZE_ADDRESS__
  return all_trials_wanted() ? (all + 3) / 4 : few;
#else
  return all_trials_wanted() ? all : few;
#endif
}

}  // namespace cairn::test
