// Bits one after another in bytes, lowest first: codes of whole numbers that are small where the numbers are.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "base/error.hpp"

namespace cairn::sparse {

using Bytes = std::vector<std::byte>;

class BitWriter {
 public:
  explicit BitWriter(Bytes& out) : out_(out) {}
  // The lowest `count` bits of `value`, count <= 56; the bits above are 0.
  void put(std::uint64_t value, int count) {
    held_ |= value << bits_;
    bits_ += count;
    while (bits_ >= 8) flush_byte();
  }
  // `zeros` zeros, then a one.
  void put_unary(std::uint64_t zeros) {
    for (; zeros >= 32; zeros -= 32) put(0, 32);
    put(std::uint64_t{1} << zeros, static_cast<int>(zeros) + 1);
  }
  // Wide values in two halves.
  void put_wide(std::uint64_t value, int count) {
    if (count > 32) {
      put(value & 0xffffffffU, 32);
      put(value >> 32, count - 32);
    } else {
      put(value, count);
    }
  }
  void finish() {
    if (bits_ > 0) flush_byte();
    held_ = 0;
    bits_ = 0;
  }

 private:
  void flush_byte() {
    out_.push_back(static_cast<std::byte>(held_ & 0xff));
    held_ >>= 8;
    bits_ -= 8;
  }
  Bytes& out_;
  std::uint64_t held_ = 0;
  int bits_ = 0;
};

// Reading past the end is an error: what arrives is never trusted.
class BitReader {
 public:
  explicit BitReader(std::span<const std::byte> in) : in_(in) {}
  std::uint64_t get(int count) {
    fill(count);
    const std::uint64_t value = held_ & mask(count);
    drop(count);
    return value;
  }
  std::uint64_t get_wide(int count) {
    if (count <= 32) return get(count);
    const std::uint64_t low = get(32);
    return low | get(count - 32) << 32;
  }
  std::uint64_t get_unary() {
    std::uint64_t zeros = 0;
    for (;;) {
      fill(1);
      if (held_ != 0) break;
      zeros += static_cast<std::uint64_t>(bits_);
      bits_ = 0;
    }
    const int here = std::countr_zero(held_);
    drop(here);  // in two steps: a shift by 64 is none
    drop(1);
    return zeros + static_cast<std::uint64_t>(here);
  }

 private:
  static std::uint64_t mask(int count) { return (std::uint64_t{1} << count) - 1; }
  void drop(int count) {
    held_ >>= count;
    bits_ -= count;
  }
  void fill(int count) {
    while (bits_ <= 56 && at_ < in_.size()) {
      held_ |= static_cast<std::uint64_t>(in_[at_++]) << bits_;
      bits_ += 8;
    }
    require<CommError>(bits_ >= count, "a sparse message ends after {} bytes, within a code", in_.size());
  }
  std::span<const std::byte> in_;
  std::size_t at_ = 0;
  std::uint64_t held_ = 0;
  int bits_ = 0;
};

}  // namespace cairn::sparse
