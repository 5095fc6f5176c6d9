// Fast steps and levels in plans, without MPI: off unless allowed, explained, capped, named, and what is refused.
#include <gtest/gtest.h>

#include "cairn/error.hpp"
#include "cairn/plan.hpp"

namespace cairn {
namespace {

TEST(ApiFastPlan, OffUnlessAllowedAndExplained) {
  const Product p{.m = 8192, .n = 8192, .k = 8192};
  const Plan plain = plan_multiply(p, 1);
  EXPECT_EQ(plain.levels(), 0);
  EXPECT_EQ(plain.error_growth(), 1);
  EXPECT_NE(plain.explain().find("fast steps, if allowed: the same bricks"), std::string::npos)
      << plain.explain();
  const Plan quick = plan_multiply(p, 1, {.fast = "auto"});
  EXPECT_GT(quick.levels(), 0);
  EXPECT_LT(quick.predicted(), plain.predicted());
  EXPECT_GT(quick.error_bound(), plain.error_bound());
  EXPECT_NE(quick.explain().find("times the classical one"), std::string::npos) << quick.explain();
  const Plan capped = plan_multiply(p, 1, {.fast = "auto", .max_error_growth = 1});
  EXPECT_EQ(capped.levels(), 0);
  for (const std::string_view name : fast_algorithm_names()) {
    const Plan named = plan_multiply(p, 49, {.algorithm = std::string(name)});
    EXPECT_GT(named.levels(), 0) << name;
    EXPECT_EQ(named.steps().find('B') != std::string::npos, name == "caps") << named.describe();
  }
}

TEST(ApiFastPlan, BadOptionsAreErrors) {
  const Product p{.m = 100, .n = 100, .k = 100};
  const auto refused = [&](const PlanOptions& options, const std::string& why) {
    try {
      (void)plan_multiply(p, 6, options);
      ADD_FAILURE() << "no error: " << why;
    } catch (const ArgumentError& e) {
      EXPECT_NE(std::string(e.what()).find(why), std::string::npos) << e.what();
    }
  };
  refused({.fast = "BXD"}, "the order of the steps is 'BXD'");
  refused({.fast = "B"}, "needs 7 ranks");
  refused({.algorithm = "caps"}, "no schedule of caps");
  refused({.algorithm = "cannon", .fast = "auto"}, "fast is 'auto' with algorithm 'cannon'");
  refused({.grid = {{1, 2, 3}}, .fast = "auto"}, "expected none of them");
  refused({.fast = "auto", .fast_entry = "nonsense"}, "'nonsense' is not a bilinear algorithm");
  refused({.fast = "auto", .max_error_growth = 0.5}, "max_error_growth is 0.5, expected 1 or more");
}

}  // namespace
}  // namespace cairn
