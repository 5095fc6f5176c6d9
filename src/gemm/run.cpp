#include "gemm/run.hpp"

#include <algorithm>
#include <deque>

#include "comm/collectives.hpp"
#include "gemm/collective.hpp"
#include "program/local_product.hpp"

namespace cairn::gemm {

using program::LocalProduct;
using program::multiply_beside;
namespace {

template <Scalar T>
class Executor {
 public:
  Executor(const Program& program, const comm::ProcessGrid& grid, const comm::Window* window, T alpha, T beta,
           const Memory<T>& memory, Trace* trace)
      : program_(program),
        grid_(grid),
        window_(window),
        alpha_(alpha),
        beta_(beta),
        memory_(memory),
        communications_(program.operations.size()),
        trace_(trace) {}

  void run() {
    for (std::size_t i = 0; i < program_.operations.size(); ++i) {
      const Operation& operation = program_.operations[i];
      current_ = i;
      for (const int other : operation.waits)
        if (other != Operation::none) wait(static_cast<std::size_t>(other), operation.round);
      const Activity a = activity_of(operation);
      const CoreScope scope(trace_, communicates(a) ? Activity::start : a, operation.round,
                            communicates(a) ? a : Activity::none);
      std::visit(*this, operation.action);
    }
    for (std::size_t i = 0; i < communications_.size(); ++i) wait(i, program_.operations[i].round);
  }

  void operator()(const Gather&) { queue(); }
  void operator()(const Combine&) { queue(); }
  void operator()(const Multiply& x) {
    const Problem& p = program_.schedule.problem;
    const T factor = x.factor == Multiply::Factor::beta ? beta_ : T(x.factor == Multiply::Factor::one);
    const LocalProduct<T> product{p.op_a, p.op_b,    x.m,   x.n,    x.k,           alpha_, read(x.a),
                                  x.lda,  read(x.b), x.ldb, factor, write_to(x.c), x.ldc};
    if (program_.schedule.lookahead == 0 && program_.schedule.combines == 1)
      program::multiply(product);
    else
      multiply_beside(product, thread_, [this] { return progress(); });
  }
  // beta = 0 writes zeros whatever is there.
  void operator()(const Scale& x) const {
    if (beta_ == T(0)) return (*this)(Clear{x.c, x.count});
    T* c = write_to(x.c);
    for (Index i = 0; i < x.count; ++i) c[i] *= beta_;
  }
  void operator()(const Clear& x) const { std::fill_n(write_to(x.c), x.count, T(0)); }
  void operator()(const AddScaled& x) const {
    const T* from = read(x.from);
    T* to = write_to(x.to);
    for (Index i = 0; i < x.count; ++i) to[i] += beta_ * from[i];
  }

 private:
  struct Communication {
    bool queued = false;
    comm::Operation operation = {};
    std::size_t event = 0;  // of the trace

    bool done() const { return !queued && operation.done(); }
  };

  // Communication is served in the order of the Program: what is needed first hardly shares the link with
  // what is needed later. The gathers of one round go together; when one of them is over, the next round
  // begins, so that the link does not wait for messages to find each other. All ranks queue in the same
  // order, so that the one that comes first everywhere is under way on all its ranks.
  void queue() {
    communications_[current_].queued = true;
    queue_.push_back(current_);
    serve();
  }
  void serve() {
    retire();
    constexpr std::size_t enough = 2;  // under way
    while (!queue_.empty() && (served_.size() < enough || is_one_with(served_.back(), queue_.front()))) {
      served_.push_back(queue_.front());
      queue_.pop_front();
      start(served_.back());
    }
    retire();
  }
  bool is_one_with(std::size_t x, std::size_t y) const {
    const Operation &a = program_.operations[x], &b = program_.operations[y];
    return std::holds_alternative<Gather>(a.action) && std::holds_alternative<Gather>(b.action) &&
           a.round == b.round;
  }
  void retire() {
    std::erase_if(served_, [&](std::size_t i) {
      if (!communications_[i].done()) return false;
      if (trace_ != nullptr) trace_->end(communications_[i].event);
      return true;
    });
  }

  bool progress() {
    const bool happened = grid_.fibre(0).progress();
    if (happened) serve();
    return happened;
  }
  void wait(std::size_t communication, Index round) {
    const Communication& x = communications_[communication];
    if (x.done()) return;
    const CoreScope scope(trace_, Activity::wait, round, activity_of(program_.operations[communication]));
    grid_.fibre(0).wait_until([&] {
      serve();
      return x.done();
    });
  }

  const T* read(const Location& at) const {
    switch (at.space) {
      case Location::Space::a:
        return memory_.a + at.offset;
      case Location::Space::b:
        return memory_.b + at.offset;
      default:
        return write_to(at);
    }
  }
  T* write_to(const Location& at) const {
    return (at.space == Location::Space::c ? memory_.c : memory_.work) + at.offset;
  }

  void start(std::size_t i) {
    if (const auto* gather = std::get_if<Gather>(&program_.operations[i].action))
      start(i, collective_of(*gather), read(gather->from), write_to(gather->to), "gather");
    else if (const auto* combine = std::get_if<Combine>(&program_.operations[i].action))
      start(i, collective_of(*combine), read(combine->from), write_to(combine->to), "combine");
  }
  void start(std::size_t i, const Collective& x, const T* input, T* output, const char* name) {
    const Dim along = missing(x.matrix);
    const comm::CommView fibre = grid_.fibre(static_cast<int>(index(along)));
    const comm::ElementType& type = comm::element_type<T>();
    comm::Schedule schedule = write(program_.schedule, x, program_.at[along]);
    for (comm::Transfer& t : schedule.transfers)  // a window knows the ranks of the whole communicator
      if (t.kind == comm::Transfer::Kind::get)
        t.peer = rank_at(program_.schedule.grid, program_.at.with(along, t.peer));
    Communication& communication = communications_[i];
    communication.queued = false;
    if (trace_ != nullptr)
      communication.event = trace_->begin(activity_of(x.matrix), program_.operations[i].round,
                                          comm::count(schedule, type.bytes));
    const comm::Phase phase(fibre.traffic(), phase_of(x.matrix));
    communication.operation = fibre.start(std::move(schedule), {input, output, &type, type.sum, name},
                                          window_ != nullptr ? window_->handle() : MPI_WIN_NULL);
  }

  const Program& program_;
  const comm::ProcessGrid& grid_;
  const comm::Window* window_;
  T alpha_, beta_;
  Memory<T> memory_;
  std::vector<Communication> communications_;  // by operation of the Program
  std::deque<std::size_t> queue_;              // not started yet
  std::vector<std::size_t> served_;            // under way
  std::size_t current_ = 0;
  Trace* trace_;
  comm::ProgressThread thread_;  // last: nothing that it touches goes before it
};

}  // namespace

template <Scalar T>
void run(const Program& program, const comm::ProcessGrid& grid, const comm::Window* window, T alpha, T beta,
         const Memory<T>& memory, Trace* trace) {
  Executor<T>(program, grid, window, alpha, beta, memory, trace).run();
}

template void run(const Program&, const comm::ProcessGrid&, const comm::Window*, float, float,
                  const Memory<float>&, Trace*);
template void run(const Program&, const comm::ProcessGrid&, const comm::Window*, double, double,
                  const Memory<double>&, Trace*);
template void run(const Program&, const comm::ProcessGrid&, const comm::Window*, std::complex<float>,
                  std::complex<float>, const Memory<std::complex<float>>&, Trace*);
template void run(const Program&, const comm::ProcessGrid&, const comm::Window*, std::complex<double>,
                  std::complex<double>, const Memory<std::complex<double>>&, Trace*);

}  // namespace cairn::gemm
