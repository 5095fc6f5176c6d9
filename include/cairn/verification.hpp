// What the check of a result found.
#pragma once

#include "cairn/types.hpp"

namespace cairn {

// The result times random vectors is compared with what it should be, row by row, within what rounding explains.
struct Verification {
  bool passed = true;           // no row that could be checked is wrong
  Index row = -1;               // of the result, the worst for its tolerance; -1: nothing to compare
  double residual = 0;          // there; NaN and infinity do not pass
  double tolerance = 0;         // what rounding explains there
  Index unchecked_rows = 0;     // for which no finite bound exists: the matrices are not finite there
  Index rows = 0;               // of the result; where all of them are unchecked, nothing is known of it
  double largest_residual = 0;  // of any row

  bool nothing_checked() const { return rows > 0 && unchecked_rows == rows; }
  // Above 1 where the result is wrong.
  double error_over_allowed() const { return residual == 0 ? 0 : residual / tolerance; }
};

}  // namespace cairn
