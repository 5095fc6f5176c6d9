// Runs the schedules of all ranks of a collective in one process, with the strictest reading of MPI: a round
// is over only when every message of it has been taken, messages between two ranks keep their order, and
// nothing that is being sent may change before it has left.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "comm/schedule.hpp"

namespace cairn::test {

using Values = std::vector<double>;

struct SimulatedRank {
  comm::RankSchedule schedule;
  Values input;
  Values output;
  Values work;
};

class Simulation {
 public:
  explicit Simulation(std::vector<SimulatedRank> ranks) : ranks_(std::move(ranks)), states_(ranks_.size()) {
    for (SimulatedRank& rank : ranks_)
      rank.work.assign(static_cast<std::size_t>(rank.schedule.work_count), -777.0);
  }

  // Empty if all went well, otherwise what went wrong.
  std::string run() {
    for (bool moved = true; moved;) {
      moved = false;
      for (int r = 0; r < size(); ++r) moved |= step(r);
      if (!error_.empty()) return error_;
    }
    for (int r = 0; r < size(); ++r)
      if (!finished(r))
        return "rank " + std::to_string(r) + " waits for ever in round " +
               std::to_string(states_[at(r)].round);
    for (const auto& [pair, queue] : channels_)
      if (!queue.empty()) return "a message from " + std::to_string(pair.first) + " is never received";
    return {};
  }

  const SimulatedRank& rank(int r) const { return ranks_[at(r)]; }
  int size() const { return static_cast<int>(ranks_.size()); }

 private:
  struct Message {
    const comm::Transfer* transfer;
    Values data;  // as it was when the send was posted
    bool taken = false;
  };
  struct State {
    std::size_t round = 0;
    bool posted = false;
    std::vector<const comm::Transfer*> waiting;  // receives that are not posted yet
    std::map<int, std::deque<const comm::Transfer*>>
        posted_receives;                      // by peer, in the order they were posted
    std::set<const comm::Transfer*> settled;  // receives that are done, with their locals
    std::vector<std::shared_ptr<Message>> sends;
    std::vector<std::shared_ptr<Message>> background_sends;
  };

  static std::size_t at(int r) { return static_cast<std::size_t>(r); }
  bool finished(int r) const { return states_[at(r)].round == ranks_[at(r)].schedule.rounds.size(); }

  Values& slot(int r, comm::Slot s) {
    SimulatedRank& rank = ranks_[at(r)];
    return s == comm::Slot::input ? rank.input : s == comm::Slot::output ? rank.output : rank.work;
  }
  Values read(int r, comm::Place place, Index count) {
    const Values& v = slot(r, place.slot);
    if (place.offset < 0 || place.offset + count > static_cast<Index>(v.size())) {
      error_ = "rank " + std::to_string(r) + " reads outside its buffer";
      return Values(static_cast<std::size_t>(count), 0.0);
    }
    return {v.begin() + place.offset, v.begin() + place.offset + count};
  }
  void write(int r, comm::Place place, const Values& data) {
    Values& v = slot(r, place.slot);
    if (place.offset < 0 || place.offset + static_cast<Index>(data.size()) > static_cast<Index>(v.size())) {
      error_ = "rank " + std::to_string(r) + " writes outside its buffer";
      return;
    }
    if (place.slot == comm::Slot::input && !data.empty())
      error_ = "rank " + std::to_string(r) + " writes to its input";
    std::copy(data.begin(), data.end(), v.begin() + place.offset);
  }

  void post(int r) {
    State& state = states_[at(r)];
    const comm::RankSchedule& s = ranks_[at(r)].schedule;
    state.waiting.clear();  // posted_receives keeps those in the background
    state.settled.clear();
    state.sends.clear();
    for (const comm::Transfer& t : s.transfers_of(s.rounds[state.round])) {
      if (t.kind == comm::Transfer::Kind::receive) {
        if (t.after == comm::Transfer::at_once)
          state.posted_receives[t.peer].push_back(&t);
        else
          state.waiting.push_back(&t);
      } else if (t.kind == comm::Transfer::Kind::send) {
        auto message = std::make_shared<Message>(Message{&t, read(r, t.place, t.count)});
        (t.background ? state.background_sends : state.sends).push_back(message);
        channels_[{r, t.peer}].push_back(message);
      } else {  // a get sees the input of its peer, which nobody may change
        write(r, t.place, read(t.peer, comm::in(t.remote), t.count));
        run_locals(r, static_cast<std::int32_t>(&t - s.transfers.data()));
      }
    }
    state.posted = true;
    run_locals(r, comm::start_of_round);
  }

  // A message goes to the receive that was posted first, as MPI has it. As late as possible: everything that
  // may have been posted has arrived before the first of it is used.
  bool receive_all(int r) {
    State& state = states_[at(r)];
    std::vector<const comm::Transfer*> arrived;
    for (auto& [peer, receives] : state.posted_receives) {
      auto& queue = channels_[{peer, r}];
      for (; !queue.empty() && !receives.empty(); queue.pop_front(), receives.pop_front()) {
        const comm::Transfer* transfer = receives.front();
        if (static_cast<Index>(queue.front()->data.size()) != transfer->count) {
          error_ = "rank " + std::to_string(r) + " expects " + std::to_string(transfer->count) +
                   " words from rank " + std::to_string(peer) + ", which sends " +
                   std::to_string(queue.front()->data.size());
          return false;
        }
        write(r, transfer->place, queue.front()->data);
        queue.front()->taken = true;
        arrived.push_back(transfer);
      }
    }
    const comm::Transfer* base = ranks_[at(r)].schedule.transfers.data();
    for (const comm::Transfer* transfer : arrived)
      if (!transfer->background) run_locals(r, static_cast<std::int32_t>(transfer - base));
    state.settled.insert(arrived.begin(), arrived.end());
    post_waiting(state, base);
    return !arrived.empty();
  }

  // Posts what no longer has to wait, each peer's in order.
  static void post_waiting(State& state, const comm::Transfer* base) {
    std::set<int> blocked;
    std::erase_if(state.waiting, [&](const comm::Transfer* t) {
      if (blocked.contains(t->peer) || !state.settled.contains(base + t->after)) {
        blocked.insert(t->peer);
        return false;
      }
      state.posted_receives[t->peer].push_back(t);
      return true;
    });
  }

  static bool all_received(const State& state) {
    const auto in_background = [](const comm::Transfer* t) { return t->background; };
    return state.waiting.empty() && std::ranges::all_of(state.posted_receives, [&](const auto& x) {
             return std::ranges::all_of(x.second, in_background);
           });
  }

  void run_locals(int r, std::int32_t after) {
    const comm::RankSchedule& s = ranks_[at(r)].schedule;
    const comm::Round& round = s.rounds[states_[at(r)].round];
    for (auto i = round.first_local; i < round.end_local; ++i) {
      const comm::Local& local = s.locals[static_cast<std::size_t>(i)];
      if (local.after != after) continue;
      Values a = read(r, local.a, local.count);
      if (local.kind == comm::Local::Kind::combine) {
        const Values b = read(r, local.b, local.count);
        for (std::size_t k = 0; k < a.size(); ++k) a[k] += b[k];
      }
      write(r, local.to, a);
    }
  }

  void check_background(int r) {
    const State& state = states_[at(r)];
    for (const auto& [peer, receives] : state.posted_receives)
      if (!receives.empty())
        error_ = "rank " + std::to_string(r) + " never gets a message from " + std::to_string(peer);
    for (const auto& message : state.background_sends)
      if (!message->taken || read(r, message->transfer->place, message->transfer->count) != message->data)
        error_ = "rank " + std::to_string(r) + " changes what it is sending in the background";
  }

  bool step(int r) {
    State& state = states_[at(r)];
    if (!error_.empty()) return false;
    if (finished(r)) return receive_all(r);
    bool moved = false;
    if (!state.posted) post(r), moved = true;
    moved |= receive_all(r);
    const bool received = all_received(state);
    const bool sent = std::ranges::all_of(state.sends, [](const auto& m) { return m->taken; });
    if (!received || !sent) return moved;
    for (const auto& message : state.sends)
      if (read(r, message->transfer->place, message->transfer->count) != message->data)
        error_ = "rank " + std::to_string(r) + " changes what it is sending";
    run_locals(r, comm::end_of_round);
    state.posted = false;
    ++state.round;
    return true;
  }

  std::vector<SimulatedRank> ranks_;
  std::vector<State> states_;
  std::map<std::pair<int, int>, std::deque<std::shared_ptr<Message>>> channels_;
  std::string error_;
};

}  // namespace cairn::test
