# All that is taken from elsewhere, found once for all folders. Global, since a project that adds this one as a folder
# links these targets from outside of it.
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)
find_package(Threads REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(Boost 1.74 REQUIRED)
find_package(Eigen3 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(GMP REQUIRED)
find_package(Clp REQUIRED)
find_package(RE2 REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(ZLIB REQUIRED)
find_package(tomlplusplus REQUIRED)  # its headers only: nothing of it is linked
find_package(fmt REQUIRED)
if(DRAFTGAUGE_STATIC)  # Debian's fmt is a shared library alone
  add_library(draftgauge_fmt STATIC cmake/release/fmt.cc)
  target_compile_features(draftgauge_fmt PRIVATE cxx_std_20)
  get_target_property(location fmt::fmt IMPORTED_CONFIGURATIONS)
  set_target_properties(fmt::fmt PROPERTIES IMPORTED_LOCATION_${location} "${PROJECT_BINARY_DIR}/libdraftgauge_fmt.a")
  add_dependencies(fmt::fmt draftgauge_fmt)
endif()
find_package(hwy REQUIRED CONFIG)  # its headers only: nothing of it is linked
# A CUDA toolkit brings a Thrust of its own, which the host systems use too: one installed beside it is another version,
# and may be missing where a toolkit is (cmake/packages/no-nvcc.txt).
find_package(CUDAToolkit QUIET)
if(CUDAToolkit_FOUND)
  set(Thrust_ROOT ${CUDAToolkit_BIN_DIR}/..)
endif()
find_package(Thrust REQUIRED CONFIG)
if(DRAFTGAUGE_APPS)
  find_package(CLI11 REQUIRED)
endif()
# Where MPI is wanted and found, DRAFTGAUGE_HAS_MPI. Without it DRAFTGAUGE_MPI=REQUIRED is an error.
set(DRAFTGAUGE_HAS_MPI OFF)
if(DRAFTGAUGE_MPI AND DRAFTGAUGE_APPS)
  set(MPI_CXX_SKIP_MPICXX TRUE)  # the C interface alone
  find_package(MPI QUIET COMPONENTS CXX)
  set(DRAFTGAUGE_HAS_MPI ${MPI_CXX_FOUND})
  if(MPI_CXX_FOUND)
    # Wrappers of C++ compilers name the C++ interface's library too. And the link to a library in one of the system's
    # folders may be in another, whose path the program would carry.
    set(libraries ${MPI_CXX_LIBRARIES})
    list(FILTER libraries EXCLUDE REGEX "mpi(ch)?_?cxx")
    set_property(TARGET MPI::MPI_CXX PROPERTY INTERFACE_LINK_LIBRARIES "")
    foreach(library IN LISTS libraries)
      file(REAL_PATH "${library}" library)
      set_property(TARGET MPI::MPI_CXX APPEND PROPERTY INTERFACE_LINK_LIBRARIES "${library}")
    endforeach()
  endif()
  if(NOT MPI_CXX_FOUND AND DRAFTGAUGE_MPI STREQUAL "REQUIRED")
    message(FATAL_ERROR "MPI was not found (--mpi needs it) install libopenmpi-dev, or set DRAFTGAUGE_MPI=OFF")
  endif()
endif()
if(DRAFTGAUGE_TESTS)
  find_package(Catch2 2 REQUIRED)
  # The system's Python, for which cmake/packages installs the modules, before one that a version manager puts in PATH.
  find_program(Python3_EXECUTABLE python3 PATHS /usr/bin NO_DEFAULT_PATH)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
endif()
unset(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL)
