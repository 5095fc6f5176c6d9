# Helpers that every CMakeLists.txt below uses, so that a folder is a few lines.

add_library(cairn_options INTERFACE)
target_compile_features(cairn_options INTERFACE cxx_std_20)
target_compile_options(cairn_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
  $<$<BOOL:${CAIRN_WERROR}>:-Werror>)
if(CAIRN_NO_GNU_UNIQUE)
  target_compile_options(cairn_options INTERFACE -fno-gnu-unique)
endif()
if(CAIRN_SANITIZE)
  # The assertions find an index outside a span that is inside its block of memory, where AddressSanitizer sees nothing.
  target_compile_options(cairn_options INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -D_GLIBCXX_ASSERTIONS)
  target_link_options(cairn_options INTERFACE -fsanitize=address,undefined)
endif()

# Programs around the library (command line, benchmarks, tests) spend their time in the layers and in BLAS: optimised
# less they compile a quarter faster. It comes after Release's -O3, so it wins. What the linker may take of theirs for
# the layers' own is text, JSON and destructors; the loops over elements are in the sources of the layers.
set(cairn_outer_options $<$<CONFIG:Release>:-O1>)

# Half of the time of compiling is parsing the standard library. With CAIRN_PRECOMPILE it is parsed once for the layers,
# once for the command line, once for the tests. Every source still includes what it uses: the builds for MPICH, for
# the sanitizers and for `./run lint` do without. They have all warnings, too: GCC 12 forgets which lines of a
# precompiled header are the system's, and then warns of what it believes to see inside std::string.
set(standard_headers <algorithm> <array> <cmath> <functional> <map> <memory> <numeric> <optional> <span> <string>
  <string_view> <vector> <fmt/format.h> <fmt/ranges.h>)
file(WRITE ${PROJECT_BINARY_DIR}/empty.cpp "")

# cairn_add_headers(NAME [LINKS ...] [HEADERS ...] [OPTIONS ...]): the standard headers and HEADERS as one.
function(cairn_add_headers name)
  if(NOT CAIRN_PRECOMPILE)
    return()
  endif()
  cmake_parse_arguments(arg "" "" "LINKS;HEADERS;OPTIONS" ${ARGN})
  add_library(${name} OBJECT ${PROJECT_BINARY_DIR}/empty.cpp)
  target_link_libraries(${name} PRIVATE cairn_options fmt::fmt ${arg_LINKS})
  target_compile_options(${name} PRIVATE ${arg_OPTIONS})
  target_precompile_headers(${name} PRIVATE ${standard_headers} ${arg_HEADERS})
endfunction()

# cairn_use_headers(TARGET NAME): every source of TARGET begins with the headers of NAME.
function(cairn_use_headers target name)
  if(NOT CAIRN_PRECOMPILE)
    return()
  endif()
  target_precompile_headers(${target} REUSE_FROM ${name})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread
      -Wno-restrict)
  endif()
endfunction()

cairn_add_headers(cairn_layer_headers)
if(TARGET cairn_layer_headers)
  set_target_properties(cairn_layer_headers PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON)
endif()

# With CAIRN_UNITY the compiler reads several sources of a folder as one: what they include is parsed once, and what
# they instantiate is made once. So two sources of a folder may not give one name to two things, not even in their
# anonymous namespaces, and they #undef their macros. The builds that do without precompiled headers do without this.
function(cairn_join_sources target)
  if(CAIRN_UNITY)
    # GCC takes the anonymous namespace of a source for that of a header.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${CAIRN_UNITY_SOURCES})
  endif()
endfunction()

# cairn_add_layer(NAME [FOLDER ...] [LINKS ...] [DEFINITIONS ...] [PRIVATE_LINKS ...] [SEPARATE] [BESIDE])
# A static library from the *.cpp and *.hpp of the folder src/NAME (or FOLDER), includable as <NAME/x.hpp>.
# SEPARATE: every source is compiled by itself, whatever CAIRN_UNITY says. BESIDE: no part of the public library.
function(cairn_add_layer name)
  cmake_parse_arguments(arg "SEPARATE;BESIDE" "FOLDER" "LINKS;PRIVATE_LINKS;DEFINITIONS" ${ARGN})
  if(NOT arg_FOLDER)
    set(arg_FOLDER ${name})
  endif()
  set(folder ${PROJECT_SOURCE_DIR}/src/${arg_FOLDER})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${folder}/*.hpp)
  add_library(cairn_${name} STATIC ${sources})
  if(NOT arg_BESIDE)
    set_property(GLOBAL APPEND PROPERTY CAIRN_LAYERS ${name})
  endif()
  target_sources(cairn_${name} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/src FILES ${headers})
  target_include_directories(cairn_${name} PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
  target_compile_definitions(cairn_${name} PUBLIC ${arg_DEFINITIONS})
  target_link_libraries(cairn_${name} PUBLIC ${arg_LINKS} PRIVATE cairn_options ${arg_PRIVATE_LINKS})
  # libcairn.so exports what include/cairn/ says (CAIRN_EXPORT), and nothing else.
  set_target_properties(cairn_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON)
  cairn_use_headers(cairn_${name} cairn_layer_headers)
  if(NOT arg_SEPARATE)
    cairn_join_sources(cairn_${name})
  endif()
endfunction()

# The library users link: all layers in one, so that nothing but MPI (its handles are in the public headers) is asked of
# them. cairn_shared is libcairn.so, cairn_static is libcairn.a, of the same objects; cairn::cairn is the shared one where
# it is built. Their names outside are cairn::cairn and cairn::cairn_static (CairnInstall.cmake).
function(cairn_set_up_public target)
  file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/cairn/*.h ${PROJECT_SOURCE_DIR}/include/cairn/c/*.h
    ${PROJECT_SOURCE_DIR}/include/cairn/*.hpp)
  list(FILTER headers EXCLUDE REGEX "/scalapack\\.h$")  # of another library
  target_sources(${target} PUBLIC FILE_SET HEADERS
    BASE_DIRS ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include
    FILES ${headers} ${PROJECT_BINARY_DIR}/include/cairn/version.h)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME cairn)
  target_compile_features(${target} INTERFACE cxx_std_20)
  target_compile_definitions(${target} INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
  target_link_libraries(${target} PUBLIC MPI::MPI_C)
  if(CAIRN_SANITIZE)  # a program that uses it must start with the sanitizers
    target_link_options(${target} INTERFACE -fsanitize=address,undefined)
  endif()
endfunction()

function(cairn_add_shared_library)
  add_library(cairn_shared SHARED ${PROJECT_BINARY_DIR}/empty.cpp)
  cairn_set_up_public(cairn_shared)
  set_target_properties(cairn_shared PROPERTIES EXPORT_NAME cairn VERSION ${CAIRN_ABI}.0.0 SOVERSION ${CAIRN_ABI})
  # Every public header must compile alone: `all` checks it. (Those of the layers: `./run lint`.)
  set_target_properties(cairn_shared PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
  target_link_libraries(cairn_shared PRIVATE cairn_options cairn_c_door)
  set_target_properties(cairn_shared PROPERTIES LINK_LIBRARY_OVERRIDE "WHOLE_ARCHIVE,cairn_api,cairn_c_door")
endfunction()

function(cairn_add_static_library)
  get_property(layers GLOBAL PROPERTY CAIRN_LAYERS)
  list(TRANSFORM layers REPLACE "(.+)" "$<TARGET_OBJECTS:cairn_\\1>" OUTPUT_VARIABLE objects)
  add_library(cairn_static STATIC ${objects})
  cairn_set_up_public(cairn_static)
  set_target_properties(cairn_static PROPERTIES LINKER_LANGUAGE CXX)
  # What the shared library keeps to itself; the package file finds them again (CAIRN_STATIC_PACKAGES there).
  target_link_libraries(cairn_static PRIVATE fmt::fmt LAPACK::LAPACK BLAS::BLAS Threads::Threads ZLIB::ZLIB
    ${CAIRN_HDF5_TARGET} ${CMAKE_DL_LIBS})
endfunction()

function(cairn_add_public_library)
  if(CAIRN_SHARED)
    cairn_add_shared_library()
    add_library(cairn::cairn ALIAS cairn_shared)
  endif()
  if(CAIRN_STATIC)
    cairn_add_static_library()
  endif()
  if(NOT CAIRN_SHARED)
    add_library(cairn_shared ALIAS cairn_static)  # what links the one links the other
    add_library(cairn::cairn ALIAS cairn_static)
  endif()
endfunction()
