// A file that takes its name only when it is complete: written under a name of its own beside it, then
// renamed. Until then the old file, if any, stays as it was; on an error nothing is left behind.
#pragma once

#include <functional>
#include <string>

#include "comm/communicator.hpp"
#include "io/file.hpp"

namespace cairn::io {

class Replacement {
 public:
  // Collective. Rank 0 creates the file and calls prepare(its name for now); then every rank opens it. All
  // ranks get the same error. Follows symbolic links; keeps the permissions of a file that is replaced.
  Replacement(comm::CommView comm, std::string operation, const std::string& path,
              const std::function<void(const std::string&)>& prepare);
  ~Replacement();  // without commit: removes what was written
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  const File& file() const { return file_; }
  void commit();  // collective

 private:
  void create(const std::string& path);

  comm::CommView comm_;
  std::string operation_;
  std::string path_;       // links resolved
  std::string temporary_;  // empty: there is none
  File file_;
};

}  // namespace cairn::io
