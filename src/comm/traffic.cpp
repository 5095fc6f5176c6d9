#include "comm/traffic.hpp"

namespace cairn::comm {

Volume& Volume::operator+=(const Volume& o) {
  messages += o.messages;
  words += o.words;
  bytes += o.bytes;
  return *this;
}

Volume& Volume::operator-=(const Volume& o) {
  messages -= o.messages;
  words -= o.words;
  bytes -= o.bytes;
  return *this;
}

Counters& Counters::operator+=(const Counters& o) {
  sent += o.sent;
  received += o.received;
  return *this;
}

Counters& Counters::operator-=(const Counters& o) {
  sent -= o.sent;
  received -= o.received;
  return *this;
}

Counters TrafficSnapshot::total() const {
  Counters sum;
  for (const auto& [path, counters] : phases) sum += counters;
  return sum;
}

Counters TrafficSnapshot::within(std::string_view path) const {
  Counters sum;
  for (const auto& [name, counters] : phases)
    if (name == path || (name.starts_with(path) && name[path.size()] == '/')) sum += counters;
  return sum;
}

TrafficSnapshot operator-(TrafficSnapshot a, const TrafficSnapshot& b) {
  for (const auto& [path, counters] : b.phases) a.phases[path] -= counters;
  return a;
}

Traffic::Traffic() { nodes_.push_back({.path = "", .parent = -1, .counters = {}, .children = {}}); }

void Traffic::count(int phase, const Counters& moved) {
  nodes_[static_cast<std::size_t>(phase)].counters += moved;
}

TrafficSnapshot Traffic::snapshot() const {
  TrafficSnapshot result;
  for (const Node& node : nodes_)
    if (node.counters != Counters{}) result.phases[node.path] = node.counters;
  return result;
}

void Traffic::reset() {
  for (Node& node : nodes_) node.counters = {};
}

void Traffic::restore(const TrafficSnapshot& earlier) {
  for (Node& node : nodes_) {
    const auto found = earlier.phases.find(node.path);
    node.counters = found == earlier.phases.end() ? Counters{} : found->second;
  }
}

int Traffic::child(std::string_view name) {
  Node& parent = nodes_[static_cast<std::size_t>(current_)];
  if (const auto found = parent.children.find(name); found != parent.children.end()) return found->second;
  const int id = static_cast<int>(nodes_.size());
  std::string path = parent.path.empty() ? std::string(name) : parent.path + "/" + std::string(name);
  parent.children.emplace(name, id);
  nodes_.push_back({.path = std::move(path), .parent = current_, .counters = {}, .children = {}});
  return id;
}

Phase::Phase(Traffic& traffic, std::string_view name) : traffic_(traffic), outer_(traffic.current_) {
  traffic_.current_ = traffic_.child(name);
}

}  // namespace cairn::comm
