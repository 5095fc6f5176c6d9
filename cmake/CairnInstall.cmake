# What `cmake --install` puts where, in four parts, which are also the Debian packages (CairnPackages.cmake):
#   lib     libcairn.so.N, libcairn_fortran.so.N, libcairn_scalapack.so.N
#   dev     headers, libcairn.so, libcairn.a, the Fortran module, package files of CMake and pkg-config
#   tools   the program, its man pages, completion for bash, zsh and fish
#   python  the package
# Nothing in the tree names its own place: it may be moved.
include(CMakePackageConfigHelpers)
set(cairn_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/cairn)
set(cairn_config ${PROJECT_BINARY_DIR}/cmake)

# cairn_install_library(TARGET...): under the names that EXPORT_NAME gives them.
function(cairn_install_library)
  install(TARGETS ${ARGN} EXPORT cairnTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT lib NAMELINK_COMPONENT dev
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev
    FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)
endfunction()

if(CAIRN_SHARED)
  cairn_install_library(cairn_shared)
endif()
if(CAIRN_STATIC)
  cairn_install_library(cairn_static)
endif()
if(TARGET cairn_fortran)
  cairn_install_library(cairn_fortran)
  install(FILES ${PROJECT_BINARY_DIR}/fortran/cairn.mod ${PROJECT_BINARY_DIR}/fortran/cairn_c.mod
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/cairn/fortran COMPONENT dev)
  # Modules are of one compiler: others compile the source.
  install(FILES ${PROJECT_SOURCE_DIR}/src/doors/fortran/cairn_c.f90 ${PROJECT_SOURCE_DIR}/src/doors/fortran/cairn.F90
    DESTINATION ${CMAKE_INSTALL_DATADIR}/cairn/fortran COMPONENT dev)
endif()
if(TARGET cairn_scalapack)
  cairn_install_library(cairn_scalapack)
endif()

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/cairn-config.cmake.in ${cairn_config}/cairn-config.cmake
  INSTALL_DESTINATION ${cairn_cmake_dir})
write_basic_package_version_file(${cairn_config}/cairn-config-version.cmake VERSION ${PROJECT_VERSION}
  COMPATIBILITY SameMinorVersion)
install(EXPORT cairnTargets NAMESPACE cairn:: FILE cairn-targets.cmake DESTINATION ${cairn_cmake_dir} COMPONENT dev)
export(EXPORT cairnTargets NAMESPACE cairn:: FILE ${cairn_config}/cairn-targets.cmake)
install(FILES ${cairn_config}/cairn-config.cmake ${cairn_config}/cairn-config-version.cmake
  DESTINATION ${cairn_cmake_dir} COMPONENT dev)

# ---- pkg-config --------------------------------------------------------------------------------------------------
file(RELATIVE_PATH CAIRN_PC_TO_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)

# cairn_install_pc(NAME DESCRIPTION REQUIRES CFLAGS LIBS)
function(cairn_install_pc name description requires cflags libs)
  set(CAIRN_PC_NAME ${name})
  set(CAIRN_PC_DESCRIPTION ${description})
  set(CAIRN_PC_REQUIRES ${requires})
  set(CAIRN_PC_CFLAGS ${cflags})
  set(CAIRN_PC_LIBS ${libs})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/cairn.pc.in ${PROJECT_BINARY_DIR}/pkgconfig/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/pkgconfig/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
endfunction()

# MPI is in the headers: its flags come along, so that a plain compiler does.
list(TRANSFORM MPI_C_INCLUDE_DIRS PREPEND "-I" OUTPUT_VARIABLE mpi_flags)
list(JOIN mpi_flags " " mpi_flags)
list(JOIN MPI_C_LIBRARIES " " mpi_libraries)
if(CAIRN_SHARED)
  cairn_install_pc(cairn "${PROJECT_DESCRIPTION}" "" "-I\${includedir} ${mpi_flags}"
    "-L\${libdir} -lcairn ${mpi_libraries}")
endif()
if(CAIRN_STATIC)
  get_target_property(fmt_library fmt::fmt LOCATION)
  list(JOIN LAPACK_LIBRARIES " " lapack_libraries)
  list(JOIN BLAS_LIBRARIES " " blas_libraries)
  list(JOIN ZLIB_LIBRARIES " " zlib_libraries)
  list(JOIN HDF5_LINK_LIBRARIES " " hdf5_libraries)
  set(static_libraries "-L\${libdir} -l:libcairn.a ${fmt_library} ${lapack_libraries} ${blas_libraries} ${zlib_libraries} \
${hdf5_libraries} ${mpi_libraries} -lpthread -ldl -lstdc++ -lm")
  set(name cairn-static)
  if(NOT CAIRN_SHARED)
    set(name cairn)
  endif()
  cairn_install_pc(${name} "${PROJECT_DESCRIPTION} (static)" "" "-I\${includedir} ${mpi_flags}" "${static_libraries}")
endif()
if(TARGET cairn_fortran)
  cairn_install_pc(cairn-fortran "Cairn's Fortran module" "cairn" "-I\${includedir}/cairn/fortran"
    "-L\${libdir} -lcairn_fortran")
endif()
if(TARGET cairn_scalapack)
  cairn_install_pc(cairn-scalapack "ScaLAPACK's routines by Cairn" "cairn" "" "-L\${libdir} -lcairn_scalapack")
endif()

# ---- the program -------------------------------------------------------------------------------------------------
if(CAIRN_BUILD_PROGRAM)
  install(TARGETS cairn RUNTIME COMPONENT tools)
  # Written by the program itself, from its table of operations.
  set(manual ${PROJECT_BINARY_DIR}/manual)
  set(write_manual ${CMAKE_COMMAND} -E env ASAN_OPTIONS=detect_leaks=0 $<TARGET_FILE:cairn>)
  add_custom_command(OUTPUT ${manual}/man1/cairn.1 DEPENDS cairn
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${manual}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${manual}/man1
    COMMAND ${write_manual} man ${manual}/man1
    COMMAND ${write_manual} completion bash > ${manual}/cairn
    COMMAND ${write_manual} completion zsh > ${manual}/_cairn
    COMMAND ${write_manual} completion fish > ${manual}/cairn.fish)
  add_custom_target(cairn_manual ALL DEPENDS ${manual}/man1/cairn.1)
  install(DIRECTORY ${manual}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT tools)
  install(FILES ${manual}/cairn DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT tools)
  install(FILES ${manual}/_cairn DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT tools)
  install(FILES ${manual}/cairn.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT tools)
endif()
