// Compressed bytes of a file, unpacked from front to back: gzip (also several members one behind the other) and
// the bare deflate of a zip archive.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "io/file.hpp"

namespace cairn::io {

enum class Packing { gzip, deflate };

class Inflater {
 public:
  // The packed bytes begin .. end-1 of the file, which must outlive this.
  Inflater(const File& file, Index begin, Index end, Packing packing);
  ~Inflater();
  Inflater(Inflater&&) noexcept;

  // Fills `to`; fewer bytes only at the end. Throws IoError that names the byte of the file.
  std::size_t read(std::span<char> to);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// One block, packed; a gzip file may consist of several, one behind the other.
std::string gzip_block(std::string_view text);

}  // namespace cairn::io
