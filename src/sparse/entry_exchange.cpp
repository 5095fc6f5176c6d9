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

ExchangeScope::ExchangeScope(comm::CommView comm, program::Trace* trace) : comm_(comm), trace_(trace) {
  if (trace == nullptr) return;
  const std::string path = comm.traffic().current_path();
  phase_ = path.substr(path.rfind('/') + 1);
  before_ = comm.traffic().snapshot().total();
  start_ = trace->now();
  event_ = trace->begin(phase_, 0, {});
}

ExchangeScope::~ExchangeScope() {
  if (trace_ == nullptr) return;
  comm::Counters moved = comm_.traffic().snapshot().total();
  moved -= before_;
  trace_->end(event_, moved);
  trace_->add_core(program::Activity::wait, phase_, 0, start_);
}

template <class T>
std::vector<Entries<T>> EntryExchange<T>::run_values(const std::vector<Outgoing<T>>& out,
                                                     const std::vector<Incoming>& in) {
  const ExchangeScope scope(comm_, trace_);
  const std::vector<Entries<T>>& known = recall_->arrived.at(exchanges_++);
  std::vector<Parcel> parcels;
  for (const Outgoing<T>& x : out) parcels.push_back({x.to, pack_entries(x.entries, Content::values)});
  std::vector<Index> lengths;
  for (const Entries<T>& e : known) lengths.push_back(e.size() * static_cast<Index>(sizeof(T)));
  const std::vector<Bytes> bytes =
      exchange_known(comm_, std::move(parcels), senders(in), lengths, elements_in<sizeof(T)>);
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
  const ExchangeScope scope(comm_, trace_);
  std::vector<Parcel> parcels;
  for (const Outgoing<T>& x : out) parcels.push_back({x.to, pack_entries(x.entries, content)});
  const std::vector<Bytes> bytes = exchange_parcels(comm_, std::move(parcels), senders(in), packed_entries);
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
