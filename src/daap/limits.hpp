// How large a loop program may be. The analysis is polynomial within these limits, so any text is answered
// quickly: by a bound or by an error.
#pragma once

#include <cstddef>

#include "base/size.hpp"

namespace cairn::daap {

inline constexpr std::size_t most_bytes = 64 * 1024;  // of program text
inline constexpr std::size_t most_nested_loops = 8;   // around one statement
inline constexpr std::size_t most_statements = 32;    // in a program
inline constexpr std::size_t most_inputs = 12;        // of a statement
inline constexpr std::size_t most_indices = 8;        // of an access
inline constexpr std::size_t most_parameters = 8;     // size parameters of a program
inline constexpr std::size_t most_names = most_nested_loops + most_parameters;  // in an expression
inline constexpr std::size_t most_brackets = 32;                                // nested in an expression
inline constexpr std::size_t most_name = 64;                                    // characters of a name
inline constexpr Index most_integer = 1'000'000;                                // literals and coefficients
inline constexpr std::size_t most_terms = 3000;             // of a polynomial that counts vertices
inline constexpr long long most_simplex_work = 40'000'000;  // tableau entries touched in one analysis

}  // namespace cairn::daap
