#include "doors/python/bind.hpp"

namespace cairn::python {
namespace {

Objective objective_of(const std::string& name) {
  if (name == "time") return Objective::time;
  if (name == "words") return Objective::words;
  if (name == "volume") return Objective::volume;
  throw ArgumentError("objective is '" + name + "', expected time, words or volume");
}

std::string text_of(const Rounds& rounds) {
  constexpr const char* names[] = {"m", "n", "k"};
  return rounds.count == 1 ? "1"
                           : std::to_string(rounds.count) + " along " + names[static_cast<int>(rounds.along)];
}

std::string stays_of(const std::array<bool, 3>& stays) {
  std::string text;
  for (std::size_t i = 0; i < stays.size(); ++i)
    if (stays[i]) text += "ABC"[i];
  return text;
}

py::dict as_dict(const PlanCandidate& c) {
  using namespace pybind11::literals;
  return py::dict("grid"_a = c.grid, "bricks"_a = c.bricks, "rounds"_a = text_of(c.rounds),
                  "stays"_a = stays_of(c.stays), "words"_a = c.words, "exact"_a = c.exact,
                  "seconds"_a = c.seconds, "work"_a = c.work, "memory_bytes"_a = c.memory_bytes,
                  "why"_a = c.why);
}

void bind_plan_options(py::module_& module) {
  py::class_<PlanOptions>(module, "PlanOptions")
      .def(py::init<>())
      .def_readwrite("algorithm", &PlanOptions::algorithm)
      .def_property(
          "objective", [](const PlanOptions& o) { return static_cast<int>(o.objective); },
          [](PlanOptions& o, const std::string& name) { o.objective = objective_of(name); })
      .def_readwrite("grid", &PlanOptions::grid)
      .def_readwrite("tree", &PlanOptions::tree)
      .def_readwrite("layers", &PlanOptions::layers)
      .def_readwrite("memory_bytes", &PlanOptions::memory_bytes)
      .def_readwrite("overlap", &PlanOptions::overlap)
      .def_readwrite("candidates", &PlanOptions::candidates)
      .def_readwrite("fast", &PlanOptions::fast)
      .def_readwrite("fast_entry", &PlanOptions::fast_entry)
      .def_readwrite("max_error_growth", &PlanOptions::max_error_growth)
      .def_readwrite("scaled", &PlanOptions::scaled)
      .def("set_machine", [](PlanOptions& o, double alpha, double beta, double gamma) {
        o.machine = {.alpha = alpha, .beta = beta, .gamma = gamma};
      });
}

void bind_plan_words(py::module_& module) {
  py::class_<PlanWords>(module, "PlanWords")
      .def_readonly("total", &PlanWords::total)
      .def_readonly("mean", &PlanWords::mean)
      .def_readonly("busiest", &PlanWords::busiest)
      .def_readonly("sent", &PlanWords::sent)
      .def_readonly("bound", &PlanWords::bound)
      .def_readonly("ratio", &PlanWords::ratio)
      .def_readonly("exact", &PlanWords::exact);
}

void bind_plan(py::module_& module) {
  py::class_<Plan>(module, "Plan")
      .def_property_readonly("ranks", &Plan::ranks)
      .def_property_readonly("idle_ranks", &Plan::idle_ranks)
      .def_property_readonly("grid", &Plan::grid)
      .def_property_readonly("bricks", &Plan::bricks)
      .def_property_readonly("rounds", [](const Plan& p) { return text_of(p.rounds()); })
      .def_property_readonly("words", &Plan::words)
      .def_property_readonly("seconds", &Plan::predicted)
      .def_property_readonly("steps", &Plan::steps)
      .def_property_readonly("levels", &Plan::levels)
      .def_property_readonly("error_bound", &Plan::error_bound)
      .def_property_readonly("messages", &Plan::messages)
      .def_property_readonly("memory_bytes", &Plan::memory_bytes)
      .def_property_readonly("is_placed", &Plan::is_placed)
      .def_property_readonly("stays",
                             [](const Plan& p) {
                               return stays_of({p.a_stays(), p.b_stays(), p.c_stays()});
                             })
      .def_property_readonly("candidates",
                             [](const Plan& p) {
                               py::list all;
                               for (const PlanCandidate& c : p.candidates()) all.append(as_dict(c));
                               return all;
                             })
      .def("describe", &Plan::describe)
      .def("explain", &Plan::explain);
  module.def("plan_multiply", [](Index m, Index n, Index k, Op op_a, Op op_b, ScalarType type, int ranks,
                                 const PlanOptions& options) {
    return plan_multiply({.m = m, .n = n, .k = k, .op_a = op_a, .op_b = op_b, .type = type}, ranks, options);
  });
  module.def("plan_placed", [](Index m, Index n, Index k, Op op_a, Op op_b, ScalarType type, const Layout& a,
                               const Layout& b, const Layout& c, int ranks, const PlanOptions& options) {
    return plan_multiply({.m = m, .n = n, .k = k, .op_a = op_a, .op_b = op_b, .type = type}, a, b, c, ranks,
                         options);
  });
}

}  // namespace

void bind_plans(py::module_& module) {
  bind_plan_options(module);
  bind_plan_words(module);
  bind_plan(module);
}

}  // namespace cairn::python
