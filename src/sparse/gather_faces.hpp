// The faces of a brick: A(i, l) from the ranks (i, *, l), B(l, j) from the ranks (*, j, l).
#pragma once

#include "sparse/blocks.hpp"
#include "sparse/needed.hpp"

namespace cairn::sparse {

enum class Face { a, b };

// One fibre, seen from one rank: who has which share of the face, and where that lies in it.
struct Fibre {
  int me = 0;              // my coordinate along it
  std::vector<int> ranks;  // by coordinate
  Index rows = 0;          // of the face
  Index columns = 0;
  Correspondence shares;  // of the layer's k over the places of the cut
  int first_place = 0;    // of this layer in the cut
  std::span<const Local> share(int coordinate) const {
    return shares.among[static_cast<std::size_t>(first_place + coordinate)];
  }
};
Fibre fibre_of(const BrickLayouts& layouts, const BrickSeat& seat, Face face);

// Collective over the fibre. Everything, or with marks only what each can use; `known` are then the k that
// this rank has asked for if nobody else had a say in it (the whole other face is its own), else empty.
// Words: the entries of the others' shares, packed, once each.
template <class T>
Csr<T> gather_face(EntryExchange<T>& exchange, const Fibre& fibre, Face face, const Csr<T>& mine,
                   Content content, const std::vector<std::vector<char>>& marks, std::span<const char> known);

// The same in levels: ranks that differ in one digit of their coordinate exchange all they have, level after
// level (paper 004, 4.4). As many words, fewer messages. `factors`: of the fibre's length, the first level
// first; the digit of level q has the stride factors[0] ... factors[q-1].
template <class T>
Csr<T> gather_face_in_levels(EntryExchange<T>& exchange, const Fibre& fibre, Face face, const Csr<T>& mine,
                             Content content, std::span<const int> factors);

}  // namespace cairn::sparse
