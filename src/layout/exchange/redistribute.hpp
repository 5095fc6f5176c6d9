// B := alpha op(A) + beta B between any two layouts.
//
// Every pair of ranks exchanges exactly the elements that change hands between them; what stays is copied
// without MPI.
#pragma once

#include "layout/exchange/exchange.hpp"

namespace cairn::layout {

// Collective. B := alpha op(A) + beta B; beta = 0 never reads B, alpha = 0 never reads A and moves nothing.
// A and B must not share memory. Every rank must name the same layouts, op, alpha and beta.
// Words: those of op(A) that are not yet where B wants them, once each, counted under phase "redistribute".
template <Scalar T>
void redistribute(comm::CommView comm, T alpha, Op op, const MatrixView<const T>& a, T beta,
                  const MatrixView<T>& b, const RedistributeOptions& options = {});

// Several moves in one exchange: one message between two ranks, not one a matrix. Several may go to one B,
// each with beta = 1: what is already here is added first, then the pieces that come, in their one order, so
// that the sum has the same bits each time.
template <Scalar T>
void redistribute(comm::CommView comm, std::span<const MoveData<T>> moves,
                  const RedistributeOptions& options = {});

// Runs a plan that was made before, for the same layouts. Not checked: for callers that have made sure.
template <Scalar T>
void run(const ExchangePlan& plan, comm::CommView comm, std::span<const MoveData<T>> moves,
         const RedistributeOptions& options = {});

// B := beta B on this rank; beta = 0 never reads B.
template <Scalar T>
void scale(const MatrixView<T>& b, T beta, int rank);

// Words and messages of a plan that runs with these options.
comm::Counters count(const ExchangePlan& plan, Index element_bytes, const RedistributeOptions& options = {});

}  // namespace cairn::layout
