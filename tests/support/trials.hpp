#pragma once

namespace cairn::test {

// How many random trials: a quarter of the usual under the sanitizers, which look at every access of each.
constexpr int trials(int usual) {
#ifdef __SANITIZE_ADDRESS__
  return (usual + 3) / 4;
#else
  return usual;
#endif
}

}  // namespace cairn::test
