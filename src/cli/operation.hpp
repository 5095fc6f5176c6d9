// The command line is a table of operations: `cairn OP`, `cairn plan OP`, `cairn bound OP` and their help come
// from one entry each. docs/internals/cli.md has the recipe for a new one.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bounds/bounds.hpp"
#include "cli/shared_options.hpp"
#include "cli/work.hpp"

namespace cairn::cli {

enum class Verb { plan, run, bound };

// An entry, as it is written. O: the operation's own options with their defaults. What an operation cannot do
// is left out: without `plan` and `run` there is only `cairn bound OP`.
template <class O>
struct OperationOf {
  std::string name;
  std::string summary;
  std::string example;             // the words after `cairn OP`; several examples in several lines
  std::string bound_example = {};  // those after `cairn bound OP`, where they are others
  std::function<void(Command, O&, Verb)> options;
  // Throws what is wrong with the options; before any rank is started, on ranks alike.
  std::function<void(O&, const SharedOptions&)> read = {};
  std::function<int(const O&)> ranks =
      {};  // to start where --ranks is not given (default: one per core, at least 2)
  // The result is what is wanted, not how long it takes: it is run once unless --repeat says otherwise.
  std::function<bool(const O&)> once = {};
  // Collective: what only files know. Where it is needed nothing is planned before ranks are started.
  std::function<bool(const O&)> must_look = {};
  std::function<void(O&, const SharedOptions&, comm::CommView)> look = {};
  // Pure: no MPI. Throws ArgumentError, MemoryError.
  std::function<Planned(const O&, const SharedOptions&, int ranks)> plan = {};
  // `cairn plan` alone: pictures and what else the operation writes.
  std::function<void(const O&, const Planned&)> write = {};
  // Collective: allocates and fills this rank's part.
  std::function<std::unique_ptr<Work>(const O&, const SharedOptions&, const Planned&, comm::CommView)> run =
      {};
  std::function<bounds::BoundReport(const O&, const BoundOptions&)> bound = {};
};

// One use of an entry: the same functions with the options of one command line.
struct Request {
  std::function<void(const SharedOptions&)> read;
  std::function<int()> ranks;
  std::function<bool()> once;
  std::function<bool()> must_look;
  std::function<void(const SharedOptions&, comm::CommView)> look;
  std::function<Planned(const SharedOptions&, int)> plan;
  std::function<void(const Planned&)> write;
  std::function<std::unique_ptr<Work>(const SharedOptions&, const Planned&, comm::CommView)> run;
  std::function<bounds::BoundReport(const BoundOptions&)> bound;
};

// An entry whose options nobody else knows.
struct Operation {
  std::string name, summary, example, bound_example;
  bool plans = false, runs = false, bounds = false;
  std::function<Request(Command, Verb)> request;  // adds the options of the operation to the command
};

// The functions of the entry with these options.
template <class O>
Request make_request(const std::shared_ptr<const OperationOf<O>>& e, const std::shared_ptr<O>& o) {
  return {.read =
              [=](const SharedOptions& s) {
                if (e->read) e->read(*o, s);
              },
          .ranks = [=] { return e->ranks ? e->ranks(*o) : usual_ranks(); },
          .once = [=] { return e->once && e->once(*o); },
          .must_look = [=] { return e->must_look && e->must_look(*o); },
          .look =
              [=](const SharedOptions& s, comm::CommView c) {
                if (e->look) e->look(*o, s, c);
              },
          .plan = [=](const SharedOptions& s, int ranks) { return e->plan(*o, s, ranks); },
          .write =
              [=](const Planned& planned) {
                if (e->write) e->write(*o, planned);
              },
          .run = [=](const SharedOptions& s, const Planned& planned,
                     comm::CommView c) { return e->run(*o, s, planned, c); },
          .bound = [=](const BoundOptions& b) { return e->bound(*o, b); }};
}

template <class O>
Operation make_operation(OperationOf<O> entry) {
  const auto e = std::make_shared<const OperationOf<O>>(std::move(entry));
  const auto request = [e](Command app, Verb verb) {
    const auto o = std::make_shared<O>();
    e->options(app, *o, verb);
    return make_request(e, o);
  };
  return {.name = e->name,
          .summary = e->summary,
          .example = e->example,
          .bound_example = e->bound_example.empty() ? e->example : e->bound_example,
          .plans = static_cast<bool>(e->plan),
          .runs = static_cast<bool>(e->run),
          .bounds = static_cast<bool>(e->bound),
          .request = request};
}

// The table, in the order of the help.
const std::vector<Operation>& operations();

// The entries.
Operation multiply_operation();
Operation redistribute_operation();
Operation strassen_operation();
Operation lu_operation();
Operation cholesky_operation();
Operation solve_operation();
Operation syrk_operation();
Operation symm_operation();
Operation trmm_operation();
Operation spgemm_operation();
Operation spmm_operation();
Operation collectives_operation();

}  // namespace cairn::cli
