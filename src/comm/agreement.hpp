// Agreement: a mistake on any rank becomes the same error on every rank, before any work and without a hang.
#pragma once

#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/types.hpp"
#include "comm/communicator.hpp"

namespace cairn::comm {

// An argument and its value, as an error shows them.
struct Argument {
  std::string name;
  std::string value;
};

// A value that must be the same on every rank.
struct Same {
  std::string_view name;
  Index value;
  // Where `value` is a fingerprint: the arguments it is of, for the error. Asked for only where ranks differ.
  std::function<std::vector<Argument>()> arguments = {};
};

// Traffic counts the words of agreements under this phase, inside whichever is open, apart from the data.
inline constexpr std::string_view agreement_phase = "agreement";

// Collective. Runs `check` here; if it throws a cairn::Error on any rank, or a value differs between ranks,
// every rank throws the same error: the one of the lowest rank that has one, or the first argument that differs
// with both values and two ranks that disagree. Ranks that are in different operations are told so, too.
// Communication: one allreduce of a few words; on an error one or two broadcasts of its text.
void agree(CommView comm, std::string_view operation, const std::function<void()>& check,
           std::span<const Same> same);
void agree(CommView comm, std::string_view operation, const std::function<void()>& check,
           std::initializer_list<Same> same = {});

// A number that tells two lists apart (FNV-1a): to compare counts between ranks without sending them.
Index fingerprint(std::span<const Index> values);
Index fingerprint(std::string_view text);

// For Argument::value: "1, 2, 3"; none, transpose or adjoint; 0.1 or (1,-2), as short as numbers can be told apart.
std::string list_text(std::span<const Index> values);
std::string op_text(Op op);
template <Scalar T>
std::string scalar_text(T x) {
  if constexpr (ScalarTraits<T>::is_complex)
    return fmt::format("({},{})", x.real(), x.imag());
  else
    return fmt::format("{}", x);
}

}  // namespace cairn::comm
