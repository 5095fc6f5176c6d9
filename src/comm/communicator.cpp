#include "comm/communicator.hpp"

#include "comm/collectives.hpp"
#include "comm/mpi_call.hpp"

namespace cairn::comm {
namespace detail {

struct CommState : std::enable_shared_from_this<CommState> {
  CommState(MPI_Comm handle, std::shared_ptr<Engine> shared, bool is_whole)
      : comm(handle), engine(std::move(shared)), whole(is_whole) {
    check_mpi(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    check_mpi(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    check_mpi(MPI_Comm_size(comm, &size), "MPI_Comm_size");
    int* bound = nullptr;
    int found = 0;
    check_mpi(MPI_Comm_get_attr(comm, MPI_TAG_UB, static_cast<void*>(&bound), &found), "MPI_Comm_get_attr");
    last_tag = found != 0 ? std::min(*bound, 1 << 20) : 32767;  // 32767 is the least MPI promises
  }
  ~CommState() {
    if (mpi_is_alive()) MPI_Comm_free(&comm);
  }
  CommState(const CommState&) = delete;
  CommState& operator=(const CommState&) = delete;

  // Each collective gets a tag of its own, so that several may be under way at once. All ranks start the
  // collectives of a communicator in the same order, so they agree on it.
  int take_tag() {
    const int tag = next_tag;
    next_tag = next_tag == last_tag ? user_tags : next_tag + 1;
    return tag;
  }

  MPI_Comm comm;
  std::shared_ptr<Engine> engine;
  bool whole;
  int rank = 0;
  int size = 1;
  int next_tag = user_tags;
  int last_tag = 0;
  // The last schedule that follows from a few numbers: programs repeat themselves.
  ScheduleKey kept_for;
  LinkCost kept_at;
  std::shared_ptr<const CountedSchedule> kept;
};

}  // namespace detail

namespace {

// The duplicate lives as an attribute of the user's communicator.
using Kept = std::shared_ptr<detail::CommState>;

int drop_kept(MPI_Comm, int, void* value, void*) {
  delete static_cast<Kept*>(value);
  return MPI_SUCCESS;
}

int attribute_key() {
  static const int key = [] {
    int k = MPI_KEYVAL_INVALID;
    check_mpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &drop_kept, &k, nullptr),
              "MPI_Comm_create_keyval");
    return k;
  }();
  return key;
}

}  // namespace

Communicator Communicator::of(MPI_Comm user, const CommOptions& options) {
  require(mpi_is_alive(),
          "MPI is not running: call MPI_Init before and MPI_Finalize after the last use of Cairn");
  require(user != MPI_COMM_NULL,
          "communicator is MPI_COMM_NULL, expected a communicator this rank belongs to");
  int between_groups = 0;
  check_mpi(MPI_Comm_test_inter(user, &between_groups), "MPI_Comm_test_inter");
  require(between_groups == 0, "communicator is between two groups, expected one of a single group");
  Kept* kept = nullptr;
  int found = 0;
  check_mpi(MPI_Comm_get_attr(user, attribute_key(), static_cast<void*>(&kept), &found), "MPI_Comm_get_attr");
  if (found != 0) return Communicator(*kept);
  MPI_Comm duplicate = MPI_COMM_NULL;
  check_mpi(MPI_Comm_dup(user, &duplicate), "MPI_Comm_dup");
  auto state = std::make_shared<detail::CommState>(duplicate, std::make_shared<Engine>(options), true);
  check_mpi(MPI_Comm_set_attr(user, attribute_key(), new Kept(state)), "MPI_Comm_set_attr");
  return Communicator(std::move(state));
}

CommView Communicator::view() const {
  require(state_ != nullptr, "this rank is not a member of the communicator");
  return {state_.get(), state_->engine->options().check_arguments};
}

int CommView::rank() const noexcept { return state_->rank; }
int CommView::size() const noexcept { return state_->size; }
MPI_Comm CommView::handle() const noexcept { return state_->comm; }
bool CommView::is_whole() const noexcept { return state_->whole; }
Traffic& CommView::traffic() const noexcept { return state_->engine->traffic(); }
Pool& CommView::pool() const noexcept { return state_->engine->pool(); }
const CommOptions& CommView::options() const noexcept { return state_->engine->options(); }
bool CommView::stalled() const noexcept { return state_->engine->stalled(); }
void CommView::set_watchdog(double seconds) const { state_->engine->set_watchdog(seconds); }
void CommView::set_crowded(bool crowded) const { state_->engine->set_crowded(crowded); }
CommView CommView::unchecked() const { return {state_, false}; }
bool CommView::progress() const { return state_->engine->progress(); }
void CommView::wait_until(const std::function<bool()>& done) const { state_->engine->wait_until(done); }

Ongoing CommView::launch(std::shared_ptr<const CountedSchedule> plan, const Binding& binding, MPI_Win window,
                         int tag) const {
  Engine& engine = *state_->engine;
  engine.traffic().count(engine.traffic().current(), plan->moved);
  return {state_->engine,
          engine.start(std::move(plan), binding, {state_->shared_from_this(), state_->comm, window, tag})};
}

Ongoing CommView::start(RankSchedule&& schedule, const Binding& binding, MPI_Win window) const {
  return launch(std::make_shared<CountedSchedule>(std::move(schedule), binding.type->bytes), binding, window,
                state_->take_tag());
}

Ongoing CommView::start_tagged(RankSchedule&& schedule, const Binding& binding, int tag,
                               MPI_Win window) const {
  return launch(std::make_shared<CountedSchedule>(std::move(schedule), binding.type->bytes), binding, window,
                tag);
}

Ongoing CommView::start_tagged(std::shared_ptr<const CountedSchedule> schedule, const Binding& binding,
                               int tag) const {
  return launch(std::move(schedule), binding, MPI_WIN_NULL, tag);
}

bool CommView::keeps(const ScheduleKey& key) const {
  return state_->kept_for == key && state_->kept_at == options().cost;
}

void CommView::keep(const ScheduleKey& key, RankSchedule&& schedule) const {
  state_->kept = std::make_shared<CountedSchedule>(std::move(schedule), key.element_bytes);
  state_->kept_for = key;
  state_->kept_at = options().cost;
}

Ongoing CommView::start_kept(const Binding& binding) const {
  return launch(state_->kept, binding, MPI_WIN_NULL, state_->take_tag());
}

Communicator CommView::split(int color, int key) const {
  // MPI_Comm_split cannot be watched; a barrier of ours before it can, and catches the rank that does not
  // come.
  if (options().watchdog_seconds > 0) barrier(*this);
  MPI_Comm part = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split(state_->comm, color < 0 ? MPI_UNDEFINED : color, key, &part), "MPI_Comm_split");
  if (part == MPI_COMM_NULL) return {};
  return Communicator(std::make_shared<detail::CommState>(part, state_->engine, false));
}

int ranks_on_this_node(CommView comm) {
  MPI_Comm node = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split_type(comm.handle(), MPI_COMM_TYPE_SHARED, comm.rank(), MPI_INFO_NULL, &node),
            "MPI_Comm_split_type");
  int ranks = 1;
  const int code = MPI_Comm_size(node, &ranks);
  MPI_Comm_free(&node);
  check_mpi(code, "MPI_Comm_size");
  return ranks;
}

}  // namespace cairn::comm
