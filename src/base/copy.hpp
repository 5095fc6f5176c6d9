// Copies past the caches: a line that is written whole need not be read first, which saves a third of the
// memory traffic of a copy that is larger than the caches.
#pragma once

#include "base/size.hpp"

namespace cairn {

// Like memcpy; for blocks that will not be read soon.
void stream_copy(void* to, const void* from, Index bytes);

// What this thread has streamed is there for everybody.
void finish_streaming();

// Like memcpy, past the caches where the block is far larger than they are.
void copy_block(void* to, const void* from, Index bytes);

}  // namespace cairn
