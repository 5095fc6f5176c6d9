// Traffic: the words and messages this rank really sends and receives, by named, nestable phase.
//
//   { Phase outer(traffic, "multiply");
//     { Phase inner(traffic, "gather A"); comm::allgather(...); } }     // counted under multiply/gather A
//   TrafficSnapshot before = traffic.snapshot(); ...; TrafficSnapshot moved = traffic.snapshot() - before;
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/size.hpp"

namespace cairn::comm {

// One direction. A word is one element of whatever type is moved.
struct Volume {
  Index messages = 0;
  Index words = 0;
  Index bytes = 0;

  Volume& operator+=(const Volume& o);
  Volume& operator-=(const Volume& o);
  friend bool operator==(const Volume&, const Volume&) = default;
};

struct Counters {
  Volume sent;
  Volume received;

  Counters& operator+=(const Counters& o);
  Counters& operator-=(const Counters& o);
  Index total_words() const { return sent.words + received.words; }
  friend bool operator==(const Counters&, const Counters&) = default;
};

struct TrafficSnapshot {
  std::map<std::string, Counters> phases;  // by path, outer/inner; each without the phases inside it

  Counters total() const;
  Counters within(std::string_view path) const;  // the phase and all inside it
};
TrafficSnapshot operator-(TrafficSnapshot a, const TrafficSnapshot& b);

class Traffic {
 public:
  Traffic();

  void count(int phase, const Counters& moved);
  int current() const noexcept { return current_; }
  std::string current_path() const { return nodes_[static_cast<std::size_t>(current_)].path; }
  TrafficSnapshot snapshot() const;
  void reset();                                  // counts to zero; phases stay open
  void restore(const TrafficSnapshot& earlier);  // as if nothing had moved since that snapshot was taken here

 private:
  friend class Phase;
  struct Node {
    std::string path;
    int parent;
    Counters counters;
    std::map<std::string, int, std::less<>> children;
  };
  int child(std::string_view name);

  std::vector<Node> nodes_;
  int current_ = 0;
};

// Opens a phase for as long as it lives.
class Phase {
 public:
  Phase(Traffic& traffic, std::string_view name);
  ~Phase() { traffic_.current_ = outer_; }
  Phase(const Phase&) = delete;
  Phase& operator=(const Phase&) = delete;

 private:
  Traffic& traffic_;
  int outer_;
};

}  // namespace cairn::comm
