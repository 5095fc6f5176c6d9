// The file formats, and how one is told from another.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace cairn::io {

enum class Format { npy, matrix_market, raw, hdf5 };

std::string_view name(Format format);        // "npy", "mtx", "raw", "hdf5"
Format parse_format(std::string_view text);  // as printed by name()
// By the end of the name: .npy | .mtx .mm | .bin .raw .dat | .h5 .hdf5 .he5
std::optional<Format> format_by_extension(std::string_view path);

// By the first bytes of the file. Raw files have no mark of their own. Archives that would have to be
// unpacked first (.npz, gzip) are an IoError that says so.
std::optional<Format> format_by_magic(std::span<const std::byte> head);

// Text from a file for an error message: quoted, escaped, and cut short.
std::string in_quotes(std::string_view text);

}  // namespace cairn::io
