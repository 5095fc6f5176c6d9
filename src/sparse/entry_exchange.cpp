#include "sparse/entry_exchange.hpp"

#include <complex>

#include "sparse/local/semiring.hpp"

namespace cairn::sparse {
namespace {

std::vector<int> senders(const std::vector<Incoming>& in) {
  std::vector<int> ranks;
  for (const Incoming& x : in) ranks.push_back(x.from);
  return ranks;
}

}  // namespace

template <class T>
std::vector<Entries<T>> EntryExchange<T>::run_values(const std::vector<Outgoing<T>>& out,
                                                     const std::vector<Incoming>& in) {
  const std::vector<Entries<T>>& known = recall_->arrived.at(exchanges_++);
  std::vector<Parcel> parcels;
  for (const Outgoing<T>& x : out) parcels.push_back({x.to, pack_entries(x.entries, Content::values)});
  std::vector<Index> lengths;
  for (const Entries<T>& e : known) lengths.push_back(e.size() * static_cast<Index>(sizeof(T)));
  const std::vector<Bytes> bytes = exchange_known(comm_, std::move(parcels), senders(in), lengths);
  std::vector<Entries<T>> arrived;
  for (std::size_t i = 0; i < in.size(); ++i) {
    arrived.push_back(unpack_entries<T>(bytes[i], in[i].rows, in[i].columns, Content::values, &known[i]));
    received_ += arrived.back().size();
  }
  return arrived;
}

template <class T>
std::vector<Entries<T>> EntryExchange<T>::run(const std::vector<Outgoing<T>>& out,
                                              const std::vector<Incoming>& in, Content content) {
  if (reuses() && content == Content::all) return run_values(out, in);
  if (reuses()) return recall_->arrived.at(exchanges_++);  // places alone: nothing new
  std::vector<Parcel> parcels;
  for (const Outgoing<T>& x : out) parcels.push_back({x.to, pack_entries(x.entries, content)});
  const std::vector<Bytes> bytes = exchange_parcels(comm_, std::move(parcels), senders(in));
  std::vector<Entries<T>> arrived;
  for (std::size_t i = 0; i < in.size(); ++i) {
    arrived.push_back(unpack_entries<T>(bytes[i], in[i].rows, in[i].columns));
    received_ += arrived.back().size();
  }
  if (recall_ != nullptr) recall_->arrived.push_back(arrived);
  return arrived;
}

#define CAIRN_EXCHANGE(T) template class EntryExchange<T>;
CAIRN_FOR_EACH_SCALAR(CAIRN_EXCHANGE)
#undef CAIRN_EXCHANGE

}  // namespace cairn::sparse
