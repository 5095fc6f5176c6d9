// One-sided access: memory of every rank that the others may read, write and add to without its help.
#pragma once

#include <mpi.h>

#include <memory>
#include <span>
#include <vector>

#include "cairn/choices.hpp"
#include "comm/communicator.hpp"

namespace cairn::comm {

// Collective over the communicator to make and to destroy; after the watchdog has bitten it is given up instead, since
// the others will not come. The memory stays the caller's and must outlive the
// window.
//
// A window is made on the communicator that was made from the user's, not on a part that was split off;
// operations on parts use it all the same, with their ranks translated. (Open MPI 4.1 names the files behind
// windows by a number that disjoint communicators share: windows of two parts made at the same time overwrite
// each other.)
class Window {
 public:
  Window(CommView comm, Data memory);
  Window(Window&&) noexcept = default;  // what was moved from is not a window
  Window& operator=(Window&&) = delete;
  ~Window();

  MPI_Win handle() const noexcept { return window_ ? *window_ : MPI_WIN_NULL; }
  const Data& memory() const noexcept { return memory_; }
  // The ranks that the members of `part` have in this window, in order. O(ranks of the part).
  std::vector<int> ranks_of(CommView part) const;

  // Non-collective. Each is complete when it returns; offsets and counts are in elements of the window.
  // Traffic counts the words at the rank that calls.
  void get(int from, Index offset, Data to);
  void put(int to, Index offset, ConstData from);
  // window[offset + i] += from[i], atomic by element; the order of several ranks' additions is not fixed.
  template <Reducible T>
  void accumulate(int to, Index offset, std::span<const T> from) {
    accumulate_bytes(to, offset, from, datatype<T>());
  }

 private:
  template <Reducible T>
  static MPI_Datatype datatype();
  void accumulate_bytes(int to, Index offset, ConstData from, MPI_Datatype type);
  void count(bool outward, Index messages, Index words);

  std::shared_ptr<MPI_Win> window_;  // shared with the list of windows that MPI_Finalize finds open
  CommView comm_;
  Data memory_;
};

}  // namespace cairn::comm
