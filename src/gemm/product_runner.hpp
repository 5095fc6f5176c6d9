// Multiplies on one communicator, one after the other. Keeps what the next call can use again: the Programs with
// their exchanges, the work buffers and a window over them. The second call of a shape plans nothing and
// allocates nothing.
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <span>

#include "base/buffer.hpp"
#include "gemm/compile.hpp"
#include "program/run.hpp"

namespace cairn::gemm {

// A rank's part of a matrix: in the schedule's native layout, or as its placement says, with a leading
// dimension there (0: the least).
template <class T>
struct LocalPart {
  T* data = nullptr;
  Index elements = 0;
  Index leading_dimension = 0;

  template <class Range>
  requires std::convertible_to<Range&&, std::span<T>> LocalPart(Range&& part)  // NOLINT: a span, a vector
      : data(std::span<T>(part).data()), elements(std::ssize(std::span<T>(part))) {}
  LocalPart(T* at, Index count, Index ld) : data(at), elements(count), leading_dimension(ld) {}
};

class ProductRunner {
 public:
  struct Limits {
    std::size_t programs = 32;  // kept; the one that was not used longest goes
    Index work_bytes = -1;      // leased and kept; below 0: no limit
  };

  // One-sided schedules need a communicator that was made from the user's, not split off (comm::Window).
  explicit ProductRunner(comm::CommView comm) : ProductRunner(comm, Limits{}) {}
  ProductRunner(comm::CommView comm, const Limits& limits);

  // Collective. C := alpha op(A) op(B) + beta C; a, b, c: this rank's part in the schedule's native layout,
  // with NativeLayout::local_count elements each (none on idle ranks), or in the placement's. A wrong argument on any rank,
  // arguments that differ between ranks, and running out of memory are the same error on all ranks, before
  // any work. The kinds of alpha and beta in the schedule's problem are replaced by those of the values.
  //
  // Words: program::count(compile(schedule, rank)), plus one small agreement (phase "agreement") unless the
  // communicator is unchecked. `threads` pack and unpack; each rank's own business.
  template <Scalar T>
  void multiply(const Schedule& schedule, T alpha, std::type_identity_t<LocalPart<const T>> a,
                std::type_identity_t<LocalPart<const T>> b, T beta, std::type_identity_t<LocalPart<T>> c,
                int threads = 1);

  // The multiplies from now on are recorded there; null: no more.
  void record(program::Trace* trace) { trace_ = trace; }

  comm::CommView comm() const { return comm_; }
  const Pool& pool() const { return pool_; }
  void trim() { pool_.trim(); }  // frees the work memory that is kept; a window stays

 private:
  // What belongs to one schedule, and to one way to lie in memory.
  struct Prepared {
    Schedule schedule;
    std::array<Index, 3> leading{};
    program::Program program;
  };
  // The work buffer of all one-sided schedules, and the window over it: as long as the longest so far.
  struct Shown {
    Pool::Lease memory;
    Index bytes = 0;  // asked for, the same on all ranks; a lease may be longer
    std::optional<comm::Window> window;
  };

  std::list<Prepared>::iterator find(const Schedule& schedule, const std::array<Index, 3>& leading);
  Prepared& keep(Prepared&& fresh);
  bool needs_longer_window(const Schedule& s) const;
  Pool::Lease lease_work(const Schedule& s, const program::Program& program);
  void show(Pool::Lease longer, Index bytes);

  comm::CommView comm_;
  Limits limits_;
  Pool pool_;
  std::list<Prepared> prepared_;  // most recently used first
  Shown shown_;
  program::Trace* trace_ = nullptr;
};

#define CAIRN_EXTERN(T)                                                                                      \
  extern template void ProductRunner::multiply(const Schedule&, T, std::type_identity_t<LocalPart<const T>>, \
                                               std::type_identity_t<LocalPart<const T>>, T,                  \
                                               std::type_identity_t<LocalPart<T>>, int);
CAIRN_EXTERN(float)
CAIRN_EXTERN(double)
CAIRN_EXTERN(std::complex<float>)
CAIRN_EXTERN(std::complex<double>)
#undef CAIRN_EXTERN

}  // namespace cairn::gemm
