#include "io/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace cairn::io {
namespace {

// One system call moves at most this; Linux stops at 2^31 - 4096 anyway.
constexpr std::size_t longest_transfer = std::size_t{1} << 30;

// Calls move(position, bytes left) -> bytes moved until all are. 0 bytes moved: the end of the file.
template <class F>
void transfer(Index offset, std::size_t bytes, const char* verb, F&& move) {
  for (std::size_t done = 0; done < bytes;) {
    const Index place = offset + static_cast<Index>(done);
    const ssize_t moved = move(done, place, std::min(bytes - done, longest_transfer));
    if (moved < 0 && errno == EINTR) continue;
    require<IoError>(moved >= 0, "byte {}: cannot {} {} bytes: {}", place, verb, bytes - done,
                     std::strerror(errno));
    require<IoError>(moved > 0, "byte {}: the file ends here, expected {} more bytes", place, bytes - done);
    done += static_cast<std::size_t>(moved);
  }
}

}  // namespace

File File::open(const std::string& path, int flags, unsigned mode) {
  // O_NONBLOCK: opening a pipe would wait for its other end.
  File file(::open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK, mode));
  require<IoError>(file.handle_ >= 0, "cannot open it: {}", std::strerror(errno));
  struct stat status {};
  require<IoError>(fstat(file.handle_, &status) == 0, "cannot examine it: {}", std::strerror(errno));
  require<IoError>(S_ISREG(status.st_mode), "it is a {}, expected a regular file",
                   S_ISDIR(status.st_mode) ? "directory" : "device or pipe");
  return file;
}

File File::open_to_read(const std::string& path) { return open(path, O_RDONLY, 0); }
File File::open_to_write(const std::string& path) { return open(path, O_WRONLY, 0); }
File File::create(const std::string& path, unsigned mode) {
  return open(path, O_WRONLY | O_CREAT | O_EXCL, mode);
}

File::File(File&& other) noexcept : handle_(std::exchange(other.handle_, -1)) {}
File& File::operator=(File&& other) noexcept {
  std::swap(handle_, other.handle_);
  return *this;
}
File::~File() {
  if (handle_ >= 0) ::close(handle_);
}

Index File::size() const {
  struct stat status {};
  require<IoError>(fstat(handle_, &status) == 0, "cannot find its size: {}", std::strerror(errno));
  return status.st_size;
}

void File::read_at(Index offset, std::span<std::byte> to) const {
  transfer(offset, to.size(), "read", [&](std::size_t done, Index place, std::size_t bytes) {
    return pread(handle_, to.data() + done, bytes, place);
  });
}

void File::write_at(Index offset, std::span<const std::byte> from) const {
  transfer(offset, from.size(), "write", [&](std::size_t done, Index place, std::size_t bytes) {
    return pwrite(handle_, from.data() + done, bytes, place);
  });
}

void File::reserve(Index bytes) const {
  if (bytes > 0 && fallocate(handle_, 0, 0, bytes) == 0) return;
  const bool full = bytes > 0 && (errno == ENOSPC || errno == EFBIG || errno == EDQUOT);
  require<IoError>(!full && ftruncate(handle_, bytes) == 0, "cannot make room for {} bytes: {}", bytes,
                   std::strerror(errno));
}

void File::close() {
  const int code = ::close(std::exchange(handle_, -1));
  require<IoError>(code == 0 || errno == EINTR, "cannot finish writing: {}", std::strerror(errno));
}

}  // namespace cairn::io
