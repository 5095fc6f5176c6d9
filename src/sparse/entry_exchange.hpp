// Blocks of entries between ranks, and what a product remembers so that the next one with the same patterns
// sends values alone.
#pragma once

#include "comm/communicator.hpp"
#include "program/trace.hpp"
#include "sparse/packing.hpp"
#include "sparse/parcels.hpp"

namespace cairn::sparse {

// What one rank learnt in a product: places that arrived, exchange after exchange, and which rows and columns
// the others asked for.
template <class T>
struct Recall {
  bool complete = false;  // a product has been run: reuse it
  Index patterns = 0;     // a fingerprint of this rank's blocks of A and B, as they were
  std::vector<std::vector<Entries<T>>> arrived = {};
  std::vector<std::vector<std::vector<char>>> marks = {};
};

template <class T>
struct Outgoing {
  int to = 0;
  Entries<T> entries;
};
struct Incoming {
  int from = 0;
  Index rows = 0;
  Index columns = 0;
};

// An exchange on the timeline, for as long as this lives: what moves on the link, and the core that packs, waits
// and unpacks. It has the name of the innermost phase of Traffic. Does nothing without a trace.
class ExchangeScope {
 public:
  ExchangeScope(comm::CommView comm, program::Trace* trace);
  ~ExchangeScope();
  ExchangeScope(const ExchangeScope&) = delete;
  ExchangeScope& operator=(const ExchangeScope&) = delete;

 private:
  comm::CommView comm_;
  program::Trace* trace_;
  std::string phase_;
  comm::Counters before_;
  std::size_t event_ = 0;
  double start_ = 0;
};

template <class T>
class EntryExchange {
 public:
  EntryExchange(comm::CommView comm, Recall<T>* recall, program::Trace* trace = nullptr)
      : comm_(comm), recall_(recall), trace_(trace) {}

  comm::CommView comm() const { return comm_; }
  program::Trace* trace() const { return trace_; }
  // exchange_parcels, on the timeline.
  std::vector<Bytes> parcels(std::vector<Parcel> out, std::span<const int> from, const EntriesIn& entries) {
    const ExchangeScope scope(comm_, trace_);
    return exchange_parcels(comm_, std::move(out), from, entries);
  }
  bool reuses() const { return recall_ != nullptr && recall_->complete; }
  Index received() const { return received_; }  // entries so far, from other ranks
  void add_received(Index entries) { received_ += entries; }

  // Blocks to others, blocks from others in the order of `in`. `content`: all or places.
  std::vector<Entries<T>> run(const std::vector<Outgoing<T>>& out, const std::vector<Incoming>& in,
                              Content content = Content::all);

  // Marks that were made before, or those that make() makes now and that are kept.
  template <class Make>
  std::vector<std::vector<char>> marks(Make&& make) {
    if (reuses()) return recall_->marks.at(marks_++);
    std::vector<std::vector<char>> made = make();
    if (recall_ != nullptr) recall_->marks.push_back(made);
    return made;
  }
  void finish() {
    if (recall_ != nullptr) recall_->complete = true;
  }

 private:
  std::vector<Entries<T>> run_values(const std::vector<Outgoing<T>>& out, const std::vector<Incoming>& in);

  comm::CommView comm_;
  Recall<T>* recall_;
  program::Trace* trace_;
  Index received_ = 0;
  std::size_t exchanges_ = 0;
  std::size_t marks_ = 0;
};

}  // namespace cairn::sparse
