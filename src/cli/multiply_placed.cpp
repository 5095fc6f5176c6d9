#include "cli/multiply_placed.hpp"

#include <algorithm>
#include <cmath>

#include "cli/gemm_trace.hpp"
#include "cli/multiply_data.hpp"
#include "cli/multiply_native.hpp"
#include "comm/agreement.hpp"
#include "gemm/simulate.hpp"
#include "gemm/verify.hpp"
#include "layout/dist_matrix.hpp"
#include "layout/kinds.hpp"
#include "plan/placed.hpp"

namespace cairn::cli {
namespace {

using comm::CommView;
using gemm::Matrix;
using nlohmann::json;

std::string usual_layout(int ranks) {
  int rows = 1;
  for (int d = 1; d * d <= ranks; ++d)
    if (ranks % d == 0) rows = d;
  return fmt::format("blocked {}x{}", rows, ranks / rows);
}

layout::Layout read_layout(const gemm::Problem& p, Matrix x, const std::string& text) {
  try {
    return layout::parse_layout(text, stored_rows(p, x), stored_columns(p, x));
  } catch (const ArgumentError& e) {
    fail("--layout-{}: {}", "abc"[index(x)], e.what());
  }
}

json in_place_json(const gemm::Placed& p) {
  json in_place = json::array();
  for (const Matrix x : gemm::all_matrices)
    if (stays(p, x)) in_place.push_back(name(x));
  return in_place;
}

std::string in_place_text(const gemm::Placed& p) {
  std::string text;
  for (const Matrix x : gemm::all_matrices)
    if (stays(p, x)) text += fmt::format("{}{}", text.empty() ? "" : ", ", name(x));
  return text.empty() ? "none" : text;
}

json fields_of(const plan::PlacedCandidate& c) {
  const gemm::Grid g = c.placed.grid();
  return {{"grid", {g.pm, g.pn, g.pk}},
          {"rounds", c.placed.rounds.count},
          {"in_place", in_place_json(c.placed)},
          {"cut", c.why},
          {"counted", c.counted},
          {"work", c.work}};
}

Candidate placed_candidate(const plan::PlacedCandidate& c) {
  return {.cells = {{"grid", describe(c.placed.grid())},
                    {"rounds", std::to_string(c.placed.rounds.count)},
                    {"in place", in_place_text(c.placed)}},
          .fields = fields_of(c),
          .seconds = c.seconds,
          .words_total = c.words_total,
          .words_received = std::llround(c.words_busiest),
          .words_sent = 0,
          .messages = std::llround(c.messages),
          .work = c.work,
          .memory_bytes = c.memory_bytes,
          .why = c.why};
}

void raise(comm::Spread& s, Index value) {
  s.max = std::max(s.max, value);
  s.total += value;
}

// Every rank's exchanges, as they will run.
void count_exactly(Planned& planned, const gemm::Placed& p) {
  planned.words = planned.messages = {};
  for (int rank = 0; rank < planned.ranks; ++rank) {
    const gemm::PlacedCounts counts = count(p, rank, planned.ranks);
    comm::Counters moved = counts.gathered;
    moved += counts.combined;
    raise(planned.words.sent, moved.sent.words);
    raise(planned.words.received, moved.received.words);
    raise(planned.messages.sent, moved.sent.messages);
    raise(planned.messages.received, moved.received.messages);
  }
  for (comm::Spread* s :
       {&planned.words.sent, &planned.words.received, &planned.messages.sent, &planned.messages.received})
    s->mean = static_cast<double>(s->total) / planned.ranks;
}

void add_placed_costs(Planned& planned, const plan::PlacedCandidate& best) {
  planned.seconds = best.seconds;
  planned.exact = best.counted;
  planned.memory_bytes =
      best.memory_bytes > 0 ? best.memory_bytes : plan::memory_of(best.placed, planned.ranks);
  if (best.counted) return count_exactly(planned, best.placed);
  const double mean = static_cast<double>(best.words_total) / planned.ranks;
  planned.words.received = planned.words.sent = {std::llround(best.words_busiest), best.words_total, mean};
  planned.messages.received.max = std::llround(best.messages);
}

int busiest_placed_rank(const gemm::Placed& p, int ranks) {
  int busiest = 0;
  Index most = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    const gemm::PlacedCounts counts = count(p, rank, ranks);
    const Index words = counts.gathered.received.words + counts.combined.received.words;
    if (words > most) busiest = rank;
    most = std::max(most, words);
  }
  return busiest;
}

std::string placed_rank_name(const gemm::Placed& p, int rank) {
  const auto at = std::ranges::find(p.ranks, rank);
  return at == p.ranks.end() ? fmt::format("rank {}, no brick", rank)
                             : brick_name(p.grid(), rank, static_cast<int>(at - p.ranks.begin()));
}

std::vector<RankTrace> simulated(const gemm::Placed& p, int ranks, const bounds::Machine& machine) {
  std::vector<RankTrace> traces;
  const int busiest = ranks > most_simulated_ranks ? busiest_placed_rank(p, ranks) : 0;
  for (const int rank : simulated_ranks(ranks, busiest))
    traces.push_back(
        {rank, placed_rank_name(p, rank), general_trace(simulated_trace(p, rank, ranks, machine))});
  return traces;
}

template <Scalar T>
class PlacedWork final : public Work {
 public:
  PlacedWork(CommView c, const gemm::Placed& p, const MultiplyRequest& r, int rounds)
      : comm_(c),
        placed_(p),
        alpha_(as_scalar<T>(r.alpha)),
        beta_(as_scalar<T>(r.beta)),
        rounds_(rounds),
        freivalds_(c, p.problem.m, p.problem.n, {.rounds = std::max(1, rounds)}) {
    comm::agree(c, "multiply: memory of the matrices", [&] {
      for (const Matrix x : gemm::all_matrices) matrices_[index(x)].emplace(p.of(x), c.rank());
    });
    for (const Matrix x : gemm::all_matrices) fill_random_part(x);
  }

  void prepare(bool last) override {
    fill_random_part(Matrix::c);
    if (last && beta_ != T(0)) freivalds_.save(blocks(Matrix::c));
  }
  void run(program::Trace* /*trace*/) override { multiply(nullptr); }
  std::vector<program::TraceEvent> run_traced() override {
    gemm::Trace trace;
    trace.start();
    multiply(&trace);
    return general_trace(trace.events());
  }
  std::optional<WorkVerdict> check() override {
    const gemm::Problem& p = placed_.problem;
    return verdict_of_product(freivalds_.check(alpha_, {p.op_a, blocks(Matrix::a)},
                                               {p.op_b, blocks(Matrix::b)}, beta_, blocks(Matrix::c)),
                              rounds_);
  }

 private:
  layout::DistMatrix<T>& of(Matrix x) { return *matrices_[index(x)]; }
  gemm::LocalBlocks<T> blocks(Matrix x) { return gemm::blocks_of<T>(of(x).view(), comm_.rank()); }
  void fill_random_part(Matrix x) {
    fill(of(x).view(), comm_.rank(), [&](Index i, Index j) { return random_element<T>(x, i, j); });
  }
  void multiply(gemm::Trace* trace) {
    gemm::multiply<T>(placed_, comm_, alpha_, of(Matrix::a).view(), of(Matrix::b).view(), beta_,
                      of(Matrix::c).view(), trace);
  }

  CommView comm_;
  gemm::Placed placed_;
  T alpha_, beta_;
  int rounds_;
  gemm::Freivalds<T> freivalds_;
  std::array<std::optional<layout::DistMatrix<T>>, 3> matrices_;
};

}  // namespace

void add_layout_options(Command app, LayoutTexts& texts) {
  const auto add = [&](const char* option, std::string& text, const char* matrix) {
    app.add_option(
           option, text,
           fmt::format("Layout of {} as it is stored, as for `cairn layout`: \"block-cyclic 2x2 mb=64 "
                       "nb=64\"",
                       matrix))
        .type_name("SPEC");
  };
  add("--layout-a", texts.a, "A");
  add("--layout-b", texts.b, "B");
  add("--layout-c", texts.c, "C");
}

Planned plan_placed(const MultiplyOptions& o, const SharedOptions& /*shared*/, int ranks) {
  const MultiplyRequest& r = o.request;
  require(r.algorithm == "auto" && !r.grid,
          "--layout-* with --algorithm or --grid: a product of matrices in place chooses its own");
  Planned planned = planned_product(r, ranks);
  std::array<layout::Layout, 3> matrices;
  for (const Matrix x : gemm::all_matrices) {
    const std::string& given = x == Matrix::a ? o.layouts.a : x == Matrix::b ? o.layouts.b : o.layouts.c;
    const std::string text = given.empty() ? usual_layout(ranks) : given;
    matrices[index(x)] = read_layout(r.problem, x, text);
    planned.fields["layouts"][std::string(1, "abc"[index(x)])] = text;
    planned.lines.emplace_back(name(x), text);
  }
  const plan::PlacedPlan plan = plan::plan_placed(r.problem, matrices, ranks, r.settings);
  const gemm::Placed placed = plan.best.placed;
  planned.algorithm = "placed";
  planned.fields.update(fields_of(plan.best));
  planned.fields.update({{"lookahead", placed.lookahead}, {"transport", "two-sided"}});
  planned.lines.emplace_back("schedule", describe(placed));
  add_placed_costs(planned, plan.best);
  for (const plan::PlacedCandidate& c : plan.candidates) planned.candidates.push_back(placed_candidate(c));
  planned.simulate = [=, machine = r.settings.machine] { return simulated(placed, ranks, machine); };
  planned.rank_name = [placed](int rank) { return placed_rank_name(placed, rank); };
  planned.own = plan;
  return planned;
}

std::unique_ptr<Work> start_placed(const MultiplyOptions& o, const SharedOptions& shared,
                                   const Planned& planned, CommView c) {
  const gemm::Placed& p = std::any_cast<const plan::PlacedPlan&>(planned.own).best.placed;
  return dispatch(p.problem.type, [&]<class T>() -> std::unique_ptr<Work> {
    return std::make_unique<PlacedWork<T>>(c, p, o.request, shared.checks());
  });
}

}  // namespace cairn::cli
