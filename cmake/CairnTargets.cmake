# Helpers that every CMakeLists.txt below uses, so that a folder is a few lines.

add_library(cairn_options INTERFACE)
target_compile_features(cairn_options INTERFACE cxx_std_20)
target_compile_options(cairn_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
  $<$<BOOL:${CAIRN_WERROR}>:-Werror>)
if(CAIRN_SANITIZE)
  target_compile_options(cairn_options INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(cairn_options INTERFACE -fsanitize=address,undefined)
endif()

# cairn_add_layer(NAME SOURCES ... [LINKS ...] [DEFINITIONS ...] [PRIVATE_LINKS ...])
# A static library from the *.cpp and *.hpp of the folder src/NAME (or FOLDER), includable as <NAME/x.hpp>.
function(cairn_add_layer name)
  cmake_parse_arguments(arg "" "FOLDER" "LINKS;PRIVATE_LINKS;DEFINITIONS" ${ARGN})
  if(NOT arg_FOLDER)
    set(arg_FOLDER ${name})
  endif()
  set(folder ${PROJECT_SOURCE_DIR}/src/${arg_FOLDER})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${folder}/*.hpp)
  add_library(cairn_${name} STATIC ${sources})
  target_sources(cairn_${name} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/src FILES ${headers})
  target_include_directories(cairn_${name} PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
  target_compile_definitions(cairn_${name} PUBLIC ${arg_DEFINITIONS})
  target_link_libraries(cairn_${name} PUBLIC ${arg_LINKS} PRIVATE cairn_options ${arg_PRIVATE_LINKS})
  set_target_properties(cairn_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endfunction()
