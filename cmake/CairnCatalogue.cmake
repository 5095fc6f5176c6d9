# The files of src/gemm/fast/catalogue/ as string literals: the library needs no path at run time.
function(cairn_embed_catalogue target)
  set(folder ${PROJECT_SOURCE_DIR}/src/gemm/fast/catalogue)
  file(GLOB files CONFIGURE_DEPENDS ${folder}/*.txt)
  set(entries "")
  foreach(path ${files})
    file(READ ${path} text)
    get_filename_component(name ${path} NAME)
    string(APPEND entries "    {\"catalogue/${name}\", R\"file(${text})file\"},\n")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
  endforeach()
  set(source ${PROJECT_BINARY_DIR}/catalogue_texts.cpp)
  string(CONCAT content "#include \"gemm/fast/catalogue_texts.hpp\"\n\n#include <array>\n\nnamespace cairn::gemm::fast {\n\n"
    "std::span<const CatalogueText> catalogue_texts() {\n  static constexpr auto all = std::to_array<CatalogueText>({\n"
    "${entries}  });\n  return all;\n}\n\n}  // namespace cairn::gemm::fast\n")
  file(CONFIGURE OUTPUT ${source} CONTENT "@content@" @ONLY)
  target_sources(${target} PRIVATE ${source})
endfunction()
