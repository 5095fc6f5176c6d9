// A BFS step: q products on q groups of ranks.
#include "comm/collectives.hpp"
#include "gemm/fast/step_compiler.hpp"
#include "program/written.hpp"

namespace cairn::gemm::fast {

using program::Place;

namespace {

std::string_view exchange_phase(Matrix x) {
  return x == Matrix::a ? "BFS A" : x == Matrix::b ? "BFS B" : "BFS C";
}

std::vector<std::vector<Rational>> factor_rows(const Bilinear& x, Matrix side) {
  std::vector<std::vector<Rational>> rows;
  for (const Term& t : x.terms) rows.push_back(t[side]);
  return rows;
}

std::vector<std::vector<Rational>> result_rows(const Bilinear& x) {
  std::vector<std::vector<Rational>> rows(static_cast<std::size_t>(x.blocks(Matrix::c)));
  for (const Term& t : x.terms)
    for (std::size_t l = 0; l < rows.size(); ++l) rows[l].push_back(t[Matrix::c][l]);
  return rows;
}

}  // namespace

StepCompiler::Fan StepCompiler::fan_of(std::size_t step, int joined) const {
  const auto at = static_cast<std::size_t>(joined);
  const int q = step_at(step).algorithm->rank();
  Dealt::Position first = position_, second = position_;
  first.turns[at] = 0;
  second.turns[at] = q > 1 ? 1 : 0;
  const int stride = dealt_.rank_of(second) - dealt_.rank_of(first);
  return {step, joined, position_.turns[at], program::Group::strided(dealt_.rank_of(first), stride, q)};
}

Index StepCompiler::held(const Fan& fan, Matrix x, int turn) const {
  Dealt::Position other = position_;
  other.turns[static_cast<std::size_t>(fan.joined)] = turn;
  Index sum = 0;
  for (const SlabRun& r : runs(x, fan.step + 1, dealt_.slabs(other, fan.joined))) sum += r.length * r.count;
  return sum;
}

Index StepCompiler::held_before(const Fan& fan, Matrix x, int turn) const {
  Index sum = 0;
  for (int t = 0; t < turn; ++t) sum += held(fan, x, t);
  return sum;
}

// My own among the places of all turns, the others one after the other elsewhere.
std::vector<Place> StepCompiler::by_turn(const Fan& fan, Matrix x, Place mine, Place others) {
  std::vector<Place> places;
  const Index each = held(fan, x, fan.turn);
  for (int t = 0; t < fan.group.size(); ++t)
    places.push_back(t == fan.turn ? mine : others + (t - (t > fan.turn ? 1 : 0)) * each);
  return places;
}

// The factors of all products: mine goes to its place among the slabs that are joined, the others' are sent.
// (q - 1) times what this rank holds of one factor.
void StepCompiler::send_factors(const Fan& fan, Matrix x, Place from, Place to) {
  const Place others = take((fan.group.size() - 1) * held(fan, x, fan.turn));
  std::vector<SlabBlock> outputs;
  for (const Place& p : by_turn(fan, x, to + held_before(fan, x, fan.turn), others)) outputs.push_back({p});
  const auto rows = factor_rows(*step_at(fan.step).algorithm, x);
  Sums sums = eliminate(rows, step_at(fan.step).algorithm->blocks(x));
  // The sums of B are made while those of A are under way.
  add(make_sums(program_.type, std::move(sums), blocks_of(x, fan.step, from), std::move(outputs),
                runs(x, fan.step + 1, dealt_.slabs(position_, fan.joined))),
      "sums", x == Matrix::a ? Waits::all : Waits::none);
  scatter(fan, x, others, to);
}

// Every rank starts with another peer, so that no rank is everybody's target at once.
void StepCompiler::scatter(const Fan& fan, Matrix x, Place from, Place to) {
  const int q = fan.group.size();
  comm::ScheduleBuilder b(comm::seat_of(fan.turn, q, bytes(program_.type)).message_elements);
  const Index mine = held(fan, x, fan.turn);
  for (int s = 1; s < q; ++s) {
    const int to_turn = (fan.turn + s) % q, from_turn = (fan.turn - s + q) % q;
    b.send(to_turn, comm::in((to_turn - (to_turn > fan.turn ? 1 : 0)) * mine), mine);
    b.receive(from_turn, comm::out(held_before(fan, x, from_turn)), held(fan, x, from_turn));
  }
  auto schedule = std::make_shared<const comm::CountedSchedule>(program::among(fan.group, b.finish()),
                                                                bytes(program_.type));
  communicate(program::Messages{std::move(schedule), from, to}, exchange_phase(x), Waits::none);
}

// My product goes back in parts; the parts of all others come in.
Place StepCompiler::return_products(const Fan& fan, Place mine) {
  const int q = fan.group.size();
  const Index each = held(fan, Matrix::c, fan.turn);
  const Place others = take((q - 1) * each);
  comm::ScheduleBuilder b(comm::seat_of(fan.turn, q, bytes(program_.type)).message_elements);
  for (int s = 1; s < q; ++s) {
    const int to_turn = (fan.turn + s) % q, from_turn = (fan.turn - s + q) % q;
    b.send(to_turn, comm::in(held_before(fan, Matrix::c, to_turn)), held(fan, Matrix::c, to_turn));
    b.receive(from_turn, comm::out((from_turn - (from_turn > fan.turn ? 1 : 0)) * each), each);
  }
  auto schedule = std::make_shared<const comm::CountedSchedule>(program::among(fan.group, b.finish()),
                                                                bytes(program_.type));
  communicate(program::Messages{std::move(schedule), mine, others}, exchange_phase(Matrix::c), Waits::all);
  return others;
}

void StepCompiler::combine(const Fan& fan, Place mine, Place others, Place c) {
  std::vector<SlabBlock> inputs;
  for (const Place& p : by_turn(fan, Matrix::c, mine + held_before(fan, Matrix::c, fan.turn), others))
    inputs.push_back({p});
  const auto rows = result_rows(*step_at(fan.step).algorithm);
  Sums sums = eliminate(rows, fan.group.size());
  add(make_sums(program_.type, std::move(sums), std::move(inputs), blocks_of(Matrix::c, fan.step, c),
                runs(Matrix::c, fan.step + 1, dealt_.slabs(position_, fan.joined))),
      "sums");
}

void StepCompiler::breadth_first(std::size_t step, int joined, const Places& at) {
  const Scope all(*this);
  const Fan fan = fan_of(step, joined);
  const Place product = take(elements(Matrix::c, step + 1, joined + 1));
  {
    const Scope factors(*this);
    const Place a = take(elements(Matrix::a, step + 1, joined + 1));
    const Place b = take(elements(Matrix::b, step + 1, joined + 1));
    {
      const Scope sent(*this);  // what follows waits for both exchanges before it uses this memory again
      send_factors(fan, Matrix::a, at[0], a);
      send_factors(fan, Matrix::b, at[1], b);
    }
    node(step + 1, joined + 1, {a, b, product});
  }
  combine(fan, product, return_products(fan, product), at[2]);
}

}  // namespace cairn::gemm::fast
