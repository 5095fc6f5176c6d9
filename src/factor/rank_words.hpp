// Words and messages of every rank, counted without running anything.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "comm/traffic.hpp"

namespace cairn::factor {

class RankWords {
 public:
  explicit RankWords(int ranks) : ranks_(static_cast<std::size_t>(ranks)) {}

  void move(int from, int to, Index words, Index messages = 1) {
    if (from == to || words == 0) return;
    comm::Volume& sent = ranks_[static_cast<std::size_t>(from)].sent;
    comm::Volume& received = ranks_[static_cast<std::size_t>(to)].received;
    sent.words += words;
    received.words += words;
    sent.messages += messages;
    received.messages += messages;
  }

  const comm::Counters& operator[](int rank) const { return ranks_[static_cast<std::size_t>(rank)]; }
  int ranks() const noexcept { return static_cast<int>(ranks_.size()); }
  double mean() const { return static_cast<double>(total()) / static_cast<double>(ranks_.size()); }
  Index total() const {
    return std::accumulate(ranks_.begin(), ranks_.end(), Index{0},
                           [](Index sum, const comm::Counters& c) { return sum + c.sent.words; });
  }
  // The busiest rank, sent and received averaged.
  double busiest() const {
    double most = 0;
    for (const comm::Counters& c : ranks_) most = std::max(most, static_cast<double>(c.total_words()) / 2);
    return most;
  }
  Index most_received() const {
    Index most = 0;
    for (const comm::Counters& c : ranks_) most = std::max(most, c.received.words);
    return most;
  }
  Index most_sent() const {
    Index most = 0;
    for (const comm::Counters& c : ranks_) most = std::max(most, c.sent.words);
    return most;
  }
  double mean_messages() const {
    Index sum = 0;
    for (const comm::Counters& c : ranks_) sum += c.sent.messages;
    return static_cast<double>(sum) / static_cast<double>(ranks_.size());
  }

 private:
  std::vector<comm::Counters> ranks_;
};

}  // namespace cairn::factor
