// Plans through the front door, without MPI.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

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
  EXPECT_NE(text.find("1000 x 1000 x 1000 double NN on ["), std::string::npos) << text;
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
  EXPECT_EQ(load_machine(file), (Machine{1.5, 0.25, 0.125}));
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

}  // namespace
}  // namespace cairn
