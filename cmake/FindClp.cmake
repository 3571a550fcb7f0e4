# Clp::Clp, the solver of linear programs (COIN-OR), which brings no CMake package of its own in Debian 12.
find_path(Clp_INCLUDE_DIR ClpSimplex.hpp PATH_SUFFIXES coin)
find_library(Clp_LIBRARY Clp)
find_library(Clp_CoinUtils_LIBRARY CoinUtils)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Clp REQUIRED_VARS Clp_LIBRARY Clp_CoinUtils_LIBRARY Clp_INCLUDE_DIR)
if(Clp_FOUND AND NOT TARGET Clp::Clp)
  add_library(Clp::Clp UNKNOWN IMPORTED)
  set_target_properties(Clp::Clp PROPERTIES IMPORTED_LOCATION "${Clp_LIBRARY}"
                                            INTERFACE_INCLUDE_DIRECTORIES "${Clp_INCLUDE_DIR}"
                                            INTERFACE_LINK_LIBRARIES "${Clp_CoinUtils_LIBRARY}")
  if(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL)
    set_target_properties(Clp::Clp PROPERTIES IMPORTED_GLOBAL TRUE)
  endif()
endif()
