// cairn redistribute: one layout into another.
#include <cmath>

#include "cli/commands.hpp"
#include "cli/operation.hpp"
#include "comm/agreement.hpp"
#include "comm/collectives.hpp"
#include "layout/dist_matrix.hpp"
#include "layout/exchange/exchange_count.hpp"
#include "layout/exchange/redistribute.hpp"
#include "layout/kinds.hpp"
#include "layout/matching/relabel.hpp"

namespace cairn::cli {
namespace {

using comm::CommView;
using layout::Layout;

struct RedistributeRequest {
  Index rows = 1000, columns = 1000;
  std::string from, to;
  std::string op = "N";
  std::string type = "d";
  bool relabel = false;
};

struct LayoutMove {
  Layout from, to;
  Op op = Op::none;
  ScalarType type = ScalarType::f64;
  Index words_as_given = 0;  // that move if nothing is relabelled
  Index words = 0;           // that must move
  std::string relabelling = "off";
};

LayoutMove read_move(const RedistributeRequest& o) {
  const Op op = parse_op("--op", o.op);
  const bool straight = op == Op::none;
  LayoutMove move{
      .from = layout::parse_layout(o.from, o.rows, o.columns),
      .to = layout::parse_layout(o.to, straight ? o.rows : o.columns, straight ? o.columns : o.rows),
      .op = op,
      .type = parse_scalar_type(o.type)};
  move.words = move.words_as_given = layout::words_moved(move.from, move.to, op);
  return move;
}

LayoutMove relabelled(LayoutMove move, int ranks) {
  const layout::RelabelledMove wanted{move.from, move.to, move.op};
  const layout::Assignment best = layout::relabel(std::span(&wanted, 1), ranks);
  move.to = move.to.on_ranks(best.rank_of);
  move.words = layout::words_moved(move.from, move.to, move.op);
  move.relabelling = name(best.method);
  return move;
}

int ranks_named(const RedistributeRequest& o) {
  const LayoutMove move = read_move(o);
  return std::max(move.from.last_rank(), move.to.last_rank()) + 1;
}

void check_ranks_of_move(const LayoutMove& move, int ranks) {
  for (const auto& [option, x] : {std::pair{"--from", &move.from}, std::pair{"--to", &move.to}})
    require(x->last_rank() < ranks, "{} names rank {}, expected ranks below {}", option, x->last_rank(),
            ranks);
}

void raise(comm::Spread& s, Index value, int ranks) {
  s.max = std::max(s.max, value);
  s.total += value;
  s.mean = static_cast<double>(s.total) / ranks;
}

// Up to this many ranks the exchanges of all are counted; beyond that the busiest rank is taken for the mean.
constexpr int most_counted_ranks = 4096;

void count_move(Planned& p, const LayoutMove& move) {
  p.exact = p.ranks <= most_counted_ranks;
  if (!p.exact) {
    const double mean = static_cast<double>(move.words) / p.ranks;
    p.words.sent = p.words.received = {std::llround(mean), move.words, mean};
    return;
  }
  const std::vector<layout::Move> moves{{move.from, move.to, move.op}};
  const Index element = bytes(move.type), piece = layout::RedistributeOptions{}.piece_words(element);
  for (const comm::Counters& moved : layout::count_all(moves, p.ranks, piece, element)) {
    raise(p.words.sent, moved.sent.words, p.ranks);
    raise(p.words.received, moved.received.words, p.ranks);
    raise(p.messages.sent, moved.sent.messages, p.ranks);
    raise(p.messages.received, moved.received.messages, p.ranks);
  }
}

// alpha a message, beta a word of 8 bytes and two copies of it, on the busiest rank.
double predicted_seconds(const Planned& p, ScalarType type, const Machine& m) {
  const double words = static_cast<double>(std::max(p.words.sent.max, p.words.received.max)) *
                       static_cast<double>(bytes(type)) / 8;
  const double messages = static_cast<double>(std::max(p.messages.sent.max, p.messages.received.max));
  return m.alpha * messages + (m.beta + 2 * m.copy) * words;
}

Planned described_move(const RedistributeRequest& o, const LayoutMove& move, int ranks) {
  Planned p;
  p.title = fmt::format("{} x {} {} on {} rank{}, op {}", o.rows, o.columns, name(move.type), ranks,
                        ranks == 1 ? "" : "s", o.op);
  p.algorithm = "exchange";
  p.ranks = p.active_ranks = ranks;
  p.fields = {{"rows", o.rows},
              {"columns", o.columns},
              {"op", o.op},
              {"type", o.type},
              {"from", move.from.text()},
              {"to", move.to.text()},
              {"relabelling", move.relabelling},
              {"words_without_relabelling", move.words_as_given}};
  p.lines = {{"from", move.from.text()},
             {"to", move.to.text()},
             {"must move", fmt::format("{} of {} words", move.words, o.rows * o.columns)}};
  if (o.relabel)
    p.lines.emplace_back("relabelling", fmt::format("{}; {} words would move as given", move.relabelling,
                                                    move.words_as_given));
  return p;
}

// Of the rank that holds most: its parts of both, and the pieces under way.
Index bytes_of_move(const LayoutMove& move, int ranks) {
  Index most = 0;
  for (int rank = 0; rank < ranks; ++rank)
    most = std::max(most, move.from.memory_elements(rank) + move.to.memory_elements(rank));
  const layout::RedistributeOptions options;
  const std::vector<layout::Move> moves{{move.from, move.to, move.op}};
  const int ways = layout::Relays(moves, layout::PassOn::allowed).any(ranks) ? 3 : 2;  // out, in, passed on
  return most * bytes(move.type) + ways * options.pieces_under_way * options.piece_bytes;
}

Planned plan_redistribute(const RedistributeRequest& o, const SharedOptions& shared, int ranks) {
  LayoutMove move = read_move(o);
  check_ranks_of_move(move, ranks);
  if (o.relabel) move = relabelled(move, ranks);
  Planned p = described_move(o, move, ranks);
  count_move(p, move);
  if (p.exact)
    p.bound = static_cast<double>(p.words.received.max);  // every rank receives what it lacks, once
  p.memory_bytes = bytes_of_move(move, ranks);
  p.seconds = predicted_seconds(p, move.type, shared.machine.machine);
  p.phases = {{"redistribute", p.seconds}};
  p.own = move;
  return p;
}

template <Scalar T>
class RedistributeWork final : public Work {
 public:
  RedistributeWork(CommView c, const LayoutMove& move, int threads)
      : comm_(c), move_(move), threads_(threads) {
    comm::agree(c, "redistribute: memory of the matrices", [&] {
      a_.emplace(move_.from, c.rank());
      b_.emplace(move_.to, c.rank());
    });
    fill(a_->view(), c.rank(), value);
  }
  void prepare(bool /*last*/) override {
    fill(b_->view(), comm_.rank(), [](Index, Index) { return T(NAN); });
  }
  void run(program::Trace* trace) override {
    const program::CoreScope scope(trace, program::Activity::wait, "redistribute", 0);
    layout::redistribute<T>(comm_, T(1), move_.op, a_->view(), T(0), b_->view(), {.threads = threads_});
  }
  std::optional<WorkVerdict> check() override {
    const double mine = largest_difference(b_->view(), comm_.rank(), [&](Index i, Index j) {
      return move_.op == Op::none ? value(i, j) : value(j, i);
    });
    const double worst = comm::allreduce(comm_, mine, comm::ReduceOp::max);
    WorkVerdict verdict{
        .how = "element by element",
        .problem = fmt::format("wrong elements were delivered: the largest error is {}", worst)};
    check::compare_row(verdict.found, 0, worst, 0);
    return verdict;
  }

 private:
  static T value(Index i, Index j) {
    return T(static_cast<Real<T>>((i * 131 + j * 71) % 1009) - static_cast<Real<T>>(504));
  }

  CommView comm_;
  LayoutMove move_;
  int threads_;
  std::optional<layout::DistMatrix<T>> a_, b_;
};

void add_redistribute_options(Command app, RedistributeRequest& o, Verb /*verb*/) {
  add_size(app, "--rows", o.rows, "Rows of A (default 1000)", 0);
  add_size(app, "--cols,--columns", o.columns, "Columns of A (default 1000)", 0);
  app.add_option("--from", o.from, "Layout of A, as for `cairn layout`").required().type_name("SPEC");
  app.add_option("--to", o.to, "Layout of op(A)").required().type_name("SPEC");
  app.add_option("--op", o.op, "N: as it is, T: transposed, C: conjugated and transposed").type_name("N|T|C");
  app.add_option("--type", o.type, "s, d, c or z (default d)");
  app.add_flag("--relabel", o.relabel,
               "Assign the target's positions to the ranks that keep most words where they are");
}

}  // namespace

Operation redistribute_operation() {
  return make_operation<RedistributeRequest>({
      .name = "redistribute",
      .summary = "Move a matrix from one layout to another",
      .example = "--rows 4000 --cols 3000 --from \"block-cyclic 2x2 mb=64 nb=64\" --to \"elemental 2x2\"",
      .options = add_redistribute_options,
      .read = [](RedistributeRequest& o, const SharedOptions&) { read_move(o); },
      .ranks = ranks_named,
      .plan = plan_redistribute,
      .run =
          [](const RedistributeRequest&, const SharedOptions&, const Planned& planned, CommView c) {
            const auto& move = std::any_cast<const LayoutMove&>(planned.own);
            return dispatch(move.type, [&]<class T>() -> std::unique_ptr<Work> {
              return std::make_unique<RedistributeWork<T>>(c, move, std::max(1, blas::library().threads));
            });
          },
  });
}

}  // namespace cairn::cli
