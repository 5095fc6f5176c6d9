#include "gemm/context.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "comm/agreement.hpp"

namespace cairn::gemm {
namespace {

template <Scalar T>
Index bits_of(T alpha, T beta) {
  std::array<Index, 4> words{};
  static_assert(2 * sizeof(T) <= sizeof(words));
  std::memcpy(words.data(), &alpha, sizeof(T));
  std::memcpy(words.data() + 2, &beta, sizeof(T));
  return comm::fingerprint(words);
}

void check_part(std::string_view name, const void* data, Index count, Index expected) {
  require(count == expected, "{} has {} elements on this rank, expected {}", name, count, expected);
  require(count == 0 || data != nullptr, "{} is null with {} elements", name, count);
}

// C is written while A and B are read.
void check_apart(std::string_view name, const void* x, std::size_t x_bytes, const void* c,
                 std::size_t c_bytes) {
  const auto *x0 = static_cast<const std::byte*>(x), *c0 = static_cast<const std::byte*>(c);
  require(x_bytes == 0 || c_bytes == 0 || x0 + x_bytes <= c0 || c0 + c_bytes <= x0,
          "c overlaps {}, expected memory of its own", name);
}

template <Scalar T>
void check_parts(const Program& program, std::span<const T> a, std::span<const T> b, std::span<T> c) {
  check_part("a", a.data(), static_cast<Index>(a.size()), program.local_count(Matrix::a));
  check_part("b", b.data(), static_cast<Index>(b.size()), program.local_count(Matrix::b));
  check_part("c", c.data(), static_cast<Index>(c.size()), program.local_count(Matrix::c));
  check_apart("a", a.data(), a.size_bytes(), c.data(), c.size_bytes());
  check_apart("b", b.data(), b.size_bytes(), c.data(), c.size_bytes());
}

Index work_bytes(const Schedule& s) {
  return checked_mul(work_count(s), bytes(s.problem.type), "bytes of the faces");
}

// Moves the entry to the front of its list.
template <class List, class Iterator>
auto& touch(List& list, Iterator entry) {
  list.splice(list.begin(), list, entry);
  return list.front();
}

}  // namespace

Context::Context(comm::CommView comm, const Limits& limits)
    : comm_(comm), limits_(limits), pool_(limits.work_bytes) {
  require(limits.programs >= 1 && limits.grids >= 1, "limits of {} programs and {} grids, expected 1 or more",
          limits.programs, limits.grids);
}

std::list<Context::Prepared>::iterator Context::find(const Schedule& schedule) {
  return std::ranges::find_if(prepared_, [&](const Prepared& p) { return p.program.schedule == schedule; });
}

// All ranks make the same calls and agree before each, so that they keep and drop the same.
Context::Prepared& Context::keep(Prepared&& fresh) {
  if (prepared_.size() == limits_.programs) prepared_.pop_back();
  fresh.grid = grid_of(fresh.program.schedule.grid);
  prepared_.push_front(std::move(fresh));
  return prepared_.front();
}

std::shared_ptr<const comm::ProcessGrid> Context::grid_of(const Grid& extents) {
  const auto found = std::ranges::find_if(grids_, [&](const NamedGrid& g) { return g.extents == extents; });
  if (found != grids_.end()) return touch(grids_, found).grid;
  if (grids_.size() == limits_.grids) grids_.pop_back();
  grids_.push_front({extents, std::make_shared<comm::ProcessGrid>(
                                  comm_, comm::GridShape({extents.pm, extents.pn, extents.pk}))});
  return grids_.front().grid;
}

// The same on all ranks, idle ones too: what lies in a window has the same length everywhere.
bool Context::needs_longer_window(const Schedule& s) const {
  return s.transport == comm::Transport::one_sided && work_bytes(s) > shown_.bytes;
}

// What this call needs beyond what is shown already.
Pool::Lease Context::lease_work(const Schedule& s) {
  const bool two_sided = s.transport == comm::Transport::two_sided && comm_.rank() < s.grid.ranks();
  return two_sided || needs_longer_window(s) ? pool_.lease(work_bytes(s)) : Pool::Lease();
}

// Collective. The others may read this memory from now on.
void Context::show(Pool::Lease longer, Index bytes) {
  shown_.window.reset();
  shown_.memory = std::move(longer);
  shown_.bytes = bytes;
  shown_.window.emplace(comm_, shown_.memory.as<std::byte>().first(static_cast<std::size_t>(bytes)));
}

template <Scalar T>
void Context::multiply(const Schedule& wanted, T alpha, std::span<const T> a, std::span<const T> b, T beta,
                       std::span<T> c) {
  Schedule schedule = wanted;
  schedule.problem.alpha = kind_of(alpha);
  schedule.problem.beta = kind_of(beta);
  const Problem& p = schedule.problem;
  auto kept = prepared_.end();
  Prepared fresh;
  Pool::Lease work;
  const auto check_all = [&] {
    require(p.type == ScalarTraits<T>::type, "the schedule is for {}, the matrices are {}", name(p.type),
            name(ScalarTraits<T>::type));
    check(schedule, comm_.size());
    require(schedule.transport == comm::Transport::two_sided || comm_.is_whole(),
            "a one-sided schedule on a communicator that was split off, expected the one it came from");
    kept = find(schedule);
    if (kept == prepared_.end()) fresh.program = compile(schedule, comm_.rank());
    check_parts((kept == prepared_.end() ? fresh : *kept).program, a, b, c);
    work = lease_work(schedule);
  };
  if (comm_.is_checked()) {
    const CoreScope scope(trace_, Activity::agree, 0);
    comm::agree(comm_, "multiply", check_all,
                {{"m", p.m},
                 {"n", p.n},
                 {"k", p.k},
                 {"fingerprint of grid, rounds, ops, type and transport", fingerprint(schedule)},
                 {"fingerprint of alpha and beta", bits_of(alpha, beta)}});
  } else {
    check_all();
  }
  Prepared& prepared = kept == prepared_.end() ? keep(std::move(fresh)) : touch(prepared_, kept);
  const bool one_sided = schedule.transport == comm::Transport::one_sided;
  if (needs_longer_window(schedule)) show(std::exchange(work, {}), work_bytes(schedule));
  if (prepared.program.idle) return;
  run<T>(prepared.program, *prepared.grid, one_sided && shown_.window ? &*shown_.window : nullptr, alpha,
         beta, {a.data(), b.data(), c.data(), (one_sided ? shown_.memory : work).template as<T>().data()},
         trace_);
}

template void Context::multiply(const Schedule&, float, std::span<const float>, std::span<const float>, float,
                                std::span<float>);
template void Context::multiply(const Schedule&, double, std::span<const double>, std::span<const double>,
                                double, std::span<double>);
template void Context::multiply(const Schedule&, std::complex<float>, std::span<const std::complex<float>>,
                                std::span<const std::complex<float>>, std::complex<float>,
                                std::span<std::complex<float>>);
template void Context::multiply(const Schedule&, std::complex<double>, std::span<const std::complex<double>>,
                                std::span<const std::complex<double>>, std::complex<double>,
                                std::span<std::complex<double>>);

}  // namespace cairn::gemm
