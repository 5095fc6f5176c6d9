#include "io/format.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/error.hpp"

namespace cairn::io {
namespace {

constexpr std::array<std::string_view, 4> format_names{"npy", "mtx", "raw", "hdf5"};

struct Extension {
  std::string_view end;
  Format format;
};
constexpr std::array<Extension, 9> extensions{{{".npy", Format::npy},
                                               {".mtx", Format::matrix_market},
                                               {".mm", Format::matrix_market},
                                               {".bin", Format::raw},
                                               {".raw", Format::raw},
                                               {".dat", Format::raw},
                                               {".h5", Format::hdf5},
                                               {".hdf5", Format::hdf5},
                                               {".he5", Format::hdf5}}};

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

bool equal_letters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

std::string_view name(Format format) { return format_names[static_cast<std::size_t>(format)]; }

Format parse_format(std::string_view text) {
  const auto found = std::find(format_names.begin(), format_names.end(), text);
  require(found != format_names.end(), "format is '{}', expected npy, mtx, raw or hdf5", text);
  return static_cast<Format>(found - format_names.begin());
}

std::optional<Format> format_by_extension(std::string_view path) {
  for (const Extension& e : extensions)
    if (path.size() > e.end.size() && equal_letters(path.substr(path.size() - e.end.size()), e.end))
      return e.format;
  return {};
}

std::optional<Format> format_by_magic(std::span<const std::byte> head) {
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  constexpr std::string_view banner = "%%MatrixMarket";
  if (text.starts_with("\x93NUMPY")) return Format::npy;
  if (text.starts_with("\x89HDF\r\n\x1a\n")) return Format::hdf5;
  if (equal_letters(text.substr(0, banner.size()), banner)) return Format::matrix_market;
  require<IoError>(!text.starts_with("PK\x03\x04"),
                   "byte 0: this is a zip archive (.npz?), expected one matrix; unpack it first");
  require<IoError>(!text.starts_with("\x1f\x8b"),
                   "byte 0: this is compressed by gzip, expected a plain file; unpack it first");
  return {};
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t most = 40;
  std::string result = "'";
  for (const char c : text.substr(0, most))
    if (c == '\\' || c == '\'')
      result += {'\\', c};
    else if (c >= ' ' && c <= '~')
      result += c;
    else
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  return result + (text.size() > most ? "'..." : "'");
}

}  // namespace cairn::io
