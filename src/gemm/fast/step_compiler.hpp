// Writes the actions of the steps down, depth first, on a stack of work memory.
#pragma once

#include <array>
#include <vector>

#include "gemm/fast/compile.hpp"
#include "gemm/fast/local_steps.hpp"

namespace cairn::gemm::fast {

class StepCompiler {
 public:
  StepCompiler(const Dealt& dealt, int rank, int ranks);

  // c := a b from the first step on.
  void product(program::Place a, program::Place b, program::Place c) { node(0, 0, {a, b, c}); }

  // An action waits for all communication that nothing has waited for yet, or it touches nothing of it.
  enum class Waits : std::uint8_t { all, none };
  using What = decltype(program::Action::what);
  void add(What what, std::string_view phase, Waits waits = Waits::all);
  program::Place take(Index elements);  // of the work memory
  program::Program finish();

 private:
  using Places = std::array<program::Place, 3>;  // of A, B, C

  // Work memory that is given back at the end of a scope.
  class Scope {
   public:
    explicit Scope(StepCompiler& c) : compiler_(c), mark_(c.top_) {}
    ~Scope() { compiler_.top_ = mark_; }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    StepCompiler& compiler_;
    Index mark_;
  };

  // `joined` BFS steps are done.
  void node(std::size_t step, int joined, const Places& at);
  void breadth_first(std::size_t step, int joined, const Places& at);
  void depth_first(std::size_t step, int joined, const Places& at);
  void bricks(const Places& at);

  // One BFS step seen from this rank.
  struct Fan {
    std::size_t step = 0;
    int joined = 0;
    int turn = 0;  // of this rank
    program::Group group;
  };
  Fan fan_of(std::size_t step, int joined) const;
  // Elements of one product's factor or result that the rank with this turn holds before the slabs are joined.
  Index held(const Fan& fan, Matrix x, int turn) const;
  Index held_before(const Fan& fan, Matrix x, int turn) const;
  void scatter(const Fan& fan, Matrix x, program::Place from, program::Place to);
  void send_factors(const Fan& fan, Matrix x, program::Place from, program::Place to);
  program::Place return_products(const Fan& fan, program::Place mine);
  void combine(const Fan& fan, program::Place mine, program::Place others, program::Place c);
  std::vector<program::Place> by_turn(const Fan& fan, Matrix x, program::Place mine, program::Place others);

  // One product of a DFS step.
  struct Factor {
    program::Place at;
    Rational times = 1;
  };
  Factor factor(std::size_t step, int joined, Matrix x, const Term& term, program::Place from,
                program::Place temporary);
  void add_to_blocks(std::size_t step, int joined, const Term& term, const Rational& times,
                     program::Place product, program::Place c, std::vector<bool>& touched);

  program::Place gather(Matrix x, program::Place mine, Waits waits);
  void multiply(program::Place a, program::Place b, program::Place c);
  program::Collective along(Matrix x, program::Collective::Kind kind) const;

  const FastStep& step_at(std::size_t step) const { return dealt_.schedule().steps[step]; }
  std::vector<SlabRun> runs(Matrix x, std::size_t step, const Dealt::Slabs& slabs) const;
  Index elements(Matrix x, std::size_t step, int joined) const;
  std::vector<SlabBlock> blocks_of(Matrix x, std::size_t step, program::Place at) const;
  void communicate(decltype(program::Communicate::what) what, std::string_view phase, Waits waits);

  const Dealt& dealt_;
  Dealt::Position position_;
  program::Program program_;
  std::vector<std::int32_t> pending_;  // communication that nothing waits for yet
  Index top_ = 0;                      // of the work memory
};

}  // namespace cairn::gemm::fast
