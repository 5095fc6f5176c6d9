// What plans are weighed by and what may be chosen in them, whatever the operation: the machine, the objective, rounds
// along a dimension, how words move.
#pragma once

#include "cairn/types.hpp"

namespace cairn {

// The dimensions of a product: op(A) is m x k, op(B) k x n, C m x n.
enum class Dimension { m, n, k };

// Least time, fewest words for the busiest rank, or fewest words of all ranks together.
enum class Objective { time, words, volume };

// two_sided: ranks send and receive. one_sided: ranks take words out of each other's memory. (Open MPI 4.1
// confuses windows that disjoint communicators of one node make at the same time: there use one_sided in one
// Context at a time.)
enum class Transport { two_sided, one_sided };

// A brick is done in `count` rounds along one dimension. One round has no direction.
struct Rounds {
  Dimension along = Dimension::k;
  Index count = 1;
  friend bool operator==(const Rounds&, const Rounds&) = default;
};

// What a rank's messages, words and operations cost, and the memory it has.
struct Machine {
  double alpha = 2e-6;        // seconds per message
  double beta = 8e-10;        // seconds per word of 8 bytes
  double gamma = 1e-10;       // seconds per floating-point operation
  double memory_words = 1e9;  // of 8 bytes
  double copy = 4e-10;        // seconds per word that is copied: packed, or brought in order
  friend bool operator==(const Machine&, const Machine&) = default;
};

}  // namespace cairn
