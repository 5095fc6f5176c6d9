// Reads the programs that ship in examples/daap.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "daap/analysis.hpp"

namespace cairn::daap {

inline std::string example_text(const std::string& name) {
  std::ifstream file(std::string(CAIRN_EXAMPLES) + "/daap/" + name + ".daap");
  EXPECT_TRUE(file.good()) << name;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

inline Analysis analyse_example(const std::string& name, const Options& options = {}) {
  return analyse(example_text(name), name, options);
}

// The text of the error that analysing `text` gives, "" if it gives none.
inline std::string error_of(const std::string& text, const Options& options = {}) {
  try {
    analyse(text, "p", options);
  } catch (const ArgumentError& error) {
    return error.what();
  }
  return "";
}

}  // namespace cairn::daap
