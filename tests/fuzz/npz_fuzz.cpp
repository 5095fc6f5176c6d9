// libFuzzer target: any bytes give a CSR matrix whose entries lie within it, or an error; with no more memory than the
// bytes could hold.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>

#include "cairn/error.hpp"
#include "io/sparse_npz.hpp"

namespace cairn::io {
namespace {

void must(bool condition) {
  if (!condition) std::abort();
}

// A file that never touches a disk.
class MemoryFile {
 public:
  MemoryFile(const std::uint8_t* data, std::size_t size) : handle_(memfd_create("npz", 0)) {
    must(handle_ >= 0 && write(handle_, data, size) == static_cast<ssize_t>(size));
  }
  ~MemoryFile() { close(handle_); }
  std::string path() const { return "/proc/self/fd/" + std::to_string(handle_); }

 private:
  int handle_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const MemoryFile memory(data, size);
  try {
    const File file = File::open_to_read(memory.path());
    const NpzHeader h = read_npz_header(file);
    must(h.rows >= 0 && h.columns >= 0 && h.entries <= 1100 * static_cast<Index>(size));
    const Index half = h.entries / 2;
    auto all = read_npz_part<double>(file, h, 0, half);
    const auto rest = read_npz_part<double>(file, h, half, h.entries - half);
    all.insert(all.end(), rest.begin(), rest.end());
    for (const Triple<double>& t : all)
      must(t.row >= 0 && t.row < h.rows && t.column >= 0 && t.column < h.columns);
  } catch (const Error& e) {
    must(std::string_view(e.what()).size() > 10);
  }
  return 0;
}

}  // namespace cairn::io
