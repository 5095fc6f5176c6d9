// Multiplies on one communicator, one after the other. Keeps what the next call can use again: the Programs,
// the grids' communicators, the work buffers and a window over them.
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <span>

#include "base/buffer.hpp"
#include "gemm/run.hpp"

namespace cairn::gemm {

class Context {
 public:
  struct Limits {
    std::size_t programs = 32;  // kept; the one that was not used longest goes
    std::size_t grids = 8;
    Index work_bytes = -1;  // leased and kept; below 0: no limit
  };

  // One-sided schedules need a communicator that was made from the user's, not split off (comm::Window).
  explicit Context(comm::CommView comm) : Context(comm, Limits{}) {}
  Context(comm::CommView comm, const Limits& limits);

  // Collective. C := alpha op(A) op(B) + beta C; a, b, c: this rank's part in the schedule's native layout,
  // with NativeLayout::local_count elements each (none on idle ranks). A wrong argument on any rank,
  // arguments that differ between ranks, and running out of memory are the same error on all ranks, before
  // any work. The kinds of alpha and beta in the schedule's problem are replaced by those of the values.
  //
  // Words: count(compile(schedule, rank)), plus one small agreement (phase "agreement") unless the
  // communicator is unchecked; the first call of a grid makes its communicators.
  template <Scalar T>
  void multiply(const Schedule& schedule, T alpha, std::span<const T> a, std::span<const T> b, T beta,
                std::span<T> c);

  // The multiplies from now on are recorded there; null: no more.
  void record(Trace* trace) { trace_ = trace; }

  comm::CommView comm() const { return comm_; }
  const Pool& pool() const { return pool_; }
  void trim() { pool_.trim(); }  // frees the work memory that is kept; a window stays

 private:
  // What belongs to one schedule.
  struct Prepared {
    Program program;
    std::shared_ptr<const comm::ProcessGrid> grid;
  };
  // The work buffer of all one-sided schedules, and the window over it: as long as the longest so far.
  struct Shown {
    Pool::Lease memory;
    Index bytes = 0;  // asked for, the same on all ranks; a lease may be longer
    std::optional<comm::Window> window;
  };
  struct NamedGrid {
    Grid extents;
    std::shared_ptr<const comm::ProcessGrid> grid;
  };

  std::list<Prepared>::iterator find(const Schedule& schedule);
  Prepared& keep(Prepared&& fresh);
  bool needs_longer_window(const Schedule& s) const;
  Pool::Lease lease_work(const Schedule& s);
  void show(Pool::Lease longer, Index bytes);
  std::shared_ptr<const comm::ProcessGrid> grid_of(const Grid& extents);

  comm::CommView comm_;
  Limits limits_;
  Pool pool_;
  std::list<Prepared> prepared_;  // most recently used first
  std::list<NamedGrid> grids_;
  Shown shown_;
  Trace* trace_ = nullptr;
};

extern template void Context::multiply(const Schedule&, float, std::span<const float>, std::span<const float>,
                                       float, std::span<float>);
extern template void Context::multiply(const Schedule&, double, std::span<const double>,
                                       std::span<const double>, double, std::span<double>);
extern template void Context::multiply(const Schedule&, std::complex<float>,
                                       std::span<const std::complex<float>>,
                                       std::span<const std::complex<float>>, std::complex<float>,
                                       std::span<std::complex<float>>);
extern template void Context::multiply(const Schedule&, std::complex<double>,
                                       std::span<const std::complex<double>>,
                                       std::span<const std::complex<double>>, std::complex<double>,
                                       std::span<std::complex<double>>);

}  // namespace cairn::gemm
