// Blocks of entries between ranks, and what a product remembers so that the next one with the same patterns
// sends values alone.
#pragma once

#include "comm/communicator.hpp"
#include "sparse/packing.hpp"
#include "sparse/parcels.hpp"

namespace cairn::sparse {

// What one rank learnt in a product: places that arrived, exchange after exchange, and which rows and columns
// the others asked for.
template <class T>
struct Recall {
  bool complete = false;  // a product has been run: reuse it
  std::vector<std::vector<Entries<T>>> arrived;
  std::vector<std::vector<std::vector<char>>> marks;
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

template <class T>
class EntryExchange {
 public:
  EntryExchange(comm::CommView comm, Recall<T>* recall) : comm_(comm), recall_(recall) {}

  comm::CommView comm() const { return comm_; }
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
  Index received_ = 0;
  std::size_t exchanges_ = 0;
  std::size_t marks_ = 0;
};

}  // namespace cairn::sparse
