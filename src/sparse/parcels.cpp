#include "sparse/parcels.hpp"

#include "comm/collectives.hpp"

namespace cairn::sparse {
namespace {

constexpr int length_tag = 4001;
constexpr int parcel_tag = 4002;

// Messages count each of their elements as a word. Parcels are bytes: their words are entries.
void recount(comm::CommView comm, const comm::Counters& correction) {
  comm.traffic().count(comm.traffic().current(), correction);
}

std::vector<Index> exchange_lengths(comm::CommView comm, std::span<const Parcel> out,
                                    std::span<const int> from) {
  std::vector<Index> mine, lengths(from.size(), 0);
  for (const Parcel& p : out) mine.push_back(static_cast<Index>(p.bytes.size()));
  std::vector<comm::Ongoing> under_way;
  for (std::size_t i = 0; i < from.size(); ++i)
    if (from[i] != comm.rank())
      under_way.push_back(comm::start_receive(comm, std::span(&lengths[i], 1), from[i], length_tag));
  for (std::size_t i = 0; i < out.size(); ++i)
    if (out[i].to != comm.rank())
      under_way.push_back(comm::start_send(comm, std::span<const Index>(&mine[i], 1), out[i].to, length_tag));
  comm::wait_all(under_way);
  comm::Counters correction;
  for (const int r : from) correction.received.words -= r != comm.rank() ? 1 : 0;
  for (const Parcel& p : out) correction.sent.words -= p.to != comm.rank() ? 1 : 0;
  recount(comm, correction);
  return lengths;
}

}  // namespace

std::vector<Bytes> exchange_known(comm::CommView comm, std::vector<Parcel> out, std::span<const int> from,
                                  std::span<const Index> lengths, const EntriesIn& entries) {
  std::vector<Bytes> in(from.size());
  comm::Counters correction;
  const auto words_beyond_bytes = [&](const Bytes& b) { return b.empty() ? 0 : entries(b) - std::ssize(b); };
  std::vector<comm::Ongoing> under_way;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i] == comm.rank() || lengths[i] == 0) continue;
    in[i].resize(static_cast<std::size_t>(lengths[i]));
    under_way.push_back(comm::start_receive(comm, std::span(in[i]), from[i], parcel_tag));
  }
  for (Parcel& p : out)
    if (p.to != comm.rank() && !p.bytes.empty()) {
      correction.sent.words += words_beyond_bytes(p.bytes);
      under_way.push_back(comm::start_send(comm, std::span<const std::byte>(p.bytes), p.to, parcel_tag));
    }
  for (Parcel& p : out)
    for (std::size_t i = 0; i < from.size(); ++i)
      if (p.to == comm.rank() && from[i] == p.to) in[i] = std::move(p.bytes);
  comm::wait_all(under_way);
  for (std::size_t i = 0; i < from.size(); ++i)
    if (from[i] != comm.rank()) correction.received.words += words_beyond_bytes(in[i]);
  recount(comm, correction);
  return in;
}

std::vector<Bytes> exchange_parcels(comm::CommView comm, std::vector<Parcel> out, std::span<const int> from,
                                    const EntriesIn& entries) {
  const std::vector<Index> lengths = exchange_lengths(comm, out, from);
  return exchange_known(comm, std::move(out), from, lengths, entries);
}

}  // namespace cairn::sparse
