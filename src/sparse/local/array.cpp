#include "sparse/local/array.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>

namespace cairn::sparse {
namespace {

constexpr std::uintptr_t page = 4096;
constexpr Index huge_from = Index{4} << 20;

// A wish. Rows of B are read at random: with small pages every other read would miss the table of pages.
void wish_for_huge_pages(void* p, Index bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  const std::uintptr_t begin = (address + page - 1) / page * page;
  const std::uintptr_t end = (address + static_cast<std::uintptr_t>(bytes)) / page * page;
  if (end > begin) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

}  // namespace

void* resize_memory(void* old, Index bytes) {
  if (bytes == 0) {
    std::free(old);
    return nullptr;
  }
  void* const p = std::realloc(old, static_cast<std::size_t>(bytes));
  require<MemoryError>(p != nullptr, "cannot get {} bytes for a sparse matrix", bytes);
  if (bytes >= huge_from) wish_for_huge_pages(p, bytes);
  return p;
}

}  // namespace cairn::sparse
