// "Did you mean": the nearest of the words that are known.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cairn::cli {

// The known word that `word` is most likely a slip of, or empty: at most a third of its letters are wrong, or it is
// the beginning of one known word alone.
std::string nearest_word(std::string_view word, const std::vector<std::string>& known);

// "; did you mean '--ranks'?", or nothing.
std::string suggestion(std::string_view word, const std::vector<std::string>& known);

}  // namespace cairn::cli
