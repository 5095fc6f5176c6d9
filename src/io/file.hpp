// A regular file, read and written at any place. Errors are IoErrors that name the byte, not the file: what
// is done to a file on many ranks names it once (together.hpp).
#pragma once

#include <span>
#include <string>

#include "base/size.hpp"

namespace cairn::io {

class File {
 public:
  static File open_to_read(const std::string& path);
  static File open_to_write(const std::string& path);          // it exists
  static File create(const std::string& path, unsigned mode);  // it does not exist

  File() = default;
  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;
  ~File();

  Index size() const;
  // All of the bytes, or an error.
  void read_at(Index offset, std::span<std::byte> to) const;
  void write_at(Index offset, std::span<const std::byte> from) const;
  // Makes the file this long and has the file system reserve the room, where it can.
  void reserve(Index bytes) const;
  void close();  // errors that were put off show here

 private:
  explicit File(int handle) : handle_(handle) {}
  static File open(const std::string& path, int flags, unsigned mode);
  int handle_ = -1;
};

}  // namespace cairn::io
