#include "cairn/placed_plan.hpp"

#include <algorithm>
#include <cmath>

#include "api/placed_plan_state.hpp"
#include "api/plan_state.hpp"
#include "comm/agreement.hpp"

namespace cairn {
namespace {

using gemm::Matrix;

std::array<bool, 3> stay(const gemm::Placed& p) {
  return {stays(p, Matrix::a), stays(p, Matrix::b), stays(p, Matrix::c)};
}

std::array<int, 3> public_grid(const gemm::Grid& g) { return {g.pm, g.pn, g.pk}; }

PlacedCandidate public_candidate(const plan::PlacedCandidate& c) {
  return {public_grid(c.placed.grid()),
          detail::public_rounds(c.placed.rounds),
          stay(c.placed),
          c.words_total,
          c.words_busiest,
          c.counted,
          c.seconds,
          c.work,
          c.why};
}

// On the exchanges of every rank where that is quickly done.
PlacedWords count_words(const plan::PlacedCandidate& best, int ranks) {
  constexpr Index most_exchanges = 4096;
  PlacedWords words{.total = best.words_total};
  words.counted = best.placed.rounds.count <= most_exchanges / ranks;
  if (words.counted) {
    words.total = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      const gemm::PlacedCounts counts = count(best.placed, rank, ranks);
      const Index received = counts.gathered.received.words + counts.combined.received.words;
      words.total += received;
      words.busiest = std::max(words.busiest, received);
    }
  }
  words.mean = static_cast<double>(words.total) / ranks;
  if (!words.counted) words.busiest = static_cast<Index>(std::ceil(words.mean));
  return words;
}

Index fingerprint_of(const gemm::Placed& p) {
  std::vector<Index> values{p.problem.m,
                            p.problem.n,
                            p.problem.k,
                            static_cast<Index>(p.problem.op_a),
                            static_cast<Index>(p.problem.op_b),
                            static_cast<Index>(p.problem.type),
                            static_cast<Index>(p.rounds.along),
                            p.rounds.count,
                            p.exchange.piece_bytes,
                            p.exchange.pieces_under_way};
  for (const layout::Layout& l : p.matrices) values.push_back(l.fingerprint());
  for (const gemm::Cut& cut : p.cuts)
    values.insert(values.end(), {cut.parts, cut.map ? cut.map->fingerprint() : -1});
  values.insert(values.end(), p.ranks.begin(), p.ranks.end());
  return comm::fingerprint(values);
}

std::string stays_text(const std::array<bool, 3>& stays) {
  std::string text;
  for (std::size_t x = 0; x < 3; ++x)
    if (stays[x]) text += fmt::format("{}{}", text.empty() ? "" : ", ", "ABC"[x]);
  return text.empty() ? "none" : text;
}

void check(const PlanOptions& o) {
  require(!detail::name_a_schedule(o),
          "algorithm '{}', grid, rounds, layers, transport or lookahead are given, expected none of them: a "
          "plan for matrices where they are chooses its own",
          o.algorithm);
  detail::check(o);
}

}  // namespace

bool detail::name_a_schedule(const PlanOptions& o) {
  return o.algorithm != "auto" || o.grid || o.rounds || o.layers || o.transport != Transport::two_sided ||
         o.lookahead != 0;
}

detail::PlacedPlanState::PlacedPlanState(const Product& wanted, const PlanOptions& how,
                                         const std::array<Layout, 3>& where, plan::PlacedPlan planned)
    : product(wanted),
      options(how),
      layouts(where),
      plan(std::move(planned)),
      memory_bytes(plan.best.memory_bytes > 0 ? plan.best.memory_bytes
                                              : plan::memory_of(placed(), plan.ranks)),
      fingerprint(fingerprint_of(placed())) {}

const PlacedWords& detail::PlacedPlanState::words() const {
  std::call_once(once_, [this] { words_ = count_words(plan.best, plan.ranks); });
  return words_;
}

PlacedPlan plan_multiply(const Product& product, const Layout& a, const Layout& b, const Layout& c, int ranks,
                         const PlanOptions& options) {
  check(options);
  return PlacedPlan(std::make_shared<const detail::PlacedPlanState>(
      product, options, std::array{a, b, c},
      plan::plan_placed(detail::problem_of(product),
                        {a.state().general(), b.state().general(), c.state().general()}, ranks,
                        detail::settings_of(options))));
}

const Product& PlacedPlan::product() const { return state_->product; }
const PlanOptions& PlacedPlan::options() const { return state_->options; }
Layout PlacedPlan::layout_a() const { return state_->layouts[0]; }
Layout PlacedPlan::layout_b() const { return state_->layouts[1]; }
Layout PlacedPlan::layout_c() const { return state_->layouts[2]; }
int PlacedPlan::ranks() const { return state_->plan.ranks; }
int PlacedPlan::idle_ranks() const { return ranks() - static_cast<int>(state_->placed().grid().ranks()); }
std::array<int, 3> PlacedPlan::grid() const { return public_grid(state_->placed().grid()); }
Rounds PlacedPlan::rounds() const { return detail::public_rounds(state_->placed().rounds); }
bool PlacedPlan::a_stays() const { return stays(state_->placed(), Matrix::a); }
bool PlacedPlan::b_stays() const { return stays(state_->placed(), Matrix::b); }
bool PlacedPlan::c_stays() const { return stays(state_->placed(), Matrix::c); }
PlacedWords PlacedPlan::words() const { return state_->words(); }
double PlacedPlan::seconds() const { return state_->plan.best.seconds; }
Index PlacedPlan::memory_bytes() const { return state_->memory_bytes; }

std::vector<PlacedCandidate> PlacedPlan::candidates() const {
  std::vector<PlacedCandidate> all;
  std::ranges::transform(state_->plan.candidates, std::back_inserter(all), public_candidate);
  return all;
}

std::string PlacedPlan::describe() const {
  return fmt::format("{} on {}", gemm::describe(detail::problem_of(product())),
                     gemm::describe(state_->placed()));
}

std::string PlacedPlan::explain() const {
  const PlacedWords w = words();
  std::string text = fmt::format("{}, {} of {} ranks idle\n", describe(), idle_ranks(), ranks());
  for (std::size_t x = 0; x < 3; ++x) text += fmt::format("{}: {}\n", "ABC"[x], state_ -> layouts[x].text());
  text += fmt::format("words received: {} by the busiest rank{}, {:.6g} on average, {} in all\n", w.busiest,
                      w.counted ? "" : " (not counted: the mean)", w.mean, w.total);
  text += fmt::format("memory {} bytes a rank, predicted {:.3g} s\n", memory_bytes(), seconds());
  text += fmt::format("{:>18}  {:>14}  {:>8}  {:>12}  {:>10}  {:>6}  {}\n", "grid", "rounds", "in place",
                      "words", "seconds", "work", "why");
  for (const PlacedCandidate& c : candidates())
    text +=
        fmt::format("{:>18}  {:>14}  {:>8}  {:>12.0f}  {:>10.3g}  {:>6.3g}  {}\n",
                    gemm::describe(gemm::Grid{c.grid[0], c.grid[1], c.grid[2]}),
                    detail::rounds_text(c.rounds), stays_text(c.stays), c.words, c.seconds, c.work, c.why);
  return text;
}

}  // namespace cairn
