#include <cmath>

#include "sparse/gap_code.hpp"
#include "sparse/packing.hpp"

namespace cairn::sparse {
namespace {

// The first byte: the shift of a gap code, and which kind.
enum class Kind : std::uint8_t { bitmap = 0, present = 1, absent = 2 };

std::vector<Local> complement(std::span<const Local> positions, Index limit) {
  std::vector<Local> rest;
  rest.reserve(static_cast<std::size_t>(limit) - positions.size());
  auto next = positions.begin();
  for (Index i = 0; i < limit; ++i)
    if (next != positions.end() && *next == i)
      ++next;
    else
      rest.push_back(static_cast<Local>(i));
  return rest;
}

Bytes as_bitmap(std::span<const Local> positions, Index limit) {
  Bytes out(static_cast<std::size_t>(1 + ceil_div(limit, 8)), std::byte{0});
  for (const Local p : positions)
    out[static_cast<std::size_t>(1 + p / 8)] |= static_cast<std::byte>(1U << (p % 8));
  return out;
}

std::vector<Local> from_bitmap(std::span<const std::byte> in, Index limit) {
  require<CommError>(static_cast<Index>(in.size()) == ceil_div(limit, 8),
                     "a bitmap of {} positions has {} bytes", limit, in.size());
  std::vector<Local> positions;
  for (Index p = 0; p < limit; ++p)
    if ((static_cast<unsigned>(in[static_cast<std::size_t>(p / 8)]) >> (p % 8) & 1) != 0)
      positions.push_back(static_cast<Local>(p));
  return positions;
}

}  // namespace

Bytes pack_positions(std::span<const Local> positions, Index limit) {
  const auto count = static_cast<Index>(positions.size());
  if (count == 0) return {};
  const bool sparse = 2 * count <= limit;
  const std::vector<Local> rest = sparse ? std::vector<Local>{} : complement(positions, limit);
  const std::span<const Local> listed = sparse ? positions : std::span<const Local>(rest);
  const auto number = [&](Index i) { return Index{listed[static_cast<std::size_t>(i)]}; };
  const auto listed_count = static_cast<Index>(listed.size());
  const GapCode code = best_gap_code(listed_count, number);
  if (code.bytes + 3 >= ceil_div(limit, 8)) return as_bitmap(positions, limit);
  Bytes out;
  const Kind kind = sparse ? Kind::present : Kind::absent;
  out.push_back(static_cast<std::byte>(static_cast<unsigned>(kind) | static_cast<unsigned>(code.shift) << 2));
  put_count(out, listed_count);
  write_gaps(out, code, listed_count, number);
  return out;
}

std::vector<Local> unpack_positions(std::span<const std::byte> in, Index limit) {
  if (in.empty()) return {};
  const auto head = static_cast<unsigned>(in[0]);
  in = in.subspan(1);
  const auto kind = static_cast<Kind>(head & 3);
  if (kind == Kind::bitmap) return from_bitmap(in, limit);
  const Index count = take_count(in);
  require<CommError>(count <= limit, "{} positions below {}", count, limit);
  std::vector<Local> listed(static_cast<std::size_t>(count));
  read_gaps(in, static_cast<int>(head >> 2), count, limit,
            [&](Index i, Index p) { listed[static_cast<std::size_t>(i)] = static_cast<Local>(p); });
  return kind == Kind::present ? listed : complement(listed, limit);
}

double expected_position_bytes(double limit, double positions) {
  const double listed = std::min(positions, limit - positions);
  if (positions < 0.5) return 0;
  if (listed < 0.5) return 2;
  return std::min(1 + limit / 8, 3 + listed * (std::log2(limit / listed) + 1.5) / 8);
}

}  // namespace cairn::sparse
