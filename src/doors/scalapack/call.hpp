// How every call is answered: checked, weighed against ScaLAPACK's own routine, run or passed on.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "cairn/error.hpp"
#include "cairn/matrix.hpp"
#include "doors/scalapack/descriptor.hpp"
#include "doors/scalapack/grid.hpp"
#include "doors/scalapack/model.hpp"

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

// What a call asks for, once its arguments are known to be sound. The same on all ranks, but for the memory.
struct Job {
  int context = -1;
  ProcessGrid processes;
  Shape shape;
  Estimate theirs;
  Grid::Question
      question;  // routine's own numbers: what tells calls apart that are decided or planned differently
  std::function<Decision(Grid&)> decide;              // predicts ours; may take milliseconds
  std::function<double(Grid&, const Decision&)> run;  // returns the words received
  // Routines that return INFO find one process's mistake on all of them. So do we: a job may be made of arguments that
  // are not sound, and where it may be ours all processes ask each other first.
  bool is_sound = true;
  bool ask_others = false;
};

using MakeJob = std::function<std::optional<Job>()>;  // none: not sound, or not for us

// Answers a call: `pass` calls the original.
void answer(const Routine& routine, const std::function<void()>& pass, const MakeJob& make_job);

// Runs steps that write to the caller's memory: what goes wrong there can no longer be passed on, and ends the program.
template <class Steps>
void from_here_on(Steps&& steps) {
  try {
    steps();
  } catch (const Error& e) {
    throw std::runtime_error(e.what());
  }
}

// The machine that calls are weighed for: the file CAIRN_MACHINE names, or a typical one.
const Machine& machine();

// Cairn's options for the door: few words, and this machine.
PlanOptions plan_options();

// Whether ours is expected to be faster, by a margin.
bool gains(double ours, const Estimate& theirs);

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
