// Agreement: a mistake on any rank becomes the same error on every rank, before any work and without a hang.
#pragma once

#include <functional>
#include <initializer_list>
#include <span>
#include <string_view>

#include "comm/communicator.hpp"

namespace cairn::comm {

// A value that must be the same on every rank.
struct Same {
  std::string_view name;
  Index value;
};

// Traffic counts the words of agreements under this phase, inside whichever is open, apart from the data.
inline constexpr std::string_view agreement_phase = "agreement";

// Collective. Runs `check` here; if it throws a cairn::Error on any rank, or a value differs between ranks,
// every rank throws the same error: the one of the lowest rank that has one, or the first value that differs
// with two ranks that disagree. Ranks that are in different operations are told so, too. Communication: one
// allreduce of a few words; on an error one broadcast of its text.
void agree(CommView comm, std::string_view operation, const std::function<void()>& check,
           std::span<const Same> same);
void agree(CommView comm, std::string_view operation, const std::function<void()>& check,
           std::initializer_list<Same> same = {});

// A number that tells two lists apart (FNV-1a): to compare counts between ranks without sending them.
Index fingerprint(std::span<const Index> values);

}  // namespace cairn::comm
