#include "gemm/product_runner.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "comm/agreement.hpp"
#include "gemm/placement.hpp"

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

std::vector<comm::Argument> arguments_of(const Schedule& s) {
  std::vector<comm::Argument> all{{"product", describe(s.problem)}, {"schedule", describe(s)}};
  if (s.placement)
    for (const Matrix x : all_matrices)
      all.push_back({fmt::format("layout of {}", name(x)), s.placement->matrices[index(x)].text()});
  return all;
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
void check_native_parts(const program::Program& program, const LocalPart<const T>& a,
                        const LocalPart<const T>& b, const LocalPart<T>& c) {
  check_part("a", a.data, a.elements, program.array_counts[1]);
  check_part("b", b.data, b.elements, program.array_counts[2]);
  check_part("c", c.data, c.elements, program.array_counts[3]);
  const auto bytes = [](const auto& x) { return static_cast<std::size_t>(x.elements) * sizeof(T); };
  check_apart("a", a.data, bytes(a), c.data, bytes(c));
  check_apart("b", b.data, bytes(b), c.data, bytes(c));
}

// Parts of placed matrices may lie between each other: whether they share an element, their owner knows.
template <Scalar T>
void check_placed_parts(const Schedule& s, int rank, const LocalPart<const T>& a, const LocalPart<const T>& b,
                        const LocalPart<T>& c) {
  const auto check = [&](const auto& part, Matrix x) {
    layout::check_memory(
        layout::MatrixView<const T>{layout_of(s, x), part.data, part.elements, part.leading_dimension}, rank,
        name(x));
  };
  check(a, Matrix::a);
  check(b, Matrix::b);
  check(c, Matrix::c);
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

ProductRunner::ProductRunner(comm::CommView comm, const Limits& limits)
    : comm_(comm), limits_(limits), pool_(limits.work_bytes) {
  require(limits.programs >= 1, "limit of {} programs, expected 1 or more", limits.programs);
}

std::list<ProductRunner::Prepared>::iterator ProductRunner::find(const Schedule& schedule,
                                                                 const std::array<Index, 3>& leading) {
  return std::ranges::find_if(
      prepared_, [&](const Prepared& p) { return p.leading == leading && p.schedule == schedule; });
}

// All ranks make the same calls and agree before each, so that they keep and drop the same.
ProductRunner::Prepared& ProductRunner::keep(Prepared&& fresh) {
  if (prepared_.size() == limits_.programs) prepared_.pop_back();
  prepared_.push_front(std::move(fresh));
  return prepared_.front();
}

// The same on all ranks, idle ones too: what lies in a window has the same length everywhere.
bool ProductRunner::needs_longer_window(const Schedule& s) const {
  return s.transport == Transport::one_sided && work_bytes(s) > shown_.bytes;
}

// What this call needs beyond what is shown already.
Pool::Lease ProductRunner::lease_work(const Schedule& s, const program::Program& program) {
  if (s.transport == Transport::two_sided)
    return pool_.lease(checked_mul(program.array_counts[0], bytes(s.problem.type), "bytes of the faces"));
  return needs_longer_window(s) ? pool_.lease(work_bytes(s)) : Pool::Lease();
}

// Collective. The others may read this memory from now on.
void ProductRunner::show(Pool::Lease longer, Index bytes) {
  shown_.window.reset();
  shown_.memory = std::move(longer);
  shown_.bytes = bytes;
  shown_.window.emplace(comm_, shown_.memory.as<std::byte>().first(static_cast<std::size_t>(bytes)));
}

template <Scalar T>
void ProductRunner::multiply(const Schedule& wanted, T alpha, std::type_identity_t<LocalPart<const T>> a,
                             std::type_identity_t<LocalPart<const T>> b, T beta,
                             std::type_identity_t<LocalPart<T>> c, int threads) {
  Schedule schedule = wanted;
  schedule.problem.alpha = kind_of(alpha);
  schedule.problem.beta = kind_of(beta);
  const Problem& p = schedule.problem;
  const std::array<Index, 3> leading{a.leading_dimension, b.leading_dimension, c.leading_dimension};
  auto kept = prepared_.end();
  Prepared fresh;
  Pool::Lease work;
  const auto check_all = [&] {
    require(p.type == ScalarTraits<T>::type, "the schedule is for {}, the matrices are {}", name(p.type),
            name(ScalarTraits<T>::type));
    check(schedule, comm_.size());
    require(schedule.transport == Transport::two_sided || comm_.is_whole(),
            "a one-sided schedule on a communicator that was split off, expected the one it came from");
    if (schedule.placement) check_placed_parts<T>(schedule, comm_.rank(), a, b, c);
    kept = find(schedule, leading);
    if (kept == prepared_.end())
      fresh = {schedule, leading, compile(schedule, comm_.rank(), comm_.size(), leading)};
    const program::Program& program = (kept == prepared_.end() ? fresh : *kept).program;
    if (!schedule.placement) check_native_parts<T>(program, a, b, c);
    work = lease_work(schedule, program);
  };
  if (comm_.is_checked()) {
    const program::CoreScope scope(trace_, program::Activity::agree, "", 0);
    comm::agree(comm_, "multiply", check_all,
                {{"m", p.m},
                 {"n", p.n},
                 {"k", p.k},
                 {"schedule", fingerprint(schedule), [&] { return arguments_of(schedule); }},
                 {"alpha and beta", bits_of(alpha, beta), [&] {
                    return std::vector<comm::Argument>{{"alpha", comm::scalar_text(alpha)},
                                                       {"beta", comm::scalar_text(beta)}};
                  }}});
  } else {
    check_all();
  }
  const Prepared& prepared = kept == prepared_.end() ? keep(std::move(fresh)) : touch(prepared_, kept);
  const bool one_sided = schedule.transport == Transport::one_sided;
  if (needs_longer_window(schedule)) show(std::exchange(work, {}), work_bytes(schedule));
  if (prepared.program.is_idle()) return;
  T* work_at = (one_sided ? shown_.memory : work).template as<T>().data();
  // A and B are only read.
  const std::array<T*, 4> arrays{work_at, const_cast<T*>(a.data), const_cast<T*>(b.data), c.data};
  const std::array<T, 2> scalars{alpha, beta};
  program::run<T>(prepared.program, comm_, {arrays, scalars},
                  {.window = one_sided && shown_.window ? &*shown_.window : nullptr,
                   .trace = trace_,
                   .threads = threads});
}

#define CAIRN_INSTANTIATE(T)                                                                          \
  template void ProductRunner::multiply(const Schedule&, T, std::type_identity_t<LocalPart<const T>>, \
                                        std::type_identity_t<LocalPart<const T>>, T,                  \
                                        std::type_identity_t<LocalPart<T>>, int);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::gemm
