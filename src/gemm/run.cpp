#include "gemm/run.hpp"

#include <algorithm>

#include "comm/collectives.hpp"
#include "gemm/collective.hpp"
#include "gemm/strips.hpp"

namespace cairn::gemm {
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
        under_way_(program.operations.size()),
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
    for (std::size_t i = 0; i < under_way_.size(); ++i) wait(i, program_.operations[i].round);
  }

  void operator()(const Gather& x) { start(collective_of(x), read(x.from), write_to(x.to), "gather"); }
  void operator()(const Combine& x) { start(collective_of(x), read(x.from), write_to(x.to), "combine"); }
  void operator()(const Multiply& x) {
    const Problem& p = program_.schedule.problem;
    const T factor = x.factor == Multiply::Factor::beta ? beta_ : T(x.factor == Multiply::Factor::one);
    const LocalProduct<T> product{p.op_a, p.op_b,    x.m,   x.n,    x.k,           alpha_, read(x.a),
                                  x.lda,  read(x.b), x.ldb, factor, write_to(x.c), x.ldc};
    if (program_.schedule.lookahead == 0 && program_.schedule.combines == 1)
      gemm::multiply(product);
    else
      multiply_in_strips(product, [this] { progress(); });
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
  void progress() {
    grid_.fibre(0).progress();
    note_done();
  }
  void wait(std::size_t communication, Index round) {
    if (under_way_[communication].done()) return;
    const CoreScope scope(trace_, Activity::wait, round, activity_of(program_.operations[communication]));
    under_way_[communication].wait();
    note_done();
  }
  void note_done() {
    std::erase_if(recorded_, [&](const Recorded& r) {
      if (!under_way_[r.operation].done()) return false;
      trace_->end(r.event);
      return true;
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

  void start(const Collective& x, const T* input, T* output, const char* name) {
    const Dim along = missing(x.matrix);
    const comm::CommView fibre = grid_.fibre(static_cast<int>(index(along)));
    const comm::ElementType& type = comm::element_type<T>();
    comm::Schedule schedule = write(program_.schedule, x, program_.at[along]);
    for (comm::Transfer& t : schedule.transfers)  // a window knows the ranks of the whole communicator
      if (t.kind == comm::Transfer::Kind::get)
        t.peer = rank_at(program_.schedule.grid, program_.at.with(along, t.peer));
    if (trace_ != nullptr)
      recorded_.push_back({current_, trace_->begin(activity_of(x.matrix), program_.operations[current_].round,
                                                   comm::count(schedule, type.bytes))});
    const comm::Phase phase(fibre.traffic(), phase_of(x.matrix));
    under_way_[current_] = fibre.start(std::move(schedule), {input, output, &type, type.sum, name},
                                       window_ != nullptr ? window_->handle() : MPI_WIN_NULL);
    note_done();
  }

  // A communication that the trace shows as under way.
  struct Recorded {
    std::size_t operation;
    std::size_t event;
  };

  const Program& program_;
  const comm::ProcessGrid& grid_;
  const comm::Window* window_;
  T alpha_, beta_;
  Memory<T> memory_;
  std::vector<comm::Operation> under_way_;  // by operation of the Program
  std::size_t current_ = 0;
  Trace* trace_;
  std::vector<Recorded> recorded_;
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
