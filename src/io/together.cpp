#include "io/together.hpp"

#include <new>
#include <vector>

#include "comm/collectives.hpp"

namespace cairn::io {

void together(comm::CommView comm, const std::string& operation, const std::function<void()>& work,
              std::initializer_list<comm::Same> same) {
  const auto guarded = [&] {
    try {
      work();
    } catch (const Error&) {
      throw;
    } catch (const std::bad_alloc&) {
      fail<MemoryError>("no memory is left");
    } catch (const std::exception& e) {
      fail<IoError>("{}", e.what());
    }
  };
  comm::agree(comm, operation, guarded, same);
}

void agree_on_name(comm::CommView comm, std::string_view operation, std::string_view path) {
  comm::agree(comm, operation, {},
              {{"name", comm::fingerprint(path), [&] {
                  return std::vector<comm::Argument>{{"the file's name", fmt::format("'{}'", path)}};
                }}});
}

std::string broadcast_text(comm::CommView comm, const std::string& text) {
  const comm::CommView plain = comm.unchecked();
  auto length = static_cast<Index>(text.size());
  comm::broadcast(plain, std::span(&length, 1), 0);
  std::vector<char> all(text.begin(), text.end());
  all.resize(static_cast<std::size_t>(length));
  comm::broadcast(plain, std::span(all), 0);
  return {all.begin(), all.end()};
}

}  // namespace cairn::io
