#include "cairn/machine.hpp"
#include "doors/c/values.hpp"

using namespace cairn::c_door;

namespace {

template <class A, class B>
void copy_three(const A& from, B (&to)[3]) {
  for (std::size_t i = 0; i < 3; ++i) to[i] = static_cast<B>(from[i]);
}

cairn_plan_numbers numbers_of(const cairn::Plan& plan) {
  const cairn::Product& p = plan.product();
  const cairn::PlanWords words = plan.words();
  const cairn::PlanSeconds seconds = plan.seconds();
  cairn_plan_numbers n{};
  n.product = {p.m, p.n, p.k, static_cast<int>(p.op_a), static_cast<int>(p.op_b)};
  n.type = static_cast<int>(p.type);
  n.ranks = plan.ranks();
  n.idle_ranks = plan.idle_ranks();
  copy_three(plan.grid(), n.grid);
  n.rounds_along = static_cast<int>(plan.rounds().along);
  n.rounds = plan.rounds().count;
  n.is_placed = plan.is_placed() ? 1 : 0;
  copy_three(std::array{plan.a_stays(), plan.b_stays(), plan.c_stays()}, n.stays);
  n.exact = words.exact ? 1 : 0;
  n.candidates = static_cast<int>(plan.candidates().size());
  n.words_total = words.total;
  n.words_busiest = words.busiest;
  n.words_sent = words.sent;
  n.words_mean = words.mean;
  n.words_bound = words.bound;
  n.ratio = words.ratio;
  n.messages = plan.messages();
  n.memory_bytes = plan.memory_bytes();
  n.seconds = plan.predicted();
  n.seconds_gather_a = seconds.gather_a;
  n.seconds_gather_b = seconds.gather_b;
  n.seconds_gather = seconds.gather;
  n.seconds_multiply = seconds.multiply;
  n.seconds_combine_c = seconds.combine_c;
  n.work = plan.work();
  n.levels = plan.levels();
  n.error_bound = plan.error_bound();
  n.error_growth = plan.error_growth();
  return n;
}

cairn::PlanCandidate candidate_at(cairn_plan_t plan, int index) {
  const auto all = behind(plan, "plan")->candidates();
  expect(index >= 0 && index < std::ssize(all), "index is {}, expected 0 <= index < {}", index, all.size());
  return all[static_cast<std::size_t>(index)];
}

const char* name_at(const std::vector<std::string_view>& names, int index) {
  return index >= 0 && index < std::ssize(names) ? names[static_cast<std::size_t>(index)].data() : nullptr;
}

}  // namespace

extern "C" {

cairn_status cairn_load_machine(const char* file, cairn_machine* machine) {
  return guarded([&] {
    required(machine, "machine");
    const cairn::Machine m = cairn::load_machine(required(file, "file"));
    *machine = {m.alpha, m.beta, m.gamma};
  });
}

cairn_status cairn_measure_machine(cairn_context_t context, double seconds, const char* kept_in,
                                   cairn_machine* machine) {
  return collective("measure_machine", {context}, [&] {
    required(machine, "machine");
    const auto c = behind(context, "context");
    cairn::MeasureOptions o;
    set_unless_zero(seconds, o.seconds);
    o.kept_in = text_at(kept_in, o.kept_in);
    const cairn::Machine m = cairn::measure_machine(*c, o);
    *machine = {m.alpha, m.beta, m.gamma};
  });
}

cairn_status cairn_plan_multiply(const cairn_product* product, cairn_scalar type, int ranks,
                                 const cairn_plan_options* options, cairn_plan_t* plan) {
  return guarded([&] {
    required(plan, "plan");
    give(plan, cairn::plan_multiply(product_value(product, type), ranks, plan_options(options)));
  });
}

cairn_status cairn_plan_multiply_placed(const cairn_product* product, cairn_scalar type, cairn_layout_t a,
                                        cairn_layout_t b, cairn_layout_t c, int ranks,
                                        const cairn_plan_options* options, cairn_plan_t* plan) {
  return guarded([&] {
    required(plan, "plan");
    give(plan, cairn::plan_multiply(product_value(product, type), *behind(a, "a"), *behind(b, "b"),
                                    *behind(c, "c"), ranks, plan_options(options)));
  });
}

cairn_status cairn_plan_get_numbers(cairn_plan_t plan, cairn_plan_numbers* numbers) {
  return guarded([&] {
    check_report(required(numbers, "numbers"), "numbers");
    write_report(numbers, numbers_of(*behind(plan, "plan")));
  });
}

cairn_status cairn_plan_describe(cairn_plan_t plan, char* buffer, size_t size, size_t* length) {
  return guarded([&] { copy_text(behind(plan, "plan")->describe(), buffer, size, length); });
}

cairn_status cairn_plan_bricks(cairn_plan_t plan, char* buffer, size_t size, size_t* length) {
  return guarded([&] { copy_text(behind(plan, "plan")->bricks(), buffer, size, length); });
}

cairn_status cairn_plan_steps(cairn_plan_t plan, char* buffer, size_t size, size_t* length) {
  return guarded([&] { copy_text(behind(plan, "plan")->steps(), buffer, size, length); });
}

cairn_status cairn_plan_explain(cairn_plan_t plan, char* buffer, size_t size, size_t* length) {
  return guarded([&] { copy_text(behind(plan, "plan")->explain(), buffer, size, length); });
}

cairn_status cairn_plan_get_candidate(cairn_plan_t plan, int index, cairn_plan_candidate* candidate) {
  return guarded([&] {
    check_report(required(candidate, "candidate"), "candidate");
    const cairn::PlanCandidate given = candidate_at(plan, index);
    cairn_plan_candidate filled{};
    copy_three(given.grid, filled.grid);
    filled.rounds_along = static_cast<int>(given.rounds.along);
    filled.rounds = given.rounds.count;
    copy_three(given.stays, filled.stays);
    filled.exact = given.exact ? 1 : 0;
    filled.words = given.words;
    filled.seconds = given.seconds;
    filled.work = given.work;
    filled.memory_bytes = given.memory_bytes;
    filled.fast_levels = given.fast_levels;
    write_report(candidate, filled);
  });
}

cairn_status cairn_plan_candidate_why(cairn_plan_t plan, int index, char* buffer, size_t size,
                                      size_t* length) {
  return guarded([&] { copy_text(candidate_at(plan, index).why, buffer, size, length); });
}

cairn_status cairn_plan_layout(cairn_plan_t plan, char matrix, cairn_layout_t* layout) {
  return guarded([&] {
    required(layout, "layout");
    const auto p = behind(plan, "plan");
    expect(matrix == 'A' || matrix == 'B' || matrix == 'C', "matrix is '{}', expected 'A', 'B' or 'C'",
           matrix);
    give(layout, matrix == 'A' ? p->layout_a() : matrix == 'B' ? p->layout_b() : p->layout_c());
  });
}

cairn_status cairn_plan_free(cairn_plan_t* plan) { return free_handle(plan); }

const char* cairn_algorithm_name(int index) { return name_at(cairn::algorithm_names(), index); }
const char* cairn_fast_algorithm_name(int index) { return name_at(cairn::fast_algorithm_names(), index); }
}
