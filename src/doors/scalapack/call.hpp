// How every call is answered: checked, weighed against ScaLAPACK's own routine, run or passed on.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "cairn/error.hpp"
#include "cairn/matrix.hpp"
#include "doors/scalapack/descriptor.hpp"
#include "doors/scalapack/grid.hpp"
#include "doors/scalapack/mode.hpp"
#include "doors/scalapack/model.hpp"
#include "doors/scalapack/report.hpp"

namespace cairn::scalapack {

// One routine for one scalar type, with its original, which is looked for once.
class Routine {
 public:
  explicit Routine(std::string name);  // "pdgemm"; a name of the C interface begins with a C

  const std::string& name() const { return name_; }
  void* original() const { return original_; }  // ends the program where there is none

 private:
  std::string name_;
  void* original_;
};
template <Scalar T>
Routine routine_of(const char* name) {
  return Routine(std::string("p") + ScalarTraits<T>::letter + name);
}

// What a call asks for, before its arguments are looked at: enough to see that it is small.
struct Request {
  int context = -1;
  Index block = 1;
  Shape shape;
  Weight weight;
  double least_seconds =
      3e-3;  // what takes less is passed on unseen: a plan and a few agreements take as long
};
// Of a descriptor of either kind: rows of a block.
inline Index block_of(const int* descriptor) { return descriptor[descriptor[0] == 2 ? 6 : 4]; }

// The rest, once the arguments are known to be sound. The same on all ranks, but for the memory.
struct Job {
  ProcessGrid processes;
  Grid::Question question;  // what tells calls of a routine apart that are decided or planned differently
  std::function<Prediction(Grid&, const Model&)> predict;  // ours; may take milliseconds
  std::function<double(Grid&, const Decision&)> run;       // returns the words received
  // Routines that return INFO find one process's mistake on all of them. So do we: a job may be made of arguments that
  // are not sound, and where it may be ours all processes ask each other first.
  bool is_sound = true;
  bool ask_others = false;
};

using Theirs = std::function<Estimate(const Model&)>;                   // what the original costs
using MakeJob = std::function<std::optional<Job>(const ProcessGrid&)>;  // none: not sound, or not for us

// Whether the call is so small that it goes to the original unseen: microseconds, no memory, no communication.
bool is_small_inside(const Shape& shape);  // one that ScaLAPACK makes inside itself
template <class CostOfTheirs>
bool is_small(const Request& r, const CostOfTheirs& theirs) {
  if (is_small_inside(r.shape)) return true;
  const ProcessGrid grid = grid_info(r.context);
  if (!grid.has_me() || r.block < 1) return true;
  return theirs(Model(grid.rows, grid.columns, r.block, r.weight, Machine{})).seconds < r.least_seconds;
}

void answer_with_thought(const Routine& routine, const Request& request, const Theirs& theirs,
                         const std::function<void()>& pass, const MakeJob& make_job);

// Answers a call: `pass` calls the original, `theirs` is what that costs.
template <class CostOfTheirs, class Pass, class Make>
void answer(const Routine& routine, const Request& request, const CostOfTheirs& theirs, const Pass& pass,
            const Make& make_job) {
  const Mode now = mode();
  if (now == Mode::off) return pass();
  if (now != Mode::automatic || !is_small(request, theirs))
    return answer_with_thought(routine, request, theirs, pass, make_job);
  pass();
  count_answer(false);
}

// Runs steps that write to the caller's memory: what goes wrong there can no longer be passed on, and ends the program.
template <class Steps>
void from_here_on(Steps&& steps) {
  try {
    steps();
  } catch (const Error& e) {
    throw std::runtime_error(e.what());
  }
}

// Cairn's options for the door: few words, and the machine of the grid.
PlanOptions plan_options(Grid& grid);

// A sub-matrix as Cairn sees it. Collective.
template <Scalar T>
Matrix<T> matrix(Grid& grid, const SubMatrix& x, const T* data) {
  const Placed placed = place(x, grid.processes().rows, grid.processes().columns);
  const Index leading = x.whole.leading_dimension;
  const auto count = static_cast<std::size_t>(placed.layout.local_elements(grid.context().rank(), leading));
  T* memory = count == 0 ? nullptr : const_cast<T*>(data) + placed.offset(leading);
  return Matrix<T>(grid.context(), placed.layout, {memory, count}, leading);
}

// The letters of a call.
template <Scalar T>
std::optional<Op> op_of(const char* letter) {
  switch (*letter) {
    case 'N':
    case 'n':
      return Op::none;
    case 'T':
    case 't':
      return Op::transpose;
    case 'C':
    case 'c':
      return ScalarTraits<T>::is_complex ? Op::adjoint : Op::transpose;
    default:
      return {};
  }
}
std::optional<Triangle> triangle_of(const char* letter);
std::optional<Side> side_of(const char* letter);
std::optional<Diagonal> diagonal_of(const char* letter);

// The sub-matrix of a call, if it is sound on the grid of its context.
std::optional<SubMatrix> sound(const int* descriptor, const int* i, const int* j, Index m, Index n,
                               const ProcessGrid& processes);
// Appends what decides where it lies: equal for positions that whole cycles lie between.
void append_place(Grid::Question& question, const SubMatrix& x, const ProcessGrid& processes);

}  // namespace cairn::scalapack
