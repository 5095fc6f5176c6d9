#include "program/run.hpp"

#include <algorithm>
#include <deque>
#include <optional>

#include "program/linear_combination.hpp"
#include "program/local_product.hpp"
#include "program/written.hpp"

namespace cairn::program {
namespace {

// Tags of a communicator that Programs use; layout::RunningExchange adds its own first one.
constexpr int first_channel = 1024;
constexpr int channels = 2048;
int tag_of(const Communicate& c) { return first_channel + c.channel % channels; }

// A communication of the Program: waiting for its turn, under way, or done.
template <Scalar T>
class UnderWay {
 public:
  bool done() const { return !queued_ && operation_.done() && !exchange_; }
  void queue() { queued_ = true; }
  void start(comm::Ongoing operation) {
    queued_ = false;
    operation_ = std::move(operation);
  }
  void start(std::unique_ptr<layout::RunningExchange<T>> exchange) {
    queued_ = false;
    exchange_ = std::move(exchange);
  }
  // Collectives advance by themselves whenever MPI is driven; an exchange packs and unpacks here.
  void advance(comm::Traffic& traffic, std::string_view phase) {
    if (!exchange_) return;
    const comm::Phase scope(traffic, phase);
    if (exchange_->advance()) exchange_.reset();
  }

  std::size_t event = 0;  // of the trace

 private:
  bool queued_ = false;
  comm::Ongoing operation_;
  std::unique_ptr<layout::RunningExchange<T>> exchange_;
};

template <Scalar T>
class Executor {
 public:
  Executor(const Program& program, comm::CommView comm, const Memory<T>& memory, const RunOptions& options)
      : program_(program),
        comm_(comm.unchecked()),
        memory_(memory),
        window_(options.window),
        trace_(options.trace),
        threads_(options.threads),
        communications_(program.actions.size()) {
    for (T* array : memory.arrays) addresses_.push_back(array);
  }

  void run() {
    for (current_ = 0; current_ < program_.actions.size(); ++current_) {
      const Action& action = program_.actions[current_];
      for (const std::int32_t other : action.waits) wait(static_cast<std::size_t>(other), action.round);
      const CoreScope scope(trace_, communicates(action) ? Activity::start : Activity::compute,
                            phase_of(current_), action.round);
      std::visit(*this, action.what);
    }
    for (std::size_t i = 0; i < communications_.size(); ++i) wait(i, program_.actions[i].round);
  }

  void operator()(const Communicate&) {
    communications_[current_].queue();
    (gives_way(current_) ? waiting_ : queue_).push_back(current_);
    serve();
  }
  void operator()(const Multiply& x) {
    const LocalProduct<T> product{.op_a = x.op_a,
                                  .op_b = x.op_b,
                                  .m = x.m,
                                  .n = x.n,
                                  .k = x.k,
                                  .alpha = value(x.alpha),
                                  .a = at(x.a),
                                  .lda = x.lda,
                                  .b = at(x.b),
                                  .ldb = x.ldb,
                                  .beta = value(x.beta),
                                  .c = at(x.c),
                                  .ldc = x.ldc};
    if (nothing_moves())
      multiply(product);
    else
      multiply_beside(product, thread_, [this] { return progress(); });
  }
  void operator()(const LinearCombination& x) const {
    SmallVector<ScaledMatrix<T>, 8> terms;
    for (const LinearCombination::Term& t : x.terms) terms.push_back({value(t.factor), at(t.from), t.ld});
    combine<T>(x.rows, x.columns, value(x.keep), at(x.to), x.ld, {terms.data(), terms.size()});
  }
  void operator()(const Kernel& x) {
    const auto work = [&] { x.step->run({addresses_, memory_.parameters.data(), threads_}); };
    if (nothing_moves() || !x.beside || !comm::ProgressThread::is_allowed() || !thread_.start())
      return work();
    thread_.beside([this] { return progress(); }, work);
  }

 private:
  // Communication is served in the order of the Program: what is needed first hardly shares the link with what
  // is needed later. Those that belong together start together; when one of them is over, the next one begins,
  // so that the link does not wait for messages to find each other. All ranks queue in the same order, so that
  // the one that comes first everywhere is under way on all its ranks. What gives way has a queue of its own.
  void serve() {
    retire();
    constexpr std::ptrdiff_t enough = 2;  // under way
    while (!queue_.empty() && (under_way(false) < enough || goes_with_previous(queue_.front())))
      serve(queue_);
    while (!waiting_.empty() && under_way(true) < enough && first_to_come(waiting_.front())) serve(waiting_);
    retire();
  }
  void serve(std::deque<std::size_t>& queue) {
    served_.push_back(queue.front());
    queue.pop_front();
    start(served_.back());
  }
  bool gives_way(std::size_t i) const { return std::get<Communicate>(program_.actions[i].what).gives_way; }
  std::ptrdiff_t under_way(bool giving_way) const {
    return std::ranges::count_if(served_, [&](std::size_t i) { return gives_way(i) == giving_way; });
  }
  // Nothing that does not give way comes before it.
  bool first_to_come(std::size_t i) const {
    return (queue_.empty() || queue_.front() > i) &&
           std::ranges::none_of(served_, [&](std::size_t other) { return other < i && !gives_way(other); });
  }
  bool goes_with_previous(std::size_t i) const {
    return std::get<Communicate>(program_.actions[i].what).with_previous && !served_.empty();
  }
  void retire() {
    std::erase_if(served_, [&](std::size_t i) {
      communications_[i].advance(comm_.traffic(), phase_of(i));
      if (!communications_[i].done()) return false;
      if (trace_ != nullptr) trace_->end(communications_[i].event);
      return true;
    });
  }
  bool nothing_moves() const { return served_.empty() && queue_.empty() && waiting_.empty(); }

  bool progress() {
    const bool happened = comm_.progress();
    if (happened || has_exchanges_) serve();
    return happened;
  }

  void wait(std::size_t communication, Index round) {
    const UnderWay<T>& x = communications_[communication];
    if (x.done()) return;
    const CoreScope scope(trace_, Activity::wait, phase_of(communication), round);
    comm_.wait_until([&] {
      serve();
      return x.done();
    });
  }

  void start(std::size_t i) {
    const auto& c = std::get<Communicate>(program_.actions[i].what);
    if (trace_ != nullptr)
      communications_[i].event =
          trace_->begin(phase_of(i), program_.actions[i].round, moved(c, program_.rank, program_.type));
    const comm::Phase phase(comm_.traffic(), phase_of(i));
    std::visit([&](const auto& what) { start(i, what, tag_of(c)); }, c.what);
  }
  void start(std::size_t i, const Collective& x, int tag) {
    communications_[i].start(comm_.start_tagged(write(x, program_.rank, program_.type),
                                                binding(x.from, x.to, i), tag,
                                                window_ != nullptr ? window_->handle() : MPI_WIN_NULL));
  }
  void start(std::size_t i, const Messages& x, int tag) {
    communications_[i].start(comm_.start_tagged(x.schedule, binding(x.input, x.output, i), tag));
  }
  void start(std::size_t i, const Exchange& x, int tag) {
    has_exchanges_ = true;
    std::vector<layout::MoveData<T>> moves;
    for (const ExchangeMove& m : x.moves)
      moves.push_back({value(m.alpha), m.op, view<const T>(m.from), value(m.beta), view<T>(m.to)});
    layout::RedistributeOptions options = x.options;
    options.threads = threads_;
    communications_[i].start(
        std::make_unique<layout::RunningExchange<T>>(*x.plan, comm_, moves, options, tag));
  }

  comm::Binding binding(const Place& input, const Place& output, std::size_t i) const {
    const comm::ElementType& type = comm::element_type<T>();
    return {at(input), at(output), &type, type.sum, phase_of(i).data()};
  }
  template <class U>
  layout::MatrixView<U> view(const Operand& x) const {
    return {x.layout, at(x.at), x.elements, x.leading_dimension};
  }
  T* at(const Place& place) const {
    return memory_.arrays[static_cast<std::size_t>(place.array)] + place.offset;
  }
  T value(const Factor& f) const {
    const T number = T(static_cast<Real<T>>(f.number));
    if (f.parameter == Factor::no_parameter) return number;
    const T parameter = memory_.parameters[static_cast<std::size_t>(f.parameter)];
    return f.number == 1 ? parameter : number * parameter;
  }
  const std::string& phase_of(std::size_t action) const {
    return program_.phases[static_cast<std::size_t>(program_.actions[action].phase)];
  }

  const Program& program_;
  comm::CommView comm_;
  Memory<T> memory_;
  std::vector<void*> addresses_;
  const comm::Window* window_;
  Trace* trace_;
  int threads_;
  std::vector<UnderWay<T>> communications_;  // by action of the Program
  std::deque<std::size_t> queue_;            // not started yet
  std::deque<std::size_t> waiting_;          // nor these, which give way
  std::vector<std::size_t> served_;          // under way
  std::size_t current_ = 0;
  bool has_exchanges_ = false;
  comm::ProgressThread thread_;  // last: nothing that it touches goes before it
};

}  // namespace

template <Scalar T>
void run(const Program& program, comm::CommView comm, const Memory<T>& memory, const RunOptions& options) {
  require(program.type == ScalarTraits<T>::type, "the program is for {}, the memory is {}",
          name(program.type), name(ScalarTraits<T>::type));
  Executor<T>(program, comm, memory, options).run();
}

#define CAIRN_INSTANTIATE(T) \
  template void run(const Program&, comm::CommView, const Memory<T>&, const RunOptions&);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::program
