#include "comm/collectives.hpp"

#include "comm/agreement.hpp"
#include "comm/mpi_call.hpp"

namespace cairn::comm {

Seat seat_of(CommView comm, const ElementType& type) { return seat_of(comm.rank(), comm.size(), type.bytes); }

Seat seat_of(int rank, int ranks, Index element_bytes) {
  // Pieces that are added on arrival fit into a second-level cache; those that are passed on are large enough
  // to make the time of a message small beside its words.
  constexpr Index piece_bytes = 512 * 1024, relay_bytes = 1024 * 1024;
  const auto elements = [&](Index bytes) { return std::max<Index>(1, bytes / element_bytes); };
  return {.rank = rank,
          .ranks = ranks,
          .message_elements = message_limit(element_bytes),
          .piece_elements = elements(piece_bytes),
          .relay_elements = elements(relay_bytes),
          .tree_elements = elements(relay_bytes)};
}

namespace {

// ---- checks: each throws on this rank; `verified` makes the error everybody's
void check_memory(std::string_view name, const void* data, Index count) {
  require(count == 0 || data != nullptr, "{} is null with {} elements", name, count);
}

void check_root(CommView comm, int root) {
  require(root >= 0 && root < comm.size(), "root is {}, expected 0 <= root < {}", root, comm.size());
}

void check_count(std::string_view name, Index count, Index expected) {
  require(count == expected, "{} has {} elements, expected {}", name, count, expected);
}

void check_same_type(const ElementType* a, const ElementType* b) {
  require(a->bytes == b->bytes, "input has elements of {} bytes, output of {}", a->bytes, b->bytes);
}

void check_counts(CommView comm, std::string_view name, std::span<const Index> counts) {
  require(static_cast<int>(counts.size()) == comm.size(),
          "{} has {} entries, expected one for each of {} ranks", name, counts.size(), comm.size());
  for (std::size_t i = 0; i < counts.size(); ++i)
    require(counts[i] >= 0, "{}[{}] is {}, expected 0 or more", name, i, counts[i]);
}

void check_combine(const ElementType* type, ReduceOp op) {
  require(type->combine(op) != nullptr, "this element type has no {}",
          op == ReduceOp::sum   ? "sum"
          : op == ReduceOp::max ? "maximum"
                                : "minimum");
}

template <class Check>
void verified(CommView comm, std::string_view operation, Check&& check, std::initializer_list<Same> same) {
  if (comm.is_checked()) agree(comm, operation, check, same);
}

// Blocks of equal size, from the length of the whole.
Partition even_parts(CommView comm, Index total) { return Partition::even(comm.size(), total / comm.size()); }

// ---- one-sided: a barrier before (the windows are filled), the gets, a barrier after (they are read)
// --------
Ongoing start_gets(CommView comm, RankSchedule gets, const Binding& binding, const CollectiveOptions& options,
                   const ElementType& type) {
  const std::vector<int> ranks = options.window->ranks_of(comm);
  for (Transfer& t : gets.transfers) t.peer = ranks[static_cast<std::size_t>(t.peer)];
  const RankSchedule barrier = barrier_dissemination(seat_of(comm, type));
  return comm.start(concatenate({&barrier, &gets, &barrier}), binding, options.window->handle());
}

void check_window(const CollectiveOptions& options, ConstData input) {
  if (options.transport == Transport::two_sided) return;
  require(options.window != nullptr, "a one-sided operation needs a window over its input");
  require(options.window->memory().data == input.data && options.window->memory().count >= input.count,
          "the window does not cover the input");
}

// Schedules of equal blocks are kept; those of unequal ones follow from too many numbers.
template <class Make>
Ongoing start(CommView comm, const Binding& binding, const Partition& parts, const ScheduleKey& key,
              Make&& make) {
  return parts.is_even() ? comm.start(key, binding, make) : comm.start(make(), binding);
}

Ongoing run_allgather(CommView comm, ConstData mine, Data all, const Partition& parts,
                      const CollectiveOptions& options) {
  const Seat seat = seat_of(comm, *all.type);
  const Binding binding{mine.data, all.data, all.type, nullptr, "allgather"};
  if (options.transport == Transport::one_sided)
    return start_gets(comm, allgather_get(seat, parts), binding, options, *all.type);
  return start(comm, binding, parts, {binding.name, parts.count(0), all.type->bytes},
               [&] { return choose_allgather(seat, parts, all.type->bytes, comm.options().cost); });
}

Ongoing run_reduce_scatter(CommView comm, ConstData all, Data mine, const Partition& parts, ReduceOp op,
                           const CollectiveOptions& options) {
  const Seat seat = seat_of(comm, *all.type);
  const Binding binding{all.data, mine.data, all.type, all.type->combine(op), "reduce_scatter"};
  if (options.transport == Transport::one_sided)
    return start_gets(comm, reduce_scatter_get(seat, parts), binding, options, *all.type);
  return start(comm, binding, parts, {binding.name, parts.count(0), all.type->bytes},
               [&] { return choose_reduce_scatter(seat, parts, all.type->bytes, comm.options().cost); });
}

Ongoing start_between_two(CommView comm, Data data, int peer, int tag, bool outward) {
  const char* name = outward ? "send" : "receive";
  check_memory("data", data.data, data.count);
  require(peer >= 0 && peer < comm.size(), "{}: peer is {}, expected 0 <= peer < {}", name, peer,
          comm.size());
  require(tag >= 0 && tag < user_tags, "{}: tag is {}, expected 0 <= tag < {}", name, tag, user_tags);
  ScheduleBuilder b(message_limit(data.type->bytes));
  if (outward)
    b.send(peer, in(0), data.count);
  else
    b.receive(peer, out(0), data.count);
  return comm.start_tagged(b.finish(), {data.data, data.data, data.type, nullptr, name}, tag);
}

}  // namespace

Ongoing start_send(CommView comm, ConstData data, int to, int tag) {
  Data writable;
  writable.data = const_cast<void*>(data.data);  // a send only reads
  writable.count = data.count;
  writable.type = data.type;
  return start_between_two(comm, writable, to, tag, true);
}

Ongoing start_receive(CommView comm, Data data, int from, int tag) {
  return start_between_two(comm, data, from, tag, false);
}

Ongoing start_barrier(CommView comm) {
  verified(comm, "barrier", [] {}, {});
  const ElementType& byte = element_type<std::byte>();
  const Binding binding{nullptr, nullptr, &byte, nullptr, "barrier"};
  return comm.start({binding.name, 0, 1}, binding,
                    [&] { return barrier_dissemination(seat_of(comm, byte)); });
}

Ongoing start_broadcast(CommView comm, Data data, int root) {
  verified(comm, "broadcast",
           [&] {
             check_memory("data", data.data, data.count);
             check_root(comm, root);
           },
           {{"count", data.count}, {"root", root}, {"bytes of an element", data.type->bytes}});
  const Binding binding{nullptr, data.data, data.type, nullptr, "broadcast"};
  const Index bytes = data.type->bytes;
  return comm.start({binding.name, data.count, bytes, root}, binding, [&] {
    return choose_broadcast(seat_of(comm, *data.type), data.count, root, bytes, comm.options().cost);
  });
}

Ongoing start_reduce(CommView comm, ConstData input, Data output, ReduceOp op, int root) {
  verified(comm, "reduce",
           [&] {
             check_memory("input", input.data, input.count);
             check_root(comm, root);
             check_combine(input.type, op);
             check_same_type(input.type, output.type);
             if (comm.rank() != root) return;
             check_memory("output", output.data, output.count);
             check_count("output", output.count, input.count);
           },
           {{"count", input.count}, {"root", root}, {"bytes of an element", input.type->bytes}});
  Seat seat = seat_of(comm, *input.type);
  seat.separate_output = input.data != output.data;
  const Index bytes = input.type->bytes;
  const Binding binding{input.data, output.data, input.type, input.type->combine(op), "reduce"};
  return comm.start({binding.name, input.count, bytes, root, seat.separate_output}, binding,
                    [&] { return choose_reduce(seat, input.count, root, bytes, comm.options().cost); });
}

Ongoing start_allreduce(CommView comm, ConstData input, Data output, ReduceOp op) {
  verified(comm, "allreduce",
           [&] {
             check_memory("input", input.data, input.count);
             check_memory("output", output.data, output.count);
             check_count("output", output.count, input.count);
             check_combine(input.type, op);
             check_same_type(input.type, output.type);
           },
           {{"count", input.count}, {"bytes of an element", input.type->bytes}});
  const Binding binding{input.data, output.data, input.type, input.type->combine(op), "allreduce"};
  const Index bytes = input.type->bytes;
  return comm.start({binding.name, input.count, bytes}, binding, [&] {
    return choose_allreduce(seat_of(comm, *input.type), input.count, bytes, comm.options().cost);
  });
}

Ongoing start_allgather(CommView comm, ConstData mine, Data all, const CollectiveOptions& options) {
  verified(comm, "allgather",
           [&] {
             check_memory("mine", mine.data, mine.count);
             check_memory("all", all.data, all.count);
             check_count("all", all.count, checked_mul(mine.count, comm.size(), "elements of all"));
             check_same_type(mine.type, all.type);
             check_window(options, mine);
           },
           {{"count", mine.count}, {"bytes of an element", all.type->bytes}});
  return run_allgather(comm, mine, all, even_parts(comm, all.count), options);
}

Ongoing start_allgatherv(CommView comm, ConstData mine, Data all, std::span<const Index> counts,
                         const CollectiveOptions& options) {
  verified(comm, "allgatherv",
           [&] {
             check_counts(comm, "counts", counts);
             check_memory("mine", mine.data, mine.count);
             check_memory("all", all.data, all.count);
             check_count("mine", mine.count, counts[static_cast<std::size_t>(comm.rank())]);
             check_count("all", all.count, Partition::of_counts(counts).total());
             check_same_type(mine.type, all.type);
             check_window(options, mine);
           },
           {{"counts", fingerprint(counts),
             [&] {
               return std::vector<Argument>{{"counts", list_text(counts)}};
             }},
            {"bytes of an element", all.type->bytes}});
  return run_allgather(comm, mine, all, Partition::of_counts(counts), options);
}

Ongoing start_reduce_scatter(CommView comm, ConstData all, Data mine, ReduceOp op,
                             const CollectiveOptions& options) {
  verified(comm, "reduce_scatter",
           [&] {
             check_memory("all", all.data, all.count);
             check_memory("mine", mine.data, mine.count);
             check_count("all", all.count, checked_mul(mine.count, comm.size(), "elements of all"));
             check_combine(all.type, op);
             check_same_type(all.type, mine.type);
             check_window(options, all);
           },
           {{"count", mine.count}, {"bytes of an element", all.type->bytes}});
  return run_reduce_scatter(comm, all, mine, even_parts(comm, all.count), op, options);
}

Ongoing start_reduce_scatterv(CommView comm, ConstData all, Data mine, std::span<const Index> counts,
                              ReduceOp op, const CollectiveOptions& options) {
  verified(comm, "reduce_scatterv",
           [&] {
             check_counts(comm, "counts", counts);
             check_memory("all", all.data, all.count);
             check_memory("mine", mine.data, mine.count);
             check_count("mine", mine.count, counts[static_cast<std::size_t>(comm.rank())]);
             check_count("all", all.count, Partition::of_counts(counts).total());
             check_combine(all.type, op);
             check_same_type(all.type, mine.type);
             check_window(options, all);
           },
           {{"counts", fingerprint(counts),
             [&] {
               return std::vector<Argument>{{"counts", list_text(counts)}};
             }},
            {"bytes of an element", all.type->bytes}});
  return run_reduce_scatter(comm, all, mine, Partition::of_counts(counts), op, options);
}

namespace {

Ongoing run_alltoall(CommView comm, ConstData input, const Partition& send, Data output,
                     const Partition& receive) {
  const Binding binding{input.data, output.data, input.type, nullptr, "alltoall"};
  const bool even = send.is_even() && receive.is_even() && send.count(0) == receive.count(0);
  const auto make = [&] { return alltoall_direct(seat_of(comm, *input.type), send, receive); };
  return even ? comm.start({binding.name, send.count(0), input.type->bytes}, binding, make)
              : comm.start(make(), binding);
}

// Sum over all ranks of a number of mine: what I send to others must be what they expect from me. A full
// comparison of p x p counts costs p words per rank; the sums of what is sent and expected catch most mistakes
// for one word.
void check_balance(CommView comm, Index sent, Index expected) {
  const Index excess = allreduce<Index>(comm.unchecked(), sent - expected, ReduceOp::sum);
  require(excess == 0, "alltoallv: all ranks together send {} elements {} than they expect to receive",
          excess > 0 ? excess : -excess, excess > 0 ? "more" : "fewer");
}

}  // namespace

Ongoing start_alltoall(CommView comm, ConstData input, Data output) {
  verified(comm, "alltoall",
           [&] {
             check_memory("input", input.data, input.count);
             check_memory("output", output.data, output.count);
             require(input.count % comm.size() == 0, "input has {} elements, expected a multiple of {} ranks",
                     input.count, comm.size());
             check_count("output", output.count, input.count);
             check_same_type(input.type, output.type);
           },
           {{"count", input.count}, {"bytes of an element", input.type->bytes}});
  const Partition parts = even_parts(comm, input.count);
  return run_alltoall(comm, input, parts, output, parts);
}

Ongoing start_alltoallv(CommView comm, ConstData input, std::span<const Index> send_counts, Data output,
                        std::span<const Index> receive_counts) {
  verified(comm, "alltoallv",
           [&] {
             check_counts(comm, "send_counts", send_counts);
             check_counts(comm, "receive_counts", receive_counts);
             check_memory("input", input.data, input.count);
             check_memory("output", output.data, output.count);
             check_count("input", input.count, Partition::of_counts(send_counts).total());
             check_count("output", output.count, Partition::of_counts(receive_counts).total());
             const auto me = static_cast<std::size_t>(comm.rank());
             require(send_counts[me] == receive_counts[me],
                     "send_counts[{0}] is {1} and receive_counts[{0}] is {2} on rank {0} itself", me,
                     send_counts[me], receive_counts[me]);
             check_same_type(input.type, output.type);
           },
           {{"bytes of an element", input.type->bytes}});
  if (comm.is_checked()) check_balance(comm, input.count, output.count);
  return run_alltoall(comm, input, Partition::of_counts(send_counts), output,
                      Partition::of_counts(receive_counts));
}

namespace {

// Gather and scatter differ in direction only: `whole` is used at the root, `mine` everywhere.
void check_rooted(CommView comm, ConstData mine, ConstData whole, const Partition& parts, int root) {
  check_root(comm, root);
  check_memory("mine", mine.data, mine.count);
  check_same_type(mine.type, whole.type);
  check_count("mine", mine.count, parts.count(comm.rank()));
  if (comm.rank() != root) return;
  check_memory("all", whole.data, whole.count);
  check_count("all", whole.count, parts.total());
}

ConstData readonly(const Data& d) {
  ConstData c;
  c.data = d.data;
  c.count = d.count;
  c.type = d.type;
  return c;
}

Ongoing run_gather(CommView comm, ConstData mine, Data all, const Partition& parts, int root) {
  const Index bytes = mine.type->bytes;
  const Binding binding{mine.data, all.data, mine.type, nullptr, "gather"};
  return start(comm, binding, parts, {binding.name, parts.count(0), bytes, root}, [&] {
    return choose_gather(seat_of(comm, *mine.type), parts, root, bytes, comm.options().cost);
  });
}

Ongoing run_scatter(CommView comm, ConstData all, Data mine, const Partition& parts, int root) {
  const Index bytes = mine.type->bytes;
  const Binding binding{all.data, mine.data, mine.type, nullptr, "scatter"};
  return start(comm, binding, parts, {binding.name, parts.count(0), bytes, root}, [&] {
    return choose_scatter(seat_of(comm, *mine.type), parts, root, bytes, comm.options().cost);
  });
}

}  // namespace

Ongoing start_gather(CommView comm, ConstData mine, Data all, int root) {
  const Partition parts = Partition::even(comm.size(), mine.count);
  verified(comm, "gather", [&] { check_rooted(comm, mine, readonly(all), parts, root); },
           {{"count", mine.count}, {"root", root}, {"bytes of an element", mine.type->bytes}});
  return run_gather(comm, mine, all, parts, root);
}

Ongoing start_gatherv(CommView comm, ConstData mine, Data all, std::span<const Index> counts, int root) {
  verified(comm, "gatherv",
           [&] {
             check_counts(comm, "counts", counts);
             check_rooted(comm, mine, readonly(all), Partition::of_counts(counts), root);
           },
           {{"counts", fingerprint(counts),
             [&] {
               return std::vector<Argument>{{"counts", list_text(counts)}};
             }},
            {"root", root},
            {"bytes of an element", mine.type->bytes}});
  return run_gather(comm, mine, all, Partition::of_counts(counts), root);
}

Ongoing start_scatter(CommView comm, ConstData all, Data mine, int root) {
  const Partition parts = Partition::even(comm.size(), mine.count);
  verified(comm, "scatter", [&] { check_rooted(comm, readonly(mine), all, parts, root); },
           {{"count", mine.count}, {"root", root}, {"bytes of an element", mine.type->bytes}});
  return run_scatter(comm, all, mine, parts, root);
}

Ongoing start_scatterv(CommView comm, ConstData all, Data mine, std::span<const Index> counts, int root) {
  verified(comm, "scatterv",
           [&] {
             check_counts(comm, "counts", counts);
             check_rooted(comm, readonly(mine), all, Partition::of_counts(counts), root);
           },
           {{"counts", fingerprint(counts),
             [&] {
               return std::vector<Argument>{{"counts", list_text(counts)}};
             }},
            {"root", root},
            {"bytes of an element", mine.type->bytes}});
  return run_scatter(comm, all, mine, Partition::of_counts(counts), root);
}

}  // namespace cairn::comm
