#include "sparse/local/semiring.hpp"

namespace cairn::sparse {

std::string_view name(Semiring semiring) {
  switch (semiring) {
    case Semiring::plus_times:
      return "plus-times";
    case Semiring::min_plus:
      return "min-plus";
    case Semiring::max_plus:
      return "max-plus";
    case Semiring::or_and:
      return "or-and";
    case Semiring::plus_pair:
      break;
  }
  return "plus-pair";
}

Semiring parse_semiring(std::string_view text) {
  for (const Semiring s : all_semirings)
    if (text == name(s)) return s;
  fail("the semiring is '{}', expected plus-times, min-plus, max-plus, or-and or plus-pair", text);
}

}  // namespace cairn::sparse
