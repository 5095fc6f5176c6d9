// A formula as a reader sees it.
#pragma once

#include <string>

namespace cairn::daap {

struct Formula {
  std::string text;   // "2*N^3/(3*P*sqrt(M))"
  std::string latex;  // "\frac{2 N^{3}}{3 P \sqrt{M}}"
};

}  // namespace cairn::daap
