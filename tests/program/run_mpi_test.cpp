// Programs on real ranks: groups that are no communicators of their own, messages, exchanges and local steps,
// several under way at once. Results are whole numbers, exact in every order; what moved is what was counted.
#include "program/run.hpp"

#include "comm/collectives.hpp"
#include "layout/kinds.hpp"
#include "program/count.hpp"
#include "program/written.hpp"
#include "support/mpi_test.hpp"

namespace cairn::program {
namespace {

using comm::CommView;
using comm::Partition;

class ProgramRun : public cairn::test::MpiTest {};

Program empty_program(CommView c, std::vector<Index> arrays) {
  return {.type = ScalarType::f64,
          .rank = c.rank(),
          .ranks = c.size(),
          .phases = {},
          .array_counts = std::move(arrays),
          .actions = {}};
}

void add(Program& p, std::string_view phase, auto what, std::initializer_list<int> waits = {}) {
  Action action{.what = std::move(what), .phase = phase_number(p, phase)};
  for (const int w : waits) action.waits.push_back(w);
  p.actions.push_back(std::move(action));
}

// Runs it and compares Traffic with the count, phase by phase.
void run_counted(const Program& p, CommView c, std::vector<std::vector<double>>& memory) {
  std::vector<double*> arrays;
  for (std::vector<double>& m : memory) arrays.push_back(m.data());
  const std::array<double, 2> parameters{2, 3};
  const comm::TrafficSnapshot before = c.traffic().snapshot();
  run<double>(p, c, {arrays, parameters});
  const comm::TrafficSnapshot moved = c.traffic().snapshot() - before;
  const Counts counts = count(p);
  EXPECT_EQ(moved.total(), counts.total());
  for (std::size_t i = 0; i < p.phases.size(); ++i)
    EXPECT_EQ(moved.within(p.phases[i]), counts.moved[i]) << p.phases[i];
}

// The ranks of every other number, counted down: each gathers from its like while the others do the same.
Group likes(CommView c) {
  std::vector<int> ranks;
  for (int r = c.size() - 1; r >= 0; --r)
    if (r % 2 == c.rank() % 2) ranks.push_back(r);
  return Group::of(ranks);
}

TEST_F(ProgramRun, GroupsGatherAndSumSideBySide) {
  cairn::test::for_each_size([](CommView c) {
    for (const auto way : {comm::BlockWay::direct, comm::BlockWay::doubling, comm::BlockWay::ring}) {
      const Group group = likes(c);
      const auto blocks = Partition::balanced(group.size(), 11, 3);
      const int me = *group.position_of(c.rank());
      Program p = empty_program(c, {blocks.total(), blocks.count(me), blocks.count(me)});
      add(p, "gather",
          Communicate{Collective{.kind = Collective::Kind::allgather,
                                 .group = group,
                                 .blocks = blocks,
                                 .way = way,
                                 .from = {1, 0},
                                 .to = {0, 0}}});
      // Everything the group gathered, times 2 (parameter 0).
      add(p, "scale",
          LinearCombination{.to = {0, 0},
                            .rows = blocks.total(),
                            .columns = 1,
                            .ld = blocks.total(),
                            .keep = Factor::of_parameter(0)},
          {0});
      add(p, "sum",
          Communicate{.what = Collective{.kind = Collective::Kind::reduce_scatter,
                                         .group = group,
                                         .blocks = blocks,
                                         .way = way,
                                         .from = {0, 0},
                                         .to = {2, 0}},
                      .channel = 1});
      std::vector<std::vector<double>> memory;
      for (const Index n : p.array_counts) memory.emplace_back(static_cast<std::size_t>(n), -1);
      for (std::size_t i = 0; i < memory[1].size(); ++i)
        memory[1][i] = static_cast<double>(blocks.offset(me)) + static_cast<double>(i);
      run_counted(p, c, memory);
      for (std::size_t i = 0; i < memory[2].size(); ++i)
        EXPECT_EQ(memory[2][i],
                  2 * group.size() * (static_cast<double>(blocks.offset(me)) + static_cast<double>(i)));
    }
  });
}

// Each rank passes its number to the next one over and over; the steps between are local kernels.
struct AddOne : LocalStep {
  void run(const LocalRun& given) const override {
    auto* x = static_cast<double*>(given.memory[1]);
    auto* y = static_cast<double*>(given.memory[2]);
    *x = *y + 1;
  }
};

TEST_F(ProgramRun, MessagesAndKernelsTakeTurns) {
  cairn::test::for_each_size([](CommView c) {
    Program p = empty_program(c, {0, 1, 1});
    const int turns = 5, next = (c.rank() + 1) % c.size(), last = (c.rank() + c.size() - 1) % c.size();
    for (int t = 0; t < turns; ++t) {
      comm::ScheduleBuilder b(1 << 20);
      b.send(next, comm::in(0), 1);
      b.receive(last, comm::out(0), 1);
      add(p, "pass on",
          Communicate{
              .what = Messages{std::make_shared<comm::CountedSchedule>(b.finish(), 8), {1, 0}, {2, 0}},
              .channel = t});
      add(p, "add one", Kernel{.step = std::make_shared<AddOne>(), .flops = 1, .beside = t % 2 == 0},
          {static_cast<int>(p.actions.size()) - 1});
    }
    std::vector<std::vector<double>> memory{{}, {100.0 * c.rank()}, {0}};
    run_counted(p, c, memory);
    const int from = ((c.rank() - turns) % c.size() + c.size()) % c.size();
    EXPECT_EQ(memory[1][0], 100.0 * from + turns);
    EXPECT_EQ(count(p).flops, turns);
  });
}

// Long messages that give way are sent only when one that comes after them has arrived.
TEST_F(ProgramRun, WhatGivesWayIsOvertaken) {
  cairn::test::on_ranks(2, [](CommView c) {
    constexpr Index length = 1 << 18;
    constexpr int long_ones = 3;
    Program p = empty_program(c, {0, long_ones * length, 1});
    const auto message = [&](int channel, int array, Index offset, Index count, bool gives_way) {
      comm::ScheduleBuilder b(1 << 20);
      if (c.rank() == 0)
        b.send(1, comm::out(0), count);
      else
        b.receive(0, comm::out(0), count);
      add(p, gives_way ? "long" : "short",
          Communicate{.what = Messages{std::make_shared<comm::CountedSchedule>(b.finish(), 8),
                                       {array, offset},
                                       {array, offset}},
                      .channel = channel,
                      .gives_way = gives_way});
    };
    const auto all_long = [&] {
      for (int i = 0; i < long_ones; ++i) message(i, 1, i * length, length, true);
    };
    if (c.rank() == 0) all_long();
    message(long_ones, 2, 0, 1, false);
    if (c.rank() == 1) {
      add(p, "add one", Kernel{.step = std::make_shared<AddOne>(), .flops = 1}, {0});
      all_long();
    }
    const double mine = c.rank() == 0 ? 7 : 0;
    std::vector<std::vector<double>> memory{
        {}, std::vector<double>(static_cast<std::size_t>(long_ones * length), mine), {mine}};
    run_counted(p, c, memory);
    EXPECT_EQ(memory[2][0], 7);
    EXPECT_EQ(memory[1][0], 7);
    EXPECT_EQ(memory[1].back(), 7);
  });
}

TEST_F(ProgramRun, AnExchangeTakesAMatrixFromRowsToColumns) {
  cairn::test::for_each_size([](CommView c) {
    const Index m = 13, n = 9;
    const layout::Layout rows = layout::row_blocks(m, n, c.size()),
                         columns = layout::column_blocks(m, n, c.size());
    Program p = empty_program(c, {rows.memory_elements(c.rank()), columns.memory_elements(c.rank())});
    Exchange x{.moves = {{Factor::of_parameter(1),
                          Op::none,
                          {rows, {0, 0}, p.array_counts[0], 0},
                          Factor::of(1),
                          {columns, {1, 0}, p.array_counts[1], 0}}},
               .options = {.piece_bytes = 64}};
    x.plan = std::make_shared<layout::ExchangePlan>(std::vector<layout::Move>{{rows, columns}}, c.rank(),
                                                    c.size());
    add(p, "exchange", Communicate{std::move(x)});
    std::vector<std::vector<double>> memory;
    for (const Index count : p.array_counts) memory.emplace_back(static_cast<std::size_t>(count), 0.5);
    const auto each = [&](const layout::Layout& l, std::vector<double>& data, auto&& f) {
      for (const layout::Cell& cell : l.cells_of(c.rank()))
        for (Index i = 0; i < cell.rows; ++i)
          for (Index j = 0; j < cell.columns; ++j)
            f(data[static_cast<std::size_t>(cell.offset + i * cell.row_stride + j * cell.column_stride)],
              l.row_map().global_of(cell.row_part, i), l.column_map().global_of(cell.column_part, j));
    };
    each(rows, memory[0], [](double& e, Index i, Index j) { e = static_cast<double>(100 * i + j); });
    run_counted(p, c, memory);
    each(columns, memory[1],
         [](const double& e, Index i, Index j) { EXPECT_EQ(e, 3 * static_cast<double>(100 * i + j) + 0.5); });
  });
}

}  // namespace
}  // namespace cairn::program
