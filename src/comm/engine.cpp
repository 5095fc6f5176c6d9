#include "comm/engine.hpp"

#include <sched.h>

#include <algorithm>
#include <thread>

#include "base/copy.hpp"
#include "comm/mpi_call.hpp"
#include "comm/patience.hpp"

namespace cairn::comm {

void Running::begin(std::shared_ptr<const CountedSchedule> plan, const Binding& binding, Seating seating,
                    Pool& pool) {
  const Index work_bytes =
      checked_mul(plan->schedule.work_count, binding.type->bytes, "work memory of a collective");
  if (std::cmp_greater(work_bytes, small_.size())) work_ = pool.lease(work_bytes);
  work_at_ = std::cmp_greater(work_bytes, small_.size()) ? work_.data() : small_.data();
  plan_ = std::move(plan);
  binding_ = binding;
  at_ = std::move(seating);
  round_ = 0;
  done_ = posted_ = false;
  background_.clear();
}

void Running::end() {
  done_ = true;
  plan_.reset();
  work_ = {};
  at_.owner.reset();
}

std::byte* Running::address(Place place) const {
  const Index at = place.offset * binding_.type->bytes;
  switch (place.slot) {
    case Slot::input:
      return const_cast<std::byte*>(static_cast<const std::byte*>(binding_.input)) + at;
    case Slot::output:
      return static_cast<std::byte*>(binding_.output) + at;
    case Slot::work:
      break;
  }
  return work_at_ + at;
}

MPI_Request Running::post(const Transfer& t) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int bytes = narrow<int>(t.count * binding_.type->bytes, "bytes of one message");
  // An empty message has no address.
  std::byte* at = t.count == 0 ? nullptr : address(t.place);
  switch (t.kind) {
    case Transfer::Kind::send:
      check_mpi(MPI_Isend(at, bytes, MPI_BYTE, t.peer, at_.tag, at_.comm, &request), "MPI_Isend");
      break;
    case Transfer::Kind::receive:
      check_mpi(MPI_Irecv(at, bytes, MPI_BYTE, t.peer, at_.tag, at_.comm, &request), "MPI_Irecv");
      break;
    case Transfer::Kind::get:
      check_mpi(MPI_Rget(at, bytes, MPI_BYTE, t.peer, t.remote * binding_.type->bytes, bytes, MPI_BYTE,
                         at_.window, &request),
                "MPI_Rget");
      break;
  }
  return request;
}

void Running::post_round() {
  const Round& round = schedule().rounds[round_];
  const auto transfers = schedule().transfers_of(round);
  requests_.assign(transfers.size(), MPI_REQUEST_NULL);
  completed_.resize(transfers.size());
  pending_ = 0;
  const auto start = [&](std::size_t i) {
    if (transfers[i].background) {
      background_.push_back(post(transfers[i]));
      return;
    }
    ++pending_;
    if (transfers[i].after == Transfer::at_once)
      requests_[i] = post(transfers[i]);
    else
      queues().waiting[transfers[i].peer].push_back(static_cast<std::int32_t>(i));
  };
  // Receives first: a message that finds its receive waiting needs no copy.
  for (std::size_t i = 0; i < transfers.size(); ++i)
    if (transfers[i].kind != Transfer::Kind::send) start(i);
  for (std::size_t i = 0; i < transfers.size(); ++i)
    if (transfers[i].kind == Transfer::Kind::send) start(i);
  if (queues_ != nullptr) queues_->settled.assign(transfers.size(), false);
  posted_ = true;
  run_locals_after(start_of_round);
}

bool Running::advance() {
  try {
    return step();
  } catch (...) {
    done_ = true;  // nobody shall wait for it; its memory stays, MPI may still write there
    throw;
  }
}

bool Running::step() {
  if (done_) return false;
  bool happened = false;
  while (round_ < schedule().rounds.size()) {
    if (!posted_) post_round(), happened = true;
    if (pending_ > 0) {
      int count = 0;
      check_mpi(MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &count, completed_.data(),
                             MPI_STATUSES_IGNORE),
                "MPI_Testsome");
      if (count == MPI_UNDEFINED || count == 0) return happened;
      happened = true;
      pending_ -= count;
      for (int i = 0; i < count; ++i) complete(completed_[static_cast<std::size_t>(i)]);
      if (pending_ > 0) return true;
    }
    finish_round();
  }
  return finish_background() || happened;
}

bool Running::finish_background() {
  int all = 1;
  if (!background_.empty())
    check_mpi(
        MPI_Testall(static_cast<int>(background_.size()), background_.data(), &all, MPI_STATUSES_IGNORE),
        "MPI_Testall");
  if (all == 0) return false;
  end();
  return true;
}

// Runs the local steps that waited for this transfer, and posts the receives that did.
void Running::complete(int request) {
  const std::int32_t first = schedule().rounds[round_].first_transfer;
  const auto transfers = schedule().transfers_of(schedule().rounds[round_]);
  const auto index = [](std::int32_t i) { return static_cast<std::size_t>(i); };
  run_locals_after(first + request);
  if (queues_ == nullptr) return;
  std::vector<bool>& settled = queues_->settled;
  settled[index(request)] = true;
  const auto found = queues_->waiting.find(transfers[index(request)].peer);
  if (found == queues_->waiting.end()) return;
  std::deque<std::int32_t>& queue = found->second;
  for (; !queue.empty() && settled[index(transfers[index(queue.front())].after - first)]; queue.pop_front())
    requests_[index(queue.front())] = post(transfers[index(queue.front())]);
}

void Running::finish_round() {
  run_locals_after(end_of_round);
  posted_ = false;
  queues_.reset();
  ++round_;
}

void Running::run_locals_after(std::int32_t transfer) {
  const Round& round = schedule().rounds[round_];
  const auto locals = std::span(schedule().locals)
                          .subspan(static_cast<std::size_t>(round.first_local),
                                   static_cast<std::size_t>(round.end_local - round.first_local));
  for (auto it = std::ranges::lower_bound(locals, transfer, {}, &Local::after);
       it != locals.end() && it->after == transfer; ++it)
    run(*it);
}

void Running::run(const Local& local) {
  std::byte* to = address(local.to);
  const std::byte* a = address(local.a);
  if (local.kind == Local::Kind::combine)
    binding_.combine(a, address(local.b), to, local.count);
  else if (to != a)
    copy_block(to, a, local.count * binding_.type->bytes);
}

std::string Running::waiting_for() const {
  if (done()) return "nothing";
  if (round_ == schedule().rounds.size())
    return fmt::format("{}, waiting for the last messages to be taken", binding_.name);
  const auto transfers = schedule().transfers_of(schedule().rounds[round_]);
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    if (requests_[i] == MPI_REQUEST_NULL) continue;
    const Transfer& t = transfers[i];
    const char* what = t.kind == Transfer::Kind::send ? "to take" : "to give";
    return fmt::format("{}, round {} of {}, waiting for rank {} {} {} words", binding_.name, round_ + 1,
                       schedule().rounds.size(), t.peer, what, t.count);
  }
  return binding_.name;
}

std::shared_ptr<Running> Engine::start(std::shared_ptr<const CountedSchedule> plan, const Binding& binding,
                                       Running::Seating seating) {
  if (last_ == nullptr || last_.use_count() > 1 || !last_->is_free()) last_ = std::make_shared<Running>();
  std::shared_ptr<Running> operation = last_;
  operation->begin(std::move(plan), binding, std::move(seating), pool_);
  operation->advance();
  if (!operation->done()) active_.push_back(operation);
  return operation;
}

bool Engine::progress() {
  bool happened = false;
  for (const auto& operation : active_) happened |= operation->advance();
  if (happened) std::erase_if(active_, [](const auto& operation) { return operation->done(); });
  return happened;
}

void Engine::wait(const Running& operation) {
  drive_until([&] { return operation.done(); }, &operation);
}

void Engine::wait_until(const std::function<bool()>& done) { drive_until(done, nullptr); }

template <class Done>
void Engine::drive_until(const Done& done, const Running* reported) {
  const double limit = options_.watchdog_seconds;
  Patience patience;
  while (!done()) {
    if (progress()) {
      patience.renew();
      continue;
    }
    const auto pause = patience.pause();
    if (!pause) continue;
    if (*pause == Patience::Clock::duration::zero())
      sched_yield();
    else
      std::this_thread::sleep_for(*pause);
    if (limit > 0 && patience.waited() > limit) report_stall(reported, patience.waited());
  }
}

// Without an operation: the one that has been under way for longest.
void Engine::report_stall(const Running* operation, double seconds) {
  stalled_ = true;
  if (operation == nullptr && !active_.empty()) operation = active_.front().get();
  const std::string phase = traffic_.current_path();
  fail<TimeoutError>("no progress for {:.1f} s in phase '{}': {}", seconds, phase.empty() ? "(none)" : phase,
                     operation != nullptr ? operation->waiting_for() : "nothing");
}

Ongoing& Ongoing::operator=(Ongoing&& other) noexcept {
  if (this == &other) return *this;
  settle();
  engine_ = std::move(other.engine_);
  running_ = std::move(other.running_);
  return *this;
}

bool Ongoing::test() {
  if (done()) return true;
  engine_->progress();
  return done();
}

void Ongoing::wait() {
  if (!done()) engine_->wait(*running_);
}

void Ongoing::settle() noexcept {
  if (done() || !mpi_is_alive()) return;
  try {
    wait();
  } catch (const Error&) {
    // The engine keeps the operation and its work memory: MPI may still write there.
  }
}

void wait_all(std::span<Ongoing> operations) {
  for (Ongoing& operation : operations) operation.wait();
}

}  // namespace cairn::comm
