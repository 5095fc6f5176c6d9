#include "cli/multiply_placed.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/measure.hpp"
#include "cli/multiply_data.hpp"
#include "cli/table.hpp"
#include "cli/trace_file.hpp"
#include "comm/agreement.hpp"
#include "comm/collectives.hpp"
#include "comm/traffic_table.hpp"
#include "gemm/verify.hpp"
#include "layout/dist_matrix.hpp"
#include "layout/kinds.hpp"

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

std::string in_place_text(const gemm::Placed& p) {
  std::string text;
  for (const Matrix x : gemm::all_matrices)
    if (stays(p, x)) text += fmt::format("{}{}", text.empty() ? "" : ", ", name(x));
  return text.empty() ? "none" : text;
}

json candidate_json(const plan::PlacedCandidate& c) {
  const gemm::Grid g = c.placed.grid();
  json in_place = json::array();
  for (const Matrix x : gemm::all_matrices)
    if (stays(c.placed, x)) in_place.push_back(name(x));
  return {{"grid", {g.pm, g.pn, g.pk}},
          {"in_place", in_place},
          {"cut", c.why},
          {"rounds", c.placed.rounds.count},
          {"words_total", c.words_total},
          {"words_busiest", c.words_busiest},
          {"counted", c.counted},
          {"work", c.work},
          {"memory_bytes_per_rank", c.memory_bytes > 0 ? json(c.memory_bytes) : json(nullptr)},
          {"seconds", c.seconds}};
}

// This rank's parts of A, B and C.
template <Scalar T>
struct Matrices {
  Matrices(const gemm::Placed& p, int r)
      : a(p.of(Matrix::a), r), b(p.of(Matrix::b), r), c(p.of(Matrix::c), r), rank(r) {
    fill_with(a, Matrix::a);
    fill_with(b, Matrix::b);
    restore_c();
  }
  void restore_c() { fill_with(c, Matrix::c); }

  layout::DistMatrix<T> a, b, c;
  int rank;

 private:
  void fill_with(layout::DistMatrix<T>& x, Matrix which) {
    fill(x.view(), rank, [&](Index i, Index j) { return random_element<T>(which, i, j); });
  }
};

struct Outcome {
  std::vector<double> seconds;
  comm::TrafficRow traffic;
  std::optional<gemm::Verdict> verdict;
};

template <Scalar T>
Outcome run(CommView c, const gemm::Placed& p, const PlacedRunOptions& o, gemm::Trace* trace) {
  const auto scalar = [](std::complex<double> x) {
    if constexpr (ScalarTraits<T>::is_complex)
      return T(x);
    else
      return static_cast<T>(x.real());
  };
  const T alpha = scalar(o.alpha), beta = scalar(o.beta);
  std::optional<Matrices<T>> m;
  comm::agree(c, "multiply: memory of the matrices", [&] { m.emplace(p, c.rank()); });
  Outcome outcome;
  gemm::Freivalds<T> freivalds(c, p.problem.m, p.problem.n, {.rounds = std::max(1, o.verify_rounds)});
  for (int i = 0; i <= o.repeat; ++i) {  // the first one touches the memory
    m->restore_c();
    if (i == o.repeat && beta != T(0)) freivalds.save(gemm::blocks_of<T>(m->c.view(), c.rank()));
    const comm::TrafficSnapshot before = c.traffic().snapshot();
    comm::barrier(c.unchecked());
    const double start = seconds_now();
    if (trace != nullptr) trace->start();
    gemm::multiply<T>(p, c, alpha, m->a.view(), m->b.view(), beta, m->c.view(),
                      i == o.repeat ? trace : nullptr);
    const double passed = seconds_now() - start;
    if (i == o.repeat) {
      comm::TrafficSnapshot moved = c.traffic().snapshot() - before;
      std::erase_if(moved.phases, [](const auto& phase) {
        return !phase.first.starts_with("gather") && !phase.first.starts_with("combine");
      });
      outcome.traffic = comm::gather_traffic(c, moved).back();
    }
    if (i > 0) outcome.seconds.push_back(comm::allreduce(c.unchecked(), passed, comm::ReduceOp::max));
  }
  if (o.verify_rounds > 0)
    outcome.verdict = freivalds.check(alpha, {p.problem.op_a, gemm::blocks_of<T>(m->a.view(), c.rank())},
                                      {p.problem.op_b, gemm::blocks_of<T>(m->b.view(), c.rank())}, beta,
                                      gemm::blocks_of<T>(m->c.view(), c.rank()));
  std::ranges::sort(outcome.seconds);
  return outcome;
}

double flops(const gemm::Problem& p) { return gemm::flops_per_voxel(p.type) * voxels(p); }

json spread(const comm::Spread& s, int ranks) {
  return {{"total", s.total}, {"mean", static_cast<double>(s.total) / ranks}, {"max", s.max}};
}

void print(const MultiplyRequest& r, const TimedPlacedPlan& timed, const PlacedRunOptions& o,
           const Outcome& outcome) {
  const double median = outcome.seconds[outcome.seconds.size() / 2];
  const int ranks = timed.plan.ranks;
  const comm::TrafficRow& t = outcome.traffic;
  if (o.json) {
    json all = placed_json(r, timed);
    all["words"]["sent"] = spread(t.words_sent, ranks);
    all["words"]["received"] = spread(t.words_received, ranks);
    all["messages"]["received"] = spread(t.messages_received, ranks);
    if (!o.trace.empty()) all["trace"] = o.trace;
    all["seconds"]["median"] = median;
    all["seconds"]["min"] = outcome.seconds.front();
    all["gflops"] = median > 0 ? 1e-9 * flops(r.problem) / median : 0;
    all["verified"] = outcome.verdict ? json(outcome.verdict->passed) : json(nullptr);
    if (outcome.verdict) all["error_over_allowed"] = outcome.verdict->error_over_allowed();
    return fmt::print("{}\n", all.dump(2));
  }
  fmt::print("{}\n", placed_text(r, timed));
  fmt::print("received        busiest rank {}, mean {:.1f} words; busiest rank {} messages\n",
             t.words_received.max, static_cast<double>(t.words_received.total) / ranks,
             t.messages_received.max);
  fmt::print("time            median {:.6f} s, least {:.6f} s, {:.3g} Gflop/s\n", median,
             outcome.seconds.front(), median > 0 ? 1e-9 * flops(r.problem) / median : 0);
  fmt::print("{}\n", outcome.verdict ? outcome.verdict->passed ? "verified" : "WRONG" : "not verified");
  if (!o.trace.empty()) fmt::print("{}", trace_written_text(o.trace));
}

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

TimedPlacedPlan make_placed_plan(const MultiplyRequest& r, const LayoutTexts& texts, int ranks) {
  require(r.algorithm == "auto" && !r.grid,
          "--layout-* with --algorithm or --grid: a product of matrices in place chooses its own");
  const double start = seconds_now();
  TimedPlacedPlan timed{.plan = {}, .texts = texts};
  std::array<layout::Layout, 3> matrices;
  for (const Matrix x : gemm::all_matrices) {
    std::string& text = x == Matrix::a ? timed.texts.a : x == Matrix::b ? timed.texts.b : timed.texts.c;
    if (text.empty()) text = usual_layout(ranks);
    matrices[index(x)] = read_layout(r.problem, x, text);
  }
  timed.plan = plan::plan_placed(r.problem, matrices, ranks, r.settings);
  timed.seconds = seconds_now() - start;
  return timed;
}

std::string placed_text(const MultiplyRequest& r, const TimedPlacedPlan& timed) {
  const gemm::Problem& p = r.problem;
  std::string text = fmt::format("{} x {} x {} (m x n x k) {}, op(A) {}, op(B) {}, on {} ranks\n\n", p.m, p.n,
                                 p.k, name(p.type), gemm::name(p.op_a), gemm::name(p.op_b), timed.plan.ranks);
  text += fmt::format("A               {}\nB               {}\nC               {}\n", timed.texts.a,
                      timed.texts.b, timed.texts.c);
  const plan::PlacedCandidate& best = timed.plan.best;
  text += fmt::format("schedule        {}\n", describe(best.placed));
  text += fmt::format("words received  busiest rank {:.0f}, all ranks {}\n", best.words_busiest,
                      best.words_total);
  text += fmt::format("planned in      {:.4g} s\n\n", timed.seconds);
  Table table({"candidate", "grid", "rounds", "in place", "words, busiest", "words, all", "work/even",
               "seconds", "cut"});
  table.last_is_text();
  for (std::size_t i = 0; i < timed.plan.candidates.size(); ++i) {
    const plan::PlacedCandidate& c = timed.plan.candidates[i];
    table.add({std::to_string(i + 1), describe(c.placed.grid()), std::to_string(c.placed.rounds.count),
               in_place_text(c.placed), fmt::format("{:.0f}{}", c.words_busiest, c.counted ? "" : " (mean)"),
               std::to_string(c.words_total), fmt::format("{:.3f}", c.work), fmt::format("{:.4g}", c.seconds),
               c.why});
  }
  return text + table.text();
}

json placed_json(const MultiplyRequest& r, const TimedPlacedPlan& timed) {
  const gemm::Problem& p = r.problem;
  json all = candidate_json(timed.plan.best);
  const double seconds = timed.plan.best.seconds;
  all.update(
      json{{"m", p.m},
           {"n", p.n},
           {"k", p.k},
           {"op_a", gemm::name(p.op_a)},
           {"op_b", gemm::name(p.op_b)},
           {"ranks", timed.plan.ranks},
           {"algorithm", "placed"},
           {"objective", name(r.settings.objective)},
           {"layouts", {{"a", timed.texts.a}, {"b", timed.texts.b}, {"c", timed.texts.c}}},
           {"words",
            {{"counted", {{"total", timed.plan.best.words_total}, {"max", timed.plan.best.words_busiest}}}}},
           {"seconds", {{"predicted", seconds}, {"planning", timed.seconds}}}});
  for (const plan::PlacedCandidate& c : timed.plan.candidates) all["candidates"].push_back(candidate_json(c));
  return all;
}

bool run_placed(CommView c, const MultiplyRequest& r, const TimedPlacedPlan& timed,
                const PlacedRunOptions& o) {
  const gemm::Placed& p = timed.plan.best.placed;
  gemm::Trace trace;
  const Outcome outcome = dispatch(
      r.problem.type, [&]<class T>() { return run<T>(c, p, o, o.trace.empty() ? nullptr : &trace); });
  if (!o.trace.empty())
    write_trace_file(
        c, o.trace, trace.events(), [&](int rank) { return rank_name(p, rank); }, about_trace(p, "measured"));
  if (c.rank() == 0) print(r, timed, o, outcome);
  const bool right = !outcome.verdict || outcome.verdict->passed;
  if (c.rank() == 0 && !right)
    fmt::print(stderr, "cairn: the product is wrong: {}\n", describe(*outcome.verdict));
  return right;
}

}  // namespace cairn::cli
