#include "io/replacement.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>

#include "io/together.hpp"

namespace cairn::io {
namespace {

namespace fs = std::filesystem;

// Where a link leads, if the path is one that leads somewhere.
std::string resolved(const std::string& path) {
  std::error_code error;
  if (!fs::is_symlink(path, error)) return path;
  const fs::path target = fs::weakly_canonical(path, error);
  return error ? path : target.string();
}

std::string temporary_name(const std::string& path) {
  std::random_device random;
  return fmt::format("{}.part-{:08x}", path, random());
}

}  // namespace

Replacement::Replacement(comm::CommView comm, std::string operation, const std::string& path,
                         const std::function<void(const std::string&)>& prepare)
    : comm_(comm), operation_(std::move(operation)) {
  std::string name;
  try {
    together(comm_, operation_, [&] {
      if (comm_.rank() != 0) return;
      create(path);
      prepare(temporary_);
    });
    name = broadcast_text(comm_, temporary_);
    together(comm_, operation_, [&] { file_ = File::open_to_write(name); });
  } catch (...) {
    if (!temporary_.empty()) std::remove(temporary_.c_str());
    throw;
  }
}

void Replacement::create(const std::string& path) {
  require<IoError>(!path.empty(), "the name of the file is empty");
  path_ = resolved(path);
  struct stat old {};
  const bool exists = stat(path_.c_str(), &old) == 0;
  require<IoError>(!exists || S_ISREG(old.st_mode), "it is a {}, expected a regular file or no file",
                   S_ISDIR(old.st_mode) ? "directory" : "device or pipe");
  const std::string name = temporary_name(path_);
  File::create(name, 0666).close();
  temporary_ = name;
  if (exists)
    require<IoError>(chmod(name.c_str(), old.st_mode & 07777) == 0, "cannot set its permissions: {}",
                     std::strerror(errno));
}

Replacement::~Replacement() {
  if (!temporary_.empty()) std::remove(temporary_.c_str());
}

void Replacement::commit() {
  together(comm_, operation_, [&] { file_.close(); });
  together(comm_, operation_, [&] {
    if (comm_.rank() != 0) return;
    require<IoError>(std::rename(temporary_.c_str(), path_.c_str()) == 0, "cannot rename '{}' to it: {}",
                     temporary_, std::strerror(errno));
    temporary_.clear();
  });
}

}  // namespace cairn::io
