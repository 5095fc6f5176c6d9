// Messages of any length between ranks that know who talks to whom, but not how much.
#pragma once

#include <span>
#include <vector>

#include "comm/communicator.hpp"
#include "sparse/bits.hpp"

namespace cairn::sparse {

struct Parcel {
  int to = 0;
  Bytes bytes;
};

// One parcel to each of `out`, one from each of `from`, in the order of `from`; nobody stands twice. Whoever
// has this rank in `out` has it in its own `from`. Words: the bytes of the parcels, and 8 a parcel that say
// how many; empty ones are not sent. A parcel to itself is moved, not sent.
std::vector<Bytes> exchange_parcels(comm::CommView comm, std::vector<Parcel> out, std::span<const int> from);

// The same where both sides know the lengths: nothing but the bytes is sent.
std::vector<Bytes> exchange_known(comm::CommView comm, std::vector<Parcel> out, std::span<const int> from,
                                  std::span<const Index> lengths);

}  // namespace cairn::sparse
