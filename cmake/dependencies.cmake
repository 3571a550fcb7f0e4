# All that is taken from elsewhere, found once for all folders. Global, since a project that adds this one as a folder
# links these targets from outside of it.
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)
find_package(Threads REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(Boost 1.74 REQUIRED)
find_package(Eigen3 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Clp REQUIRED)
find_package(ZLIB REQUIRED)
find_package(fmt REQUIRED)
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
  find_package(tomlplusplus REQUIRED)  # its headers only: nothing of it is linked
endif()
if(DRAFTGAUGE_TESTS)
  find_package(Catch2 2 REQUIRED)
  # The system's Python, for which cmake/packages installs the modules, before one that a version manager puts in PATH.
  find_program(Python3_EXECUTABLE python3 PATHS /usr/bin NO_DEFAULT_PATH)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
endif()
unset(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL)
