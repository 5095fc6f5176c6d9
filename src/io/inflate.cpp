#include "io/inflate.hpp"

#include <zlib.h>

#include <algorithm>
#include <string>
#include <vector>

namespace cairn::io {

struct Inflater::State {
  const File* file = nullptr;
  Index at = 0, end = 0;  // packed bytes that are not yet here
  Packing packing = Packing::gzip;
  bool finished = false;
  z_stream stream = {};
  std::vector<std::byte> packed = std::vector<std::byte>(std::size_t{1} << 16);

  ~State() { inflateEnd(&stream); }

  Index place() const { return at - static_cast<Index>(stream.avail_in); }
  bool refill() {
    if (stream.avail_in > 0) return true;
    const auto count = static_cast<std::size_t>(std::min<Index>(static_cast<Index>(packed.size()), end - at));
    if (count == 0) return false;
    file->read_at(at, std::span(packed).first(count));
    at += static_cast<Index>(count);
    stream.next_in = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_in = static_cast<uInt>(count);
    return true;
  }
  // Behind the end of a gzip member another may follow.
  void end_member() {
    finished = packing == Packing::deflate || !refill();
    if (!finished) inflateReset(&stream);
  }
};

Inflater::Inflater(const File& file, Index begin, Index end, Packing packing)
    : state_(std::make_unique<State>()) {
  state_->file = &file;
  state_->at = begin;
  state_->end = end;
  state_->packing = packing;
  const int window = packing == Packing::gzip ? 16 + MAX_WBITS : -MAX_WBITS;
  require<MemoryError>(inflateInit2(&state_->stream, window) == Z_OK, "no memory to unpack a file");
}

Inflater::~Inflater() = default;
Inflater::Inflater(Inflater&&) noexcept = default;

std::size_t Inflater::read(std::span<char> to) {
  State& s = *state_;
  std::size_t done = 0;
  while (done < to.size() && !s.finished) {
    require<IoError>(s.refill(), "byte {}: the file ends here, inside its packed data", s.place());
    const auto room = static_cast<uInt>(std::min<std::size_t>(to.size() - done, std::size_t{1} << 30));
    s.stream.next_out = reinterpret_cast<Bytef*>(to.data() + done);
    s.stream.avail_out = room;
    const int result = inflate(&s.stream, Z_NO_FLUSH);
    require<IoError>(result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR,
                     "byte {}: the packed data is damaged: {}", s.place(),
                     s.stream.msg == nullptr ? "no reason given" : s.stream.msg);
    done += room - s.stream.avail_out;
    if (result == Z_STREAM_END) s.end_member();
  }
  return done;
}

std::string gzip_block(std::string_view text) {
  z_stream stream = {};
  require<MemoryError>(
      deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK,
      "no memory to pack a file");
  std::string packed;
  std::vector<char> room(std::size_t{1} << 16);
  for (int flush = Z_NO_FLUSH; flush != Z_FINISH;) {
    const auto count = std::min<std::size_t>(text.size(), std::size_t{1} << 30);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(count);
    text.remove_prefix(count);
    flush = text.empty() ? Z_FINISH : Z_NO_FLUSH;
    do {
      stream.next_out = reinterpret_cast<Bytef*>(room.data());
      stream.avail_out = static_cast<uInt>(room.size());
      deflate(&stream, flush);
      packed.append(room.data(), room.size() - stream.avail_out);
    } while (stream.avail_out == 0);
  }
  deflateEnd(&stream);
  return packed;
}

}  // namespace cairn::io
