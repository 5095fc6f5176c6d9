// Messages and collectives over spans. Every blocking call is its start_ call and a wait.
//
// Collective calls are made by all ranks of the communicator in the same order. Unless the view is
// unchecked(), the ranks first agree on the arguments (one small allreduce; starting then waits for the
// others), and a mistake on any rank is thrown on all. Counts are in elements, 64-bit. Input and output may
// be the same memory where it says "in place", and must not overlap otherwise.
//
// Words: p ranks, n elements in all. See algorithms.hpp for the schedules behind each call.
#pragma once

#include <span>
#include <type_traits>

#include "comm/communicator.hpp"
#include "comm/window.hpp"

namespace cairn::comm {

// How gathers and reductions move their words. One-sided: each rank takes what it needs out of the others'
// memory, through a window made before over the input of every rank.
struct CollectiveOptions {
  Transport transport = Transport::two_sided;
  Window* window = nullptr;
};

// This rank of a communicator, with the lengths of messages that suit elements of a type.
Seat seat_of(CommView comm, const ElementType& type);
Seat seat_of(int rank, int ranks, Index element_bytes);

// ---- between two ranks ------------------------------------------------------------------------------
// Not collective; the receiver's count must be the sender's. 0 <= tag < user_tags.
[[nodiscard]] Ongoing start_send(CommView comm, ConstData data, int to, int tag = 0);
[[nodiscard]] Ongoing start_receive(CommView comm, Data data, int from, int tag = 0);

template <Transferable T>
void send(CommView comm, std::span<T> data, int to, int tag = 0) {
  start_send(comm, data, to, tag).wait();
}
template <Transferable T>
void receive(CommView comm, std::span<T> data, int from, int tag = 0) {
  start_receive(comm, data, from, tag).wait();
}

// ---- collectives, non-blocking ----------------------------------------------------------------------
[[nodiscard]] Ongoing start_barrier(CommView comm);
[[nodiscard]] Ongoing start_broadcast(CommView comm, Data data, int root);
[[nodiscard]] Ongoing start_reduce(CommView comm, ConstData input, Data output, ReduceOp op, int root);
[[nodiscard]] Ongoing start_allreduce(CommView comm, ConstData input, Data output, ReduceOp op);
[[nodiscard]] Ongoing start_allgather(CommView comm, ConstData mine, Data all,
                                      const CollectiveOptions& options = {});
[[nodiscard]] Ongoing start_allgatherv(CommView comm, ConstData mine, Data all, std::span<const Index> counts,
                                       const CollectiveOptions& options = {});
[[nodiscard]] Ongoing start_reduce_scatter(CommView comm, ConstData all, Data mine, ReduceOp op,
                                           const CollectiveOptions& options = {});
[[nodiscard]] Ongoing start_reduce_scatterv(CommView comm, ConstData all, Data mine,
                                            std::span<const Index> counts, ReduceOp op,
                                            const CollectiveOptions& options = {});
[[nodiscard]] Ongoing start_alltoall(CommView comm, ConstData input, Data output);
[[nodiscard]] Ongoing start_alltoallv(CommView comm, ConstData input, std::span<const Index> send_counts,
                                      Data output, std::span<const Index> receive_counts);
[[nodiscard]] Ongoing start_gather(CommView comm, ConstData mine, Data all, int root);
[[nodiscard]] Ongoing start_gatherv(CommView comm, ConstData mine, Data all, std::span<const Index> counts,
                                    int root);
[[nodiscard]] Ongoing start_scatter(CommView comm, ConstData all, Data mine, int root);
[[nodiscard]] Ongoing start_scatterv(CommView comm, ConstData all, Data mine, std::span<const Index> counts,
                                     int root);

// ---- collectives, blocking --------------------------------------------------------------------------
inline void barrier(CommView comm) { start_barrier(comm).wait(); }

// data of the root -> data of everybody. Everybody receives n; large: nobody sends more than n.
template <Transferable T>
void broadcast(CommView comm, std::span<T> data, int root) {
  start_broadcast(comm, data, root).wait();
}

// Sum (or max, min) of the inputs -> output of the root; the other ranks' output is not touched and may be
// empty. In place at the root. Large: nobody sends or receives more than n.
template <Reducible T>
void reduce(CommView comm, std::span<const std::type_identity_t<T>> input, std::span<T> output, ReduceOp op,
            int root) {
  start_reduce(comm, input, output, op, root).wait();
}

// Sum (or max, min) of the inputs -> output of everybody, the same bits everywhere. In place. Large: 2
// (p-1)/p n words.
template <Reducible T>
void allreduce(CommView comm, std::span<const std::type_identity_t<T>> input, std::span<T> output,
               ReduceOp op) {
  start_allreduce(comm, input, output, op).wait();
}
template <Reducible T>
T allreduce(CommView comm, T value, ReduceOp op) {
  T result = value;
  allreduce(comm, std::span<const T>(&value, 1), std::span<T>(&result, 1), op);
  return result;
}

// Blocks of all ranks, in rank order -> everybody. In place where mine is my block of all. (p-1)/p n words.
template <Transferable T>
void allgather(CommView comm, std::span<const std::type_identity_t<T>> mine, std::span<T> all,
               const CollectiveOptions& options = {}) {
  start_allgather(comm, mine, all, options).wait();
}
template <Transferable T>
void allgatherv(CommView comm, std::span<const std::type_identity_t<T>> mine, std::span<T> all,
                std::span<const Index> counts, const CollectiveOptions& options = {}) {
  start_allgatherv(comm, mine, all, counts, options).wait();
}

// Block r of the sum of everybody's `all` -> mine of rank r. (p-1)/p n words.
template <Reducible T>
void reduce_scatter(CommView comm, std::span<const std::type_identity_t<T>> all, std::span<T> mine,
                    ReduceOp op, const CollectiveOptions& options = {}) {
  start_reduce_scatter(comm, all, mine, op, options).wait();
}
template <Reducible T>
void reduce_scatterv(CommView comm, std::span<const std::type_identity_t<T>> all, std::span<T> mine,
                     std::span<const Index> counts, ReduceOp op, const CollectiveOptions& options = {}) {
  start_reduce_scatterv(comm, all, mine, counts, op, options).wait();
}

// Block i of my input -> block r of rank i's output. (p-1)/p n words.
template <Transferable T>
void alltoall(CommView comm, std::span<const std::type_identity_t<T>> input, std::span<T> output) {
  start_alltoall(comm, input, output).wait();
}
template <Transferable T>
void alltoallv(CommView comm, std::span<const std::type_identity_t<T>> input,
               std::span<const Index> send_counts, std::span<T> output,
               std::span<const Index> receive_counts) {
  start_alltoallv(comm, input, send_counts, output, receive_counts).wait();
}

// mine of all ranks, in rank order -> all of the root (elsewhere not touched). The counts are known to every
// rank.
template <Transferable T>
void gather(CommView comm, std::span<const std::type_identity_t<T>> mine, std::span<T> all, int root) {
  start_gather(comm, mine, all, root).wait();
}
template <Transferable T>
void gatherv(CommView comm, std::span<const std::type_identity_t<T>> mine, std::span<T> all,
             std::span<const Index> counts, int root) {
  start_gatherv(comm, mine, all, counts, root).wait();
}

// Block r of the root's all -> mine of rank r.
template <Transferable T>
void scatter(CommView comm, std::span<const std::type_identity_t<T>> all, std::span<T> mine, int root) {
  start_scatter(comm, all, mine, root).wait();
}
template <Transferable T>
void scatterv(CommView comm, std::span<const std::type_identity_t<T>> all, std::span<T> mine,
              std::span<const Index> counts, int root) {
  start_scatterv(comm, all, mine, counts, root).wait();
}

}  // namespace cairn::comm
