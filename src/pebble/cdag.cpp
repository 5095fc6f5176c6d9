#include "pebble/cdag.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace cairn::pebble {

Cdag::Cdag(Index inputs, Namer namer)
    : inputs_(require_not_negative(inputs, "number of inputs")), first_parent_{0}, namer_(std::move(namer)) {
  narrow<Vertex>(inputs, "number of inputs");
  output_.resize(static_cast<std::size_t>(inputs), 0);
}

void Cdag::require_vertex(Vertex v) const {
  require(v >= 0 && v < vertices(), "vertex is {}, expected 0 <= vertex < {}", v, vertices());
}

Vertex Cdag::add(std::initializer_list<Vertex> parents) {
  const Vertex v = narrow<Vertex>(vertices(), "number of vertices of a cDAG");
  const auto begin = static_cast<std::ptrdiff_t>(parents_.size());
  for (const Vertex u : parents) {
    require_vertex(u);
    if (std::find(parents_.begin() + begin, parents_.end(), u) == parents_.end()) parents_.push_back(u);
  }
  first_parent_.push_back(static_cast<std::int64_t>(parents_.size()));
  output_.push_back(0);
  max_parents_ = std::max(max_parents_, static_cast<Index>(parents_.size()) - begin);
  return v;
}

void Cdag::mark_output(Vertex v) {
  require_vertex(v);
  if (!is_input(v) && !is_output(v)) ++computed_outputs_;
  output_[index(v)] = 1;
}

std::span<const Vertex> Cdag::parents(Vertex v) const {
  if (is_input(v)) return {};
  const auto c = static_cast<std::size_t>(v - inputs_);
  const auto begin = static_cast<std::size_t>(first_parent_[c]);
  return std::span(parents_).subspan(begin, static_cast<std::size_t>(first_parent_[c + 1]) - begin);
}

Index Cdag::inputs_read() const {
  std::vector<std::uint8_t> read(static_cast<std::size_t>(inputs_), 0);
  for (const Vertex u : parents_)
    if (is_input(u)) read[index(u)] = 1;
  return std::count(read.begin(), read.end(), 1);
}

std::string Cdag::name(Vertex v) const {
  require_vertex(v);
  return namer_ ? namer_(v) : fmt::format("v{}", v);
}

}  // namespace cairn::pebble
