// The files of catalogue/, made part of the library by cmake/CairnCatalogue.cmake.
#pragma once

#include <span>
#include <string_view>

namespace cairn::gemm::fast {

struct CatalogueText {
  std::string_view file;
  std::string_view text;
};
std::span<const CatalogueText> catalogue_texts();

}  // namespace cairn::gemm::fast
