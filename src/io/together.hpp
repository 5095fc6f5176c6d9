// Doing things to one file on many ranks, so that an error of any rank is everybody's.
#pragma once

#include <functional>
#include <string>

#include "comm/agreement.hpp"

namespace cairn::io {

// Collective. `work` may do anything on this rank alone; any exception of any rank becomes the same Error on
// all: "read 'a.npy': rank 2: byte 80: ...". What the operation did not foresee (no memory) included.
void together(comm::CommView comm, const std::string& operation, const std::function<void()>& work,
              std::initializer_list<comm::Same> same = {});

// Collective. Throws on every rank unless all name the same file.
void agree_on_name(comm::CommView comm, std::string_view operation, std::string_view path);

// Collective. A text of rank 0, on every rank.
std::string broadcast_text(comm::CommView comm, const std::string& text);

}  // namespace cairn::io
