// Communicators: a move-only owner and a cheap view to pass around.
#pragma once

#include <mpi.h>

#include <memory>

#include "comm/engine.hpp"

namespace cairn::comm {

class Communicator;

namespace detail {
struct CommState;
}

// A communicator somebody else owns. Copies freely; must not outlive its owner.
class CommView {
 public:
  int rank() const noexcept;
  int size() const noexcept;
  MPI_Comm handle() const noexcept;
  bool is_whole() const noexcept;  // made from a user's communicator, not split off
  Traffic& traffic() const noexcept;
  Pool& pool() const noexcept;  // work memory of this communicator and all of its family
  const CommOptions& options() const noexcept;
  // The watchdog has bitten on this communicator or its family: what is collective hangs from now on.
  bool stalled() const noexcept;
  // Both for this communicator and all of its family.
  void set_watchdog(double seconds) const;
  void set_crowded(bool crowded) const;  // LinkCost::crowded; the same on all ranks

  // The same communicator without the agreement on arguments before each collective: for callers that have
  // made sure already.
  CommView unchecked() const;
  bool is_checked() const noexcept { return checked_; }

  // Drives every operation under way on this communicator and its relatives; true if anything happened.
  bool progress() const;
  // The same until done() holds, which may start operations. Throws TimeoutError when the watchdog bites.
  void wait_until(const std::function<bool()>& done) const;

  // Starts a schedule. `window` only for schedules that get. Counts its traffic under the phase that is open
  // now.
  Ongoing start(RankSchedule&& schedule, const Binding& binding, MPI_Win window = MPI_WIN_NULL) const;
  // The same, with the schedule of the last call if that had the same key: most programs repeat themselves.
  template <class Make>
  Ongoing start(const ScheduleKey& key, const Binding& binding, Make&& make) const {
    if (!keeps(key)) keep(key, make());
    return start_kept(binding);
  }
  // On a tag of the caller's, 0 <= tag < user_tags: for messages between two ranks, and for schedules of some of
  // the ranks.
  Ongoing start_tagged(RankSchedule&& schedule, const Binding& binding, int tag,
                       MPI_Win window = MPI_WIN_NULL) const;
  Ongoing start_tagged(std::shared_ptr<const CountedSchedule> schedule, const Binding& binding,
                       int tag) const;

  // Collective. Ranks of one colour form a communicator, ordered by key, then rank; a negative colour takes
  // part in none and gets an empty Communicator. Costs a few small messages inside MPI, which Traffic does
  // not count.
  Communicator split(int color, int key) const;

 private:
  friend class Communicator;
  CommView(detail::CommState* state, bool checked) : state_(state), checked_(checked) {}
  Ongoing launch(std::shared_ptr<const CountedSchedule> plan, const Binding& binding, MPI_Win window,
                 int tag) const;
  bool keeps(const ScheduleKey& key) const;
  void keep(const ScheduleKey& key, RankSchedule&& schedule) const;
  Ongoing start_kept(const Binding& binding) const;

  detail::CommState* state_;
  bool checked_;
};

// Owns an MPI communicator; frees it when it dies, unless MPI has ended before.
class Communicator {
 public:
  Communicator() = default;  // no communicator
  Communicator(Communicator&&) noexcept = default;
  Communicator& operator=(Communicator&&) noexcept = default;

  // Collective the first time: the user's communicator is duplicated once, and the duplicate is kept with it
  // until the user frees it. Later calls for the same communicator share it, its counters and its options.
  static Communicator of(MPI_Comm user, const CommOptions& options = {});

  explicit operator bool() const noexcept { return state_ != nullptr; }
  CommView view() const;
  operator CommView() const { return view(); }  // NOLINT(google-explicit-constructor): an owner is a view

 private:
  friend class CommView;
  explicit Communicator(std::shared_ptr<detail::CommState> state) : state_(std::move(state)) {}

  std::shared_ptr<detail::CommState> state_;
};

// Collective. How many ranks of the communicator share this rank's memory.
int ranks_on_this_node(CommView comm);

inline constexpr int user_tags = 4096;  // tags 0 .. user_tags-1 are for messages between two ranks

}  // namespace cairn::comm
