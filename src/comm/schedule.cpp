#include "comm/schedule.hpp"

#include <algorithm>

namespace cairn::comm {

std::span<const Transfer> RankSchedule::transfers_of(const Round& r) const {
  return std::span(transfers).subspan(static_cast<std::size_t>(r.first_transfer),
                                      static_cast<std::size_t>(r.end_transfer - r.first_transfer));
}

Counters count(const RankSchedule& schedule, Index element_bytes) {
  Counters c;
  c.sent = schedule.served;
  for (const Transfer& t : schedule.transfers) {
    Volume& v = t.kind == Transfer::Kind::send ? c.sent : c.received;
    v.messages += 1;
    v.words += t.count;
  }
  c.sent.bytes = c.sent.words * element_bytes;
  c.received.bytes = c.received.words * element_bytes;
  return c;
}

RankSchedule concatenate(std::initializer_list<const RankSchedule*> parts) {
  RankSchedule all;
  for (const RankSchedule* part : parts) {
    const auto transfers = static_cast<std::int32_t>(all.transfers.size());
    const auto locals = static_cast<std::int32_t>(all.locals.size());
    const auto moved = [&](Place place) { return place.slot == Slot::work ? place + all.work_count : place; };
    for (const Round& r : part->rounds)
      all.rounds.push_back({r.first_transfer + transfers, r.end_transfer + transfers, r.first_local + locals,
                            r.end_local + locals});
    for (Transfer t : part->transfers) {
      t.place = moved(t.place);
      if (t.after != Transfer::at_once) t.after += transfers;
      all.transfers.push_back(t);
    }
    for (const Local& l : part->locals)
      all.locals.push_back(
          {.kind = l.kind,
           .a = moved(l.a),
           .b = moved(l.b),
           .to = moved(l.to),
           .count = l.count,
           .after = l.after == end_of_round || l.after == start_of_round ? l.after : l.after + transfers});
    all.work_count += part->work_count;
    all.served += part->served;
  }
  return all;
}

template <class F>
void ScheduleBuilder::pieces(Index count, F&& f) {
  for (Index at = 0; at < count; at += limit_) f(at, std::min(limit_, count - at));
}

void ScheduleBuilder::send(int peer, Place from, Index count) {
  pieces(count, [&](Index at, Index n) {
    schedule_.transfers.push_back({Transfer::Kind::send, peer, from + at, n});
  });
}

// A receive that follows one that waits must wait, too: otherwise it would be posted first and take its
// message.
std::int32_t ScheduleBuilder::add_receive(int peer, Place to, Index n, std::int32_t after) {
  if (waiting_ != nullptr) {
    if (const auto found = waiting_->find(peer); found != waiting_->end())
      after = std::max(after, found->second);
  } else if (after != Transfer::at_once) {
    waiting_ = std::make_unique<std::unordered_map<int, std::int32_t>>();
  }
  if (after != Transfer::at_once) (*waiting_)[peer] = after;
  schedule_.transfers.push_back(
      {.kind = Transfer::Kind::receive, .peer = peer, .place = to, .count = n, .after = after});
  return static_cast<std::int32_t>(schedule_.transfers.size()) - 1;
}

void ScheduleBuilder::receive(int peer, Place to, Index count) {
  pieces(count, [&](Index at, Index n) { add_receive(peer, to + at, n); });
}

void ScheduleBuilder::send_in_background(int peer, Place from, Index count) {
  const std::size_t first = schedule_.transfers.size();
  send(peer, from, count);
  for (std::size_t i = first; i < schedule_.transfers.size(); ++i) schedule_.transfers[i].background = true;
}

void ScheduleBuilder::receive_in_background(int peer, Place to, Index count) {
  const std::size_t first = schedule_.transfers.size();
  receive(peer, to, count);
  for (std::size_t i = first; i < schedule_.transfers.size(); ++i) schedule_.transfers[i].background = true;
}

void ScheduleBuilder::get(int peer, Index remote, Place to, Index count) {
  pieces(count, [&](Index at, Index n) {
    schedule_.transfers.push_back({Transfer::Kind::get, peer, to + at, n, remote + at});
  });
}

// Combines what `transfer` receives, the elements from `at` on of a message, with the target runs they belong
// to.
void ScheduleBuilder::combine_piece(std::int32_t transfer, Index at, std::span<const Target> targets) {
  const Place landing = schedule_.transfers[static_cast<std::size_t>(transfer)].place;
  const Index end = at + schedule_.transfers[static_cast<std::size_t>(transfer)].count;
  Index start = 0;  // of the target within the message
  for (const Target& t : targets) {
    const Index from = std::max(at, start), to = std::min(end, start + t.count);
    if (from < to)
      schedule_.locals.push_back({.kind = Local::Kind::combine,
                                  .a = landing + (from - at),
                                  .b = t.with + (from - start),
                                  .to = t.to + (from - start),
                                  .count = to - from,
                                  .after = transfer});
    start += t.count;
  }
}

void ScheduleBuilder::receive_and_combine(int peer, Place landing, std::span<const Target> targets) {
  Index total = 0;
  for (const Target& t : targets) total += t.count;
  const auto first = static_cast<std::int32_t>(schedule_.transfers.size());
  std::int32_t piece = 0;
  pieces(total, [&](Index at, Index n) {
    // The landing place must be free again.
    const std::int32_t after = piece < landing_pieces ? Transfer::at_once : first + piece - landing_pieces;
    combine_piece(add_receive(peer, landing + piece % landing_pieces * limit_, n, after), at, targets);
    ++piece;
  });
}

void ScheduleBuilder::receive_and_combine(int peer, Place landing, Index count, Place with, Place to) {
  const Target target{count, with, to};
  receive_and_combine(peer, landing, std::span(&target, 1));
}

void ScheduleBuilder::receive_in_place_and_combine(int peer, Index count, Place with, Place to) {
  const Target target{count, with, to};
  pieces(count,
         [&](Index at, Index n) { combine_piece(add_receive(peer, to + at, n), at, std::span(&target, 1)); });
}

void ScheduleBuilder::copy(Place from, Place to, Index count) {
  if (count > 0)
    at_end_.push_back(
        {.kind = Local::Kind::copy, .a = from, .b = {}, .to = to, .count = count, .after = end_of_round});
}

void ScheduleBuilder::copy_meanwhile(Place from, Place to, Index count) {
  if (count > 0)
    at_start_.push_back(
        {.kind = Local::Kind::copy, .a = from, .b = {}, .to = to, .count = count, .after = start_of_round});
}

void ScheduleBuilder::combine(Place a, Place b, Place to, Index count) {
  if (count > 0)
    at_end_.push_back(
        {.kind = Local::Kind::combine, .a = a, .b = b, .to = to, .count = count, .after = end_of_round});
}

void ScheduleBuilder::signal(int peer) {
  schedule_.transfers.push_back({Transfer::Kind::send, peer, in(0), 0});
}

void ScheduleBuilder::await_signal(int peer) { add_receive(peer, out(0), 0); }

void ScheduleBuilder::next_round() {
  schedule_.locals.insert(static_cast<std::size_t>(round_.first_local), at_start_);
  schedule_.locals.append(at_end_);
  at_start_.clear();
  at_end_.clear();
  waiting_.reset();
  round_.end_transfer = static_cast<std::int32_t>(schedule_.transfers.size());
  round_.end_local = static_cast<std::int32_t>(schedule_.locals.size());
  if (round_.end_transfer > round_.first_transfer || round_.end_local > round_.first_local)
    schedule_.rounds.push_back(round_);
  round_.first_transfer = round_.end_transfer;
  round_.first_local = round_.end_local;
}

Place ScheduleBuilder::reserve_work(Index elements) {
  const Place place = work(schedule_.work_count);
  schedule_.work_count += elements;
  return place;
}

void ScheduleBuilder::serve(Index words) {
  pieces(words, [&](Index, Index n) {
    schedule_.served.messages += 1;
    schedule_.served.words += n;
  });
}

RankSchedule ScheduleBuilder::finish() {
  next_round();
  return std::move(schedule_);
}

}  // namespace cairn::comm
