#include "comm/window.hpp"

#include <cstring>
#include <numeric>

#include "comm/agreement.hpp"
#include "comm/mpi_call.hpp"

namespace cairn::comm {
namespace {

// f(offset, count) for each message of at most the longest.
template <class F>
Index each_message(Index count, Index element_bytes, F&& f) {
  const Index limit = message_limit(element_bytes);
  Index messages = 0;
  for (Index at = 0; at < count; at += limit, ++messages) f(at, std::min(limit, count - at));
  return messages;
}

void close(MPI_Win& window) noexcept {
  if (window == MPI_WIN_NULL) return;
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
}

// The windows of this process that are open, in the order they were made, which is the same on all of their
// ranks.
std::vector<std::weak_ptr<MPI_Win>>& open_windows() {
  static std::vector<std::weak_ptr<MPI_Win>> list;
  return list;
}

int close_all(MPI_Comm, int, void*, void*) {
  for (const auto& entry : open_windows())
    if (const auto window = entry.lock()) close(*window);
  open_windows().clear();
  return MPI_SUCCESS;
}

// MPI libraries do not bear windows that are open when they end. The attributes of MPI_COMM_SELF are the
// first thing that MPI_Finalize destroys, while everything still works.
void close_at_finalize(const std::shared_ptr<MPI_Win>& window) {
  static const bool registered = [] {
    int key = MPI_KEYVAL_INVALID;
    check_mpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &close_all, &key, nullptr),
              "MPI_Comm_create_keyval");
    check_mpi(MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr), "MPI_Comm_set_attr");
    return true;
  }();
  static_cast<void>(registered);
  std::erase_if(open_windows(), [](const auto& entry) { return entry.expired(); });
  open_windows().push_back(window);
}

}  // namespace

Window::Window(CommView comm, Data memory) : comm_(comm), memory_(memory) {
  agree(comm, "window",
        [&] {
          require(comm.is_whole(),
                  "the communicator is a part that was split off, expected the one it came from");
          require(memory.count == 0 || memory.data != nullptr, "memory is null with {} elements",
                  memory.count);
        },
        {{"bytes of an element", memory.type->bytes}});
  if (comm.size() == 1) return;  // nobody else to reach it; some MPI libraries refuse such a window
  const auto bytes = checked_mul(memory.count, memory.type->bytes, "bytes of a window");
  window_ = std::make_shared<MPI_Win>(MPI_WIN_NULL);
  check_mpi(MPI_Win_create(memory.data, bytes, 1, MPI_INFO_NULL, comm.handle(), window_.get()),
            "MPI_Win_create");
  check_mpi(MPI_Win_set_errhandler(*window_, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler");
  check_mpi(MPI_Win_lock_all(MPI_MODE_NOCHECK, *window_), "MPI_Win_lock_all");
  close_at_finalize(window_);
}

Window::~Window() {
  if (!window_ || !mpi_is_alive()) return;
  if (comm_.stalled())
    *window_ = MPI_WIN_NULL;  // MPI_Win_free would wait for the rank that is missing
  else
    close(*window_);
}

std::vector<int> Window::ranks_of(CommView part) const {
  std::vector<int> from(static_cast<std::size_t>(part.size())), to(from.size());
  std::iota(from.begin(), from.end(), 0);
  MPI_Group part_group = MPI_GROUP_NULL, group = MPI_GROUP_NULL;
  check_mpi(MPI_Comm_group(part.handle(), &part_group), "MPI_Comm_group");
  check_mpi(MPI_Comm_group(comm_.handle(), &group), "MPI_Comm_group");
  const int code = MPI_Group_translate_ranks(part_group, part.size(), from.data(), group, to.data());
  MPI_Group_free(&part_group);
  MPI_Group_free(&group);
  check_mpi(code, "MPI_Group_translate_ranks");
  for (const int rank : to)
    require(rank != MPI_UNDEFINED, "the communicator has ranks that are not in the window");
  return to;
}

void Window::count(bool outward, Index messages, Index words) {
  Counters moved;
  (outward ? moved.sent : moved.received) = {messages, words, words * memory_.type->bytes};
  comm_.traffic().count(comm_.traffic().current(), moved);
}

void Window::get(int from, Index offset, Data to) {
  const Index width = memory_.type->bytes;
  const Index messages = each_message(to.count, width, [&](Index at, Index n) {
    const int bytes = narrow<int>(n * width, "bytes of one message");
    check_mpi(MPI_Get(static_cast<std::byte*>(to.data) + at * width, bytes, MPI_BYTE, from,
                      (offset + at) * width, bytes, MPI_BYTE, handle()),
              "MPI_Get");
  });
  check_mpi(MPI_Win_flush(from, handle()), "MPI_Win_flush");
  count(false, messages, to.count);
}

void Window::put(int to, Index offset, ConstData from) {
  const Index width = memory_.type->bytes;
  const Index messages = each_message(from.count, width, [&](Index at, Index n) {
    const int bytes = narrow<int>(n * width, "bytes of one message");
    check_mpi(MPI_Put(static_cast<const std::byte*>(from.data) + at * width, bytes, MPI_BYTE, to,
                      (offset + at) * width, bytes, MPI_BYTE, handle()),
              "MPI_Put");
  });
  check_mpi(MPI_Win_flush(to, handle()), "MPI_Win_flush");
  count(true, messages, from.count);
}

void Window::accumulate_bytes(int to, Index offset, ConstData from, MPI_Datatype type) {
  const Index width = memory_.type->bytes;
  const Index messages = each_message(from.count, width, [&](Index at, Index n) {
    const int elements = narrow<int>(n, "elements of one message");
    check_mpi(MPI_Accumulate(static_cast<const std::byte*>(from.data) + at * width, elements, type, to,
                             (offset + at) * width, elements, type, MPI_SUM, handle()),
              "MPI_Accumulate");
  });
  check_mpi(MPI_Win_flush(to, handle()), "MPI_Win_flush");
  count(true, messages, from.count);
}

template <>
MPI_Datatype Window::datatype<float>() {
  return MPI_FLOAT;
}
template <>
MPI_Datatype Window::datatype<double>() {
  return MPI_DOUBLE;
}
template <>
MPI_Datatype Window::datatype<std::complex<float>>() {
  return MPI_C_FLOAT_COMPLEX;
}
template <>
MPI_Datatype Window::datatype<std::complex<double>>() {
  return MPI_C_DOUBLE_COMPLEX;
}
template <>
MPI_Datatype Window::datatype<std::int32_t>() {
  return MPI_INT32_T;
}
template <>
MPI_Datatype Window::datatype<std::int64_t>() {
  return MPI_INT64_T;
}
template <>
MPI_Datatype Window::datatype<std::uint64_t>() {
  return MPI_UINT64_T;
}

}  // namespace cairn::comm
