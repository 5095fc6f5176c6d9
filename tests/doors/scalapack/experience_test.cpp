#include "doors/scalapack/experience.hpp"

#include <gtest/gtest.h>

namespace cairn::scalapack {
namespace {

// What a kind of call takes, each way.
struct Truth {
  double ours, theirs;
};

// Calls of one kind, as the door answers them: chosen, timed until that is settled. Returns the seconds of all.
double run_calls(Experience& experience, Trial& trial, const Truth& truth, int calls) {
  double spent = 0;
  for (int i = 0; i < calls; ++i) {
    ++trial.calls;
    if (!trial.settled || trial.calls == trial.again) experience.choose("pdgemm", trial);
    const double seconds = trial.way == Way::ours ? truth.ours : truth.theirs;
    spent += seconds;
    if (trial.settled) continue;
    trial.keep(trial.way, seconds);
    experience.learn("pdgemm", trial.way, trial.predicted[static_cast<std::size_t>(trial.way)], seconds);
  }
  return spent;
}

TEST(ScalapackExperience, GoesThePredictedWayFirst) {
  Experience none;
  Trial ours{.predicted = {0.5, 1}}, theirs{.predicted = {0.95, 1}};
  none.choose("pdgemm", ours);
  none.choose("pdgemm", theirs);
  EXPECT_EQ(ours.way, Way::ours);
  EXPECT_EQ(theirs.way, Way::theirs);  // not by a margin
  EXPECT_FALSE(ours.settled);
}

TEST(ScalapackExperience, FindsTheQuickerWayWhateverWasPredicted) {
  for (const Truth truth : {Truth{1, 2}, Truth{2, 1}, Truth{1, 1.2}, Truth{1.2, 1}})
    for (const double predicted : {0.5, 0.8, 1.0, 1.3, 2.0}) {
      Experience experience;
      Trial trial{.predicted = {predicted, 1}};
      run_calls(experience, trial, truth, 400);
      EXPECT_TRUE(trial.settled);
      EXPECT_EQ(trial.way, truth.ours < truth.theirs ? Way::ours : Way::theirs) << predicted;
    }
}

// Trying the other way where it is as quick as predicted costs no more than was allowed for it.
TEST(ScalapackExperience, TryingIsCheap) {
  for (const double predicted : {0.92, 1.0, 1.1, 1.5, 2.0, 4.0})
    for (const int calls : {3, 10, 50, 500}) {
      Experience experience;
      Trial trial{.predicted = {predicted, 1}};
      const double spent = run_calls(experience, trial, {predicted, 1}, calls);
      EXPECT_LE(spent, calls * (1 + Experience::price_of_trying) + 1e-9) << predicted << " " << calls;
    }
}

TEST(ScalapackExperience, ASlowerMachineIsSlowerBothWays) {
  Experience experience;
  Trial first{.predicted = {0.5, 1}};
  run_calls(experience, first, {5, 10}, 6);  // two of them theirs
  EXPECT_EQ(first.way, Way::ours);
  EXPECT_TRUE(first.settled);
  Trial next{.predicted = {0.05, 0.1}};
  EXPECT_NEAR(experience.expected("pdgemm", next, Way::ours), 0.5, 1e-9);
  EXPECT_NEAR(experience.expected("pdgemm", next, Way::theirs), 1, 1e-9);
}

// Ours was predicted far too quick: theirs is seen once ours is known, whatever the gain should have been.
TEST(ScalapackExperience, OursIsNotExcusedByTheMachine) {
  Experience experience;
  Trial trial{.predicted = {6, 29}};
  const double spent = run_calls(experience, trial, {44, 15}, 6);
  EXPECT_EQ(trial.way, Way::theirs);
  EXPECT_EQ(spent, 44 + 5 * 15);
}

}  // namespace
}  // namespace cairn::scalapack
