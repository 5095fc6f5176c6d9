// An explicit computational graph (cDAG) in compressed form: the board of the pebble game.
//
// Vertices 0 .. inputs()-1 are the inputs, the others are computed. Parents have smaller numbers than their
// children, so counting upwards is a topological order and a graph cannot have a cycle.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "base/size.hpp"

namespace cairn::pebble {

using Vertex = std::int32_t;

class Cdag {
 public:
  using Namer = std::function<std::string(Vertex)>;

  // `namer` says what a vertex stands for, for messages; without one vertex 7 is called "v7".
  explicit Cdag(Index inputs, Namer namer = {});

  // Appends a computed vertex. A parent that is named twice counts once (L(i,k) * L(i,k) reads one value).
  Vertex add(std::initializer_list<Vertex> parents);

  // The result of `v` must be in slow memory at the end. An input is there from the start.
  void mark_output(Vertex v);

  Index vertices() const { return static_cast<Index>(output_.size()); }
  Index inputs() const { return inputs_; }
  Index computed() const { return vertices() - inputs_; }
  // Outputs that are computed: each costs one store at least.
  Index computed_outputs() const { return computed_outputs_; }
  // Inputs that some vertex reads: each costs one load at least.
  Index inputs_read() const;
  Index max_parents() const { return max_parents_; }

  bool is_input(Vertex v) const { return v < inputs_; }
  bool is_output(Vertex v) const { return output_[index(v)] != 0; }
  std::span<const Vertex> parents(Vertex v) const;
  std::string name(Vertex v) const;

 private:
  static std::size_t index(Vertex v) { return static_cast<std::size_t>(v); }
  void require_vertex(Vertex v) const;

  Index inputs_;
  Index computed_outputs_ = 0;
  Index max_parents_ = 0;
  std::vector<std::int64_t> first_parent_;  // of computed vertex inputs_ + c, and one past the end
  std::vector<Vertex> parents_;
  std::vector<std::uint8_t> output_;
  Namer namer_;
};

}  // namespace cairn::pebble
