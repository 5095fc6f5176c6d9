// Orders in which the computed vertices of a cDAG can be visited: the schedules that the game plays.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "pebble/problems.hpp"

namespace cairn::pebble {

using Order = std::vector<Vertex>;
using Key = std::array<Index, 6>;

// Among the vertices whose parents are done, always the one with the least key comes next. If sorting by key
// respects the dependencies, this is that sorted order; if not, it is the nearest legal thing to it.
Order order_by_key(const Problem& problem, const std::function<Key(const Coordinate&)>& key);

// Three nested loops, outermost first: "ijk", "kij", ... For a factorization "kij" is right-looking (every
// update as early as possible) and "jki" is left-looking (column after column).
Order loop_order(const Problem& problem, std::string_view loops);

// Loops over tiles of tile[0] x tile[1] x tile[2] iterations (i, j, k) in the order `outer`, within a tile
// `inner`.
struct Tiling {
  std::array<Index, 3> tile{1, 1, 1};
  std::string outer = "ijk";
  std::string inner = "ijk";
};
Order tiled_order(const Problem& problem, const Tiling& tiling);

// The face of C that stays red: rows x columns.
struct Tile {
  Index rows = 0;
  Index columns = 0;
  friend bool operator==(const Tile&, const Tile&) = default;
};

// a x a with a = sequential::listing1_tile.
Tile listing1_tile(Index red);

// The integers a <= b that maximise ab / (a + b) subject to ab + a + 2 <= S: the tile of C, a column of A,
// one element of B and the vertex being computed, whose old version is still red. (If the new version could
// slide onto the old one's pebble, ab + a + 1 <= S would do; the rules of paper 000, section 2.2, do not
// slide.)
Tile best_tile(Index red);

// The tile for an m x n result that loads least: with r = ceil(m / rows) and c = ceil(n / columns) rows and
// columns of tiles, k (c m + r n) words, subject to rows columns + min(rows, columns) + 2 <= S.
Tile fitted_tile(Index red, Index m, Index n);

// Listing 1 of paper 000: for each tile of C, all k outer products one after the other.
Order listing1_order(const Problem& multiply, Tile tile);

// A block of `rows` rows of A stays red, columns of B stream by, every C(i,j) is finished at once.
Order stationary_a_order(const Problem& multiply, Index rows);

// Left-looking by blocks of b x b elements: block (I, J) is loaded once, receives all its updates, is
// finished and stored; blocks come in the order of min(I, J).
Order blocked_factor_order(const Problem& factorization, Index b);

// A topological order drawn at random: each time, any of the vertices that are ready.
Order random_order(const Cdag& graph, std::uint64_t seed);

// By name, for a command line: three loops ("ikj"), "listing1", "best-tile", "stationary-a", "blocked" (tiles
// chosen for S red pebbles), "blocked:16", "random" or "random:7".
Order named_order(const Problem& problem, std::string_view name, Index red);

}  // namespace cairn::pebble
