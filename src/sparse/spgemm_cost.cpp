#include <algorithm>
#include <cmath>

#include "sparse/packing.hpp"
#include "sparse/spgemm_plan.hpp"

namespace cairn::sparse {
namespace {

const GridSample& sample_of(const SpgemmSample& s, const SparseGrid& grid) {
  const auto found =
      std::find_if(s.grids.begin(), s.grids.end(), [&](const GridSample& g) { return g.grid == grid; });
  require(found != s.grids.end(), "grid [{}, {}, {}] was not sampled", grid.pm, grid.pn, grid.pk);
  return *found;
}

// Bytes of lists of filled k: `groups` of them, over all k of a layer, of which a share 1/tellers is one's
// own.
double pattern_bytes(const SpgemmSample& s, const SparseGrid& g, double filled, int groups, int others) {
  if (groups < 2 || s.sampled_k == 0) return 0;
  const double k = as_real(s.shape.k) / g.pk / groups;
  const double density = filled / s.sampled_k / groups;
  return groups * expected_position_bytes(k, k * density) * (1 - 1.0 / (groups * std::max(1, others)));
}

// What a rank receives of a face: `entries` in `pieces` messages, out of rows x columns each.
double face_bytes(const SpgemmSample& s, double entries, int pieces, double rows, double columns) {
  if (pieces < 1) return 0;
  return pieces * (8 + expected_packed_bytes(rows, columns, entries / pieces, as_real(s.value_bytes)));
}

struct Face3 {
  double m, n, k;  // of a brick
};
Face3 brick(const SpgemmSample& s, const SparseGrid& g) {
  return {as_real(s.shape.m) / g.pm, as_real(s.shape.n) / g.pn, as_real(s.shape.k) / g.pk};
}

// All entries of the faces, needed or not.
void gather_all(SpgemmCost& c, const SpgemmSample& s, const SparseGrid& g) {
  c.entries_a = as_real(s.entries_a) / g.ranks() * (g.pn - 1);
  c.entries_b = as_real(s.entries_b) / g.ranks() * (g.pm - 1);
}

// Of the inputs' all-to-all: a rank keeps what is its own layer's.
void enter_from_home(SpgemmCost& c, const SpgemmSample& s, const SparseGrid& g) {
  c.inputs = (1 - 1.0 / g.pk) * as_real(s.entries_a + s.entries_b) / g.ranks();
  c.messages += 4.0 * (g.pk - 1);
}

// C level by level: what was merged at one level is sent at the next.
double entries_by_levels(const SpgemmSample& s, const SpgemmMethod& method, double partial_per_rank) {
  double entries = 0;
  for (const int f : method.k_levels) entries += (1 - 1.0 / f) * partial_per_rank;
  return s.sampled_voxels > 0 ? entries : 0;
}

// The share of the entries that would be on the same rank in both layouts, if they lay at random.
double share_at_home(const SparseLayout& from, const SparseLayout& to, int ranks) {
  double same = 0;
  for (int r = 0; r < ranks; ++r) {
    const auto x = from.position_of(r), y = to.position_of(r);
    if (!x || !y) continue;
    same += as_real(common_size(from.row_cut(), x->row_place, to.row_cut(), y->row_place)) /
            std::max(1.0, as_real(from.rows())) *
            as_real(common_size(from.column_cut(), x->column_place, to.column_cut(), y->column_place)) /
            std::max(1.0, as_real(from.columns()));
  }
  return same;
}

double conversion_bytes(const SpgemmSample& s, const SparseLayout* from, const SparseLayout& to,
                        Index entries) {
  if (from == nullptr || *from == to) return 0;
  const double moved = as_real(entries) * (1 - share_at_home(*from, to, s.ranks)) / s.ranks;
  return expected_packed_bytes(as_real(to.rows()) / s.ranks, as_real(to.columns()), moved,
                               as_real(s.value_bytes)) +
         8.0 * std::min(s.ranks, 2 * (to.row_cut().places() + to.column_cut().places()));
}

// Of the busiest rank, with three standard errors more of C than expected, and no more than there are voxels.
double memory_of(const SpgemmSample& s, const SpgemmMethod& method, const SpgemmCost& c,
                 const GridSample& g) {
  const SparseGrid& grid = method.grid;
  const double each = as_real(s.value_bytes) + 4, starts = 8;
  const double more = s.entries_c > 0 ? 1 + 3 * s.entries_c_error / s.entries_c : 1;
  const double own =
      (as_real(s.entries_a + s.entries_b) + g.work * std::min(more * s.entries_c, as_real(s.voxels))) /
      grid.ranks();
  const double face_a = g.crowding * c.entries_a + as_real(s.entries_a) / grid.ranks();
  const double face_b = g.crowding * c.entries_b + as_real(s.entries_b) / grid.ranks();
  const double ratio = s.sampled_voxels > 0 ? std::min(1.0, more * g.layer_entries / s.sampled_voxels) : 0;
  const double partial = g.work * ratio * as_real(s.voxels) / grid.ranks();
  const Face3 b = brick(s, grid);
  // A piece is there as bytes, as entries and as a block at the worst moment.
  const double phased = (face_b + partial + g.work * c.entries_c) / method.phases;
  return each * (own + 2 * face_a + 3 * phased) + starts * (2 * b.m + b.k);
}

// Lists of filled k that a rank writes and goes by.
int lists_read(const SparseGrid& g) { return (g.pn > 1 ? 1 : 0) + (g.pm > 1 ? 1 : 0); }

// What blocks cost follows memory and its latency, not the rate of dense products: so it is counted in words that are
// copied. Fitted to 68 products of random matrices on 2 and 4 ranks (d = 2 to 32), which it predicts within a quarter but
// for four. An entry that moves is chosen, packed, unpacked and put in its place; one of C merged as well.
double seconds_of(const SpgemmCost& c, const Face3& face, int lists, const SpgemmSample& s,
                  const Machine& machine) {
  constexpr double per_voxel = 20, per_entry = 80, per_entry_of_c = 110, per_row = 80, per_listed_k = 50;
  constexpr double packed_place = 1.5;  // bytes
  const double moved =
      c.entries_a + c.entries_b + c.inputs + c.convert_bytes / (as_real(s.value_bytes) + packed_place);
  const double copies = per_voxel * c.voxels * c.work +
                        c.crowding * (per_entry * moved + per_entry_of_c * c.entries_c) + per_row * face.m +
                        per_listed_k * lists * face.k;
  return machine.alpha * c.messages + machine.beta * c.total_bytes() * c.crowding / 8 + machine.copy * copies;
}

}  // namespace

SpgemmCost spgemm_cost(const SpgemmMethod& method, const SpgemmSample& s, const SpgemmPlanOptions& options) {
  const SparseGrid& g = method.grid;
  const GridSample& sample = sample_of(s, g);
  const Face3 face = brick(s, g);
  SpgemmCost c;
  if (method.gathering == Gathering::needed) {
    c.entries_a = s.a_received(sample);
    c.entries_b = s.b_received(sample);
    if (g.pn > 1) c.pattern_bytes += pattern_bytes(s, g, sample.filled_b, g.pn, g.pm) + 8.0 * g.pm;
    if (g.pm > 1) c.pattern_bytes += pattern_bytes(s, g, sample.filled_a, g.pm, g.pn) + 8.0 * g.pn;
    c.messages += 2.0 * ((g.pn > 1 ? std::max(g.pm, g.pn) : 0) + (g.pm > 1 ? std::max(g.pm, g.pn) : 0));
  } else {
    gather_all(c, s, g);
  }
  c.entries_c = s.c_received(sample);
  const double partial = g.pk > 1 ? c.entries_c / (1 - 1.0 / g.pk) : 0;
  if (method.gathering == Gathering::levels) c.entries_c = entries_by_levels(s, method, partial);
  if (method.from_home) enter_from_home(c, s, g);
  const double phases = method.phases;
  c.messages += 2 * ((g.pn - 1) + phases * (g.pm - 1) + phases * (g.pk - 1));
  c.bytes = c.pattern_bytes + face_bytes(s, c.entries_a, g.pn - 1, face.m, face.k / g.pn) +
            phases * face_bytes(s, c.entries_b / phases, g.pm - 1, face.k / g.pm, face.n / phases) +
            phases * face_bytes(s, c.entries_c / phases, g.pk - 1, face.m / g.pk, face.n / phases) +
            face_bytes(s, c.inputs, method.from_home ? g.pk - 1 : 0, face.m, face.k / g.pn);
  const MethodLayouts layouts = layouts_of(method, s.shape);
  c.convert_bytes = conversion_bytes(s, options.a, layouts.a, s.entries_a) +
                    conversion_bytes(s, options.b, layouts.b, s.entries_b);
  c.voxels = as_real(s.voxels) / g.ranks();
  c.work = sample.work;
  c.shuffled_work = sample.shuffled_work;
  c.crowding = sample.crowding;
  c.send_crowding = sample.send_crowding;
  c.memory_bytes = memory_of(s, method, c, sample);
  c.seconds =
      seconds_of(c, face, method.gathering == Gathering::needed ? lists_read(g) : 0, s, options.machine);
  return c;
}

}  // namespace cairn::sparse
