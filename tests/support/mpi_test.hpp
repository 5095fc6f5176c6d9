// Tests over MPI. One launch runs all cases; a case splits the ranks into communicators of the sizes it
// wants. A failure on any rank fails the case and names the rank; a case that hangs is ended at its time
// limit and named.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "comm/communicator.hpp"
#include "support/trials.hpp"

namespace cairn::test {

// The ranks of the launch, with a watchdog that turns a hang into an error.
comm::CommView world();
// The same ranks, where the words alone decide which schedule a collective takes.
comm::CommView least_words_world();

// The sizes a collective is tested on.
const std::vector<int>& all_sizes();

// Runs `body` on a communicator of each of the sizes; several fit side by side into the ranks of the launch
// and run at the same time. Collective over the world; ranks that are in no communicator of a wave pass by.
void for_each_size(const std::function<void(comm::CommView)>& body);
// The same on another communicator of as many ranks as the world.
void for_each_size(comm::CommView whole, const std::function<void(comm::CommView)>& body);

// Runs `body` on communicators of these sizes, side by side.
void on_parts(comm::CommView whole, const std::vector<int>& sizes,
              const std::function<void(comm::CommView)>& body);

// Runs `body` on the first `size` ranks of the world.
void on_ranks(int size, const std::function<void(comm::CommView)>& body);

// Rank 0 reports; every rank remembers its failures and watches the clock.
void install_listeners();

// Base of every MPI case: collects the failures of all ranks on rank 0 when the case is over.
class MpiTest : public testing::Test {
 protected:
  void TearDown() override;
};

// Expects that `call` throws E with the same text on every rank of `comm`, and that the text has `part` in
// it.
template <class E>
void expect_same_error(comm::CommView comm, const std::function<void()>& call, const std::string& part);

// The text on every rank, gathered with plain MPI.
std::vector<std::string> texts_of_all(comm::CommView comm, const std::string& mine);

template <class E>
void expect_same_error(comm::CommView comm, const std::function<void()>& call, const std::string& part) {
  std::string text = "(no error)";
  try {
    call();
  } catch (const E& e) {
    text = e.what();
  } catch (const std::exception& e) {
    text = std::string("(another kind of error) ") + e.what();
  }
  EXPECT_NE(text.find(part), std::string::npos) << "got: " << text << "\nwanted: ..." << part << "...";
  for (const std::string& other : texts_of_all(comm, text)) EXPECT_EQ(other, text);
}

}  // namespace cairn::test
