// What one rank does, as a value: a flat list of actions on places that are known before anything starts. Any
// operation of the library compiles to it; it is run (run.hpp), counted (count.hpp), simulated (simulate.hpp)
// and traced (trace.hpp) without knowing what the arrays mean.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "comm/block_collective.hpp"
#include "layout/exchange/exchange.hpp"
#include "program/group.hpp"

namespace cairn::program {

// An element of an array. Array 0 is the work memory; the caller hands over the others, numbered by the
// compiler.
struct Place {
  static constexpr int work = 0;
  int array = work;
  Index offset = 0;

  Place operator+(Index elements) const { return {array, offset + elements}; }
  friend bool operator==(const Place&, const Place&) = default;
};

// A factor: a number, or a number times a parameter of the run (alpha, beta ...). A parameter that is zero is
// a number to the compiler: what is zero decides what is done, not only what is computed.
struct Factor {
  static constexpr int no_parameter = -1;
  double number = 1;
  int parameter = no_parameter;

  static Factor of(double number) { return {number, no_parameter}; }
  static Factor of_parameter(int parameter) { return {1, parameter}; }
  bool is(double value) const { return parameter == no_parameter && number == value; }
  friend bool operator==(const Factor&, const Factor&) = default;
};

// ---- communication ---------------------------------------------------------------------------------------

// Blocks of a group, in its order -> everybody's `to`; or the sum of everybody's `from` -> a block each.
// (1 - 1/p) of the words. Written down as a comm::RankSchedule when it is started or counted.
struct Collective {
  using Kind = comm::BlockKind;
  Kind kind = Kind::allgather;
  Group group = {};
  comm::Partition blocks = comm::Partition::even(1, 0);  // of the group, in elements
  comm::BlockWay way = comm::BlockWay::direct;
  // One-sided: taken out of the others' work memory, which lies in a window; the whole of the blocks is at the
  // same offset there on every rank.
  Transport transport = Transport::two_sided;
  Place from = {}, to = {};
};

// Any messages between ranks of the communicator, written down by the compiler: `input` and `output` are the
// two slots of the comm::RankSchedule, whose peers are ranks of the communicator.
struct Messages {
  std::shared_ptr<const comm::CountedSchedule> schedule = {};
  Place input = {}, output = {};
};

// A distributed matrix: a layout, and where this rank's part of it is. leading_dimension 0: the least.
struct Operand {
  layout::Layout layout = {};
  Place at = {};
  Index elements = 0;  // of memory from `at` on
  Index leading_dimension = 0;
};

// Each move's to := alpha from + beta to, between any layouts, in one exchange. Planned when it is compiled.
struct ExchangeMove {
  Factor alpha = {};
  Op op = Op::none;
  Operand from = {};
  Factor beta = {};
  Operand to = {};
};
struct Exchange {
  std::shared_ptr<const layout::ExchangePlan> plan = {};
  std::vector<ExchangeMove> moves = {};
  layout::RedistributeOptions options = {};
};

struct Communicate {
  std::variant<Collective, Messages, Exchange> what = {};
  // Tells messages of communications under way at the same time apart: the same on all ranks that take part.
  // Communications of one channel are started in the same order by every two ranks that both take part.
  int channel = 0;
  // Starts together with the communication before it, not when that one is nearly over.
  bool with_previous = false;
  // Gives way: starts when all that come before it in the Program are over, or under way and giving way as well; those
  // that come after it do not wait for it.
  bool gives_way = false;
};

// ---- local work ------------------------------------------------------------------------------------------

// c := alpha op_a(a) op_b(b) + beta c, column-major.
struct Multiply {
  Op op_a = Op::none, op_b = Op::none;
  Index m = 0, n = 0, k = 0;
  Place a = {}, b = {}, c = {};
  Index lda = 1, ldb = 1, ldc = 1;
  Factor alpha = {}, beta = {};
};

// to := keep to + the sum of the terms, rows x columns, column-major. keep = 0 never reads `to`. A term may lie
// where `to` lies, with the same leading dimension.
struct LinearCombination {
  struct Term {
    Factor factor = {};
    Place from = {};
    Index ld = 1;
  };
  Place to = {};
  Index rows = 0, columns = 0;
  Index ld = 1;
  Factor keep = Factor::of(0);
  std::vector<Term> terms = {};
};

// What a local step is given: the arrays and the parameters of the run, as T* of the type of the Program, and
// how many threads it may use.
struct LocalRun {
  std::span<void* const> memory = {};
  const void* parameters = nullptr;
  int threads = 1;
};

// A named local step that only its compiler knows: a panel, a triangular solve.
class LocalStep {
 public:
  virtual ~LocalStep() = default;
  virtual void run(const LocalRun& given) const = 0;
};
struct Kernel {
  std::shared_ptr<const LocalStep> step = {};
  double flops = 0;
  bool beside = false;  // long enough for words to be moved meanwhile
};

// ---- the list --------------------------------------------------------------------------------------------

struct Action {
  std::variant<Communicate, Multiply, LinearCombination, Kernel> what = {};
  int phase = 0;    // of Program::phases: what it is called in Traffic, in a trace and in reports
  Index round = 0;  // as reports show it
  // Communication that must be over before this starts: indices of actions. Everything else is done in order;
  // communication is started in order, and over at the end of the Program at the latest.
  SmallVector<std::int32_t, 3> waits = {};
};

struct Program {
  ScalarType type = ScalarType::f64;
  int rank = 0;
  int ranks = 1;                         // of the communicator
  std::vector<std::string> phases = {};  // names, by number
  std::vector<Index> array_counts = {};  // elements of each array; [0]: the work memory
  std::vector<Action> actions = {};

  bool is_idle() const { return actions.empty(); }
};

inline bool communicates(const Action& action) { return std::holds_alternative<Communicate>(action.what); }

// The number of a phase by name; adds it if it is new.
int phase_number(Program& program, std::string_view name);

}  // namespace cairn::program
