// Plans through the front door, without MPI.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <functional>

#include "cairn/error.hpp"
#include "cairn/plan.hpp"

namespace cairn {
namespace {

TEST(ApiPlan, SaysWhatItCosts) {
  const Plan plan = plan_multiply({.m = 4096, .n = 4096, .k = 4096}, 64, {.objective = Objective::words});
  EXPECT_EQ(plan.grid(), (std::array{4, 4, 4}));
  EXPECT_EQ(plan.words().total, 3 * Index{4096} * 4096 * 3);
  EXPECT_EQ(plan.words().busiest, 3 * Index{1024} * 1024 * 3 / 4);
  EXPECT_NEAR(plan.words().ratio, 1, 1e-9);
  EXPECT_EQ(plan.idle_ranks(), 0);
  EXPECT_EQ(plan.ranks(), 64);
  EXPECT_GT(plan.memory_bytes(), 3 * Index{4096} * 4096 * 8 / 64);
  EXPECT_GT(plan.seconds().multiply, 0);
  EXPECT_EQ(plan.candidates().size(), 8u);
  EXPECT_EQ(plan.candidates().front().grid, plan.grid());
}

TEST(ApiPlan, ExplainsWhyOthersLost) {
  const std::string text = plan_multiply({.m = 1000, .n = 1000, .k = 1000}, 13).explain();
  EXPECT_NE(text.find("1000 x 1000 x 1000 double NN on "), std::string::npos) << text;
  EXPECT_NE(text.find("chosen: least time"), std::string::npos) << text;
  EXPECT_NE(text.find("more time"), std::string::npos) << text;
  EXPECT_NE(text.find("least possible"), std::string::npos) << text;
}

TEST(ApiPlan, LayoutsHoldEveryElementOnce) {
  const Plan plan = plan_multiply({.m = 13, .n = 17, .k = 19, .op_a = Op::transpose}, 11,
                                  {.algorithm = "summa2d-c", .rounds = Rounds{Dimension::k, 3}});
  EXPECT_EQ(plan.rounds().count, 3);
  const Layout a = plan.layout_a();
  EXPECT_EQ(a.rows(), 19);
  EXPECT_EQ(a.columns(), 13);
  EXPECT_TRUE(a.is_native());
  std::vector<Index> held(12, 0);
  for (Index i = 0; i < 19; ++i)
    for (Index j = 0; j < 13; ++j) ++held.at(static_cast<std::size_t>(a.owner(i, j)));
  for (int rank = 0; rank < 12; ++rank)
    EXPECT_EQ(a.local_elements(rank), held[static_cast<std::size_t>(rank)]);
  EXPECT_EQ(a, plan_multiply(plan.product(), 11, plan.options()).layout_a());
  EXPECT_FALSE(a == plan.layout_b());
  EXPECT_NE(a.text().find("native A of"), std::string::npos);
}

TEST(ApiPlan, EveryAlgorithmHasAPlan) {
  for (const std::string_view name : algorithm_names())
    EXPECT_LE(
        plan_multiply({.m = 50, .n = 60, .k = 70}, 12, {.algorithm = std::string(name)}).words().bound,
        static_cast<double>(plan_multiply({.m = 50, .n = 60, .k = 70}, 12, {.algorithm = std::string(name)})
                                .words()
                                .busiest) +
            1e-9)
        << name;
}

// A machine with slow messages plans for few of them; it comes from a file as well.
TEST(ApiPlan, MachineDecides) {
  const Product product{.m = 64, .n = 64, .k = 64};
  EXPECT_EQ(plan_multiply(product, 8, {.machine = {.alpha = 1}}).idle_ranks(), 7);
  EXPECT_EQ(plan_multiply(product, 8, {.machine = {.alpha = 0, .beta = 0}}).idle_ranks(), 0);
  const std::string file = testing::TempDir() + "cairn_api_machine.json";
  std::ofstream(file) << R"({"format": "cairn-machine", "version": 1, "alpha": 1.5, "beta": 0.25,)"
                      << R"("gamma": 0.125, "memory_words": 1000})";
  EXPECT_EQ(load_machine(file), (Machine{.alpha = 1.5, .beta = 0.25, .gamma = 0.125, .memory_words = 1000}));
  std::ofstream(file) << "{";
  EXPECT_THROW(load_machine(file), IoError);
  std::remove(file.c_str());
}

TEST(ApiPlan, MemoryLimitIsKept) {
  const Product product{.m = 1000, .n = 1000, .k = 1000};
  const Index unlimited = plan_multiply(product, 16).memory_bytes();
  const Plan limited = plan_multiply(product, 16, {.memory_bytes = unlimited - 1});
  EXPECT_LT(limited.memory_bytes(), unlimited);
  EXPECT_LE(plan_multiply(product, 16).seconds().total(), limited.seconds().total());
}

TEST(ApiPlan, BadArguments) {
  EXPECT_THROW(plan_multiply({.m = -1}, 4), ArgumentError);
  EXPECT_THROW(plan_multiply({}, 0), ArgumentError);
  EXPECT_THROW(plan_multiply({}, 4, {.algorithm = "none"}), ArgumentError);
  EXPECT_THROW(plan_multiply({.m = 9, .n = 9, .k = 9}, 4, {.memory_bytes = 10}), MemoryError);
  EXPECT_THROW(load_machine("no such file"), IoError);
}

Layout dealt_in_blocks(Index rows, Index columns, int process_rows, int process_columns) {
  return Layout::block_cyclic(rows, columns,
                              {.process_rows = process_rows, .process_columns = process_columns});
}

// Matrices where they are, without MPI: the words are those that must move.
TEST(ApiPlacedPlan, AFlatProductLeavesCInPlace) {
  const Index m = 4096, k = 256;
  const Plan plan =
      plan_multiply({.m = m, .n = m, .k = k}, dealt_in_blocks(m, k, 4, 4), dealt_in_blocks(k, m, 4, 4),
                    dealt_in_blocks(m, m, 4, 4), 16, {.objective = Objective::words});
  EXPECT_EQ(plan.grid(), (std::array{4, 4, 1}));
  EXPECT_TRUE(plan.c_stays() && !plan.a_stays() && !plan.b_stays());
  EXPECT_EQ(plan.words().total, 2 * 3 * m * k);
  EXPECT_EQ(plan.words().busiest, 2 * 3 * m * k / 16);
  EXPECT_TRUE(plan.words().exact);
  EXPECT_EQ(plan.idle_ranks(), 0);
  // Its parts of A, B and C, the faces of A and B, and pieces under way.
  EXPECT_GE(plan.memory_bytes(), 8 * (m * m / 16 + 2 * m * k / 16 + 2 * m * k / 4));
  EXPECT_EQ(plan.describe(), "4096 x 4096 x 256 double NN on [4, 4, 1], C in place");
  EXPECT_NE(plan.explain().find("393216 by the busiest rank"), std::string::npos) << plan.explain();
  EXPECT_EQ(plan.layout_c(), dealt_in_blocks(m, m, 4, 4));
  EXPECT_GE(plan.candidates().size(), 2u);
}

TEST(ApiPlacedPlan, ATallProductMovesOnlyB) {
  const Plan plan = plan_multiply({.m = 32768, .n = 512, .k = 512}, dealt_in_blocks(32768, 512, 16, 1),
                                  dealt_in_blocks(512, 512, 16, 1), dealt_in_blocks(32768, 512, 16, 1), 16);
  EXPECT_TRUE(plan.a_stays() && plan.c_stays() && !plan.b_stays());
  EXPECT_EQ(plan.words().total, 15 * 512 * 512);
}

// On a network that is slow beside the cores words move while others multiply.
TEST(ApiPlan, OverlapIsTakenWhereItIsSooner) {
  const Product product{.m = 4096, .n = 4096, .k = 4096};
  PlanOptions options{.machine = {.alpha = 1e-4, .beta = 2.6e-7, .gamma = 6e-11}};
  const Plan plain = plan_multiply(product, 8, options);
  options.overlap = true;
  const Plan overlapped = plan_multiply(product, 8, options);
  EXPECT_EQ(plain.rounds().count, 1);
  EXPECT_GT(overlapped.rounds().count, 1);
  EXPECT_LT(overlapped.candidates().front().seconds, 0.8 * plain.candidates().front().seconds);
  EXPECT_EQ(overlapped.words().total, plain.words().total);

  const Layout rows = Layout::row_blocks(4096, 4096, 8);
  const Plan placed = plan_multiply(product, rows, rows, rows, 8, options);
  EXPECT_GT(placed.rounds().count, 1);
}

// Rounds are taken where memory is short; what they move is counted round by round.
TEST(ApiPlacedPlan, RoundsKeepALimit) {
  const Layout rows = Layout::row_blocks(600, 600, 9);
  const PlanOptions options{.memory_bytes = 3 * 600 * 67 * 8 + 600'000};
  const Plan plan = plan_multiply({.m = 600, .n = 600, .k = 600}, rows, rows, rows, 9, options);
  EXPECT_GT(plan.rounds().count, 1);
  EXPECT_LE(plan.memory_bytes(), *options.memory_bytes);
  EXPECT_TRUE(plan.words().exact);
  EXPECT_LE(plan.words().mean, static_cast<double>(plan.words().busiest));
}

void expect_error(const std::function<void()>& call, const std::string& part) {
  try {
    call();
    FAIL() << "no error: " << part;
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
  }
}

TEST(ApiPlacedPlan, Errors) {
  const Product p{.m = 10, .n = 20, .k = 30};
  const Layout a = Layout::row_blocks(10, 30, 4), b = Layout::row_blocks(30, 20, 4),
               c = dealt_in_blocks(10, 20, 2, 2);
  const auto plan = [&](const PlanOptions& options) { (void)plan_multiply(p, a, b, c, 4, options); };
  expect_error([&] { (void)plan_multiply(p, b, b, c, 4); }, "the layout of A is 30 x 20, expected 10 x 30");
  expect_error([&] { (void)plan_multiply(p, a, b, a, 4); }, "the layout of C is 10 x 30, expected 10 x 20");
  expect_error([&] { (void)plan_multiply(p, a, b, c, 3); },
               "the layout of A names rank 3, expected ranks below 3");
  expect_error([&] { (void)plan_multiply(p, a, b, c, 0); }, "ranks is 0, expected 1 or more");
  expect_error([&] { plan({.algorithm = "cannon"}); }, "algorithm 'cannon', grid, rounds, layers");
  expect_error([&] { plan({.grid = {{2, 2, 1}}}); }, "expected none of them");
  expect_error([&] { plan({.lookahead = 1}); }, "expected none of them");
  expect_error([&] { plan({.candidates = 0}); }, "candidates is 0, expected 1 or more");
  expect_error([&] { plan({.work_limit = 0.5}); }, "work limit is 0.5, expected 1 or more");
  expect_error([&] { plan({.memory_bytes = -1}); }, "memory is -1 bytes, expected more than 0");
  expect_error([&] { plan({.memory_bytes = 77}); },
               "memory is 77 bytes per rank, and the least that was found is");
}

}  // namespace
}  // namespace cairn
