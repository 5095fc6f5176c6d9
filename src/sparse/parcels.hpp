// Messages of any length between ranks that know who talks to whom, but not how much.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "comm/communicator.hpp"
#include "sparse/bits.hpp"

namespace cairn::sparse {

struct Parcel {
  int to = 0;
  Bytes bytes;
};

// The entries in a parcel: what Traffic counts as its words, beside its bytes. Lists of places and lengths are
// bytes without words.
using EntriesIn = std::function<Index(std::span<const std::byte> parcel)>;
inline Index no_entries(std::span<const std::byte>) { return 0; }
template <std::size_t size>
Index elements_in(std::span<const std::byte> parcel) {
  return static_cast<Index>(parcel.size() / size);
}

// One parcel to each of `out`, one from each of `from`, in the order of `from`; nobody stands twice. Whoever
// has this rank in `out` has it in its own `from`. Moved: the bytes of the parcels, and 8 a parcel that say
// how many; empty ones are not sent. A parcel to itself is moved, not sent.
std::vector<Bytes> exchange_parcels(comm::CommView comm, std::vector<Parcel> out, std::span<const int> from,
                                    const EntriesIn& entries = no_entries);

// The same where both sides know the lengths: nothing but the bytes is sent.
std::vector<Bytes> exchange_known(comm::CommView comm, std::vector<Parcel> out, std::span<const int> from,
                                  std::span<const Index> lengths, const EntriesIn& entries = no_entries);

}  // namespace cairn::sparse
