# What every target of ours is compiled with. Results must not depend on the machine, so floating point is never
# contracted (no fused multiply-add) and no target is tuned to the machine that builds it.
if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
  endif()
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  find_program(DRAFTGAUGE_CCACHE ccache)
  mark_as_advanced(DRAFTGAUGE_CCACHE)
  if(DRAFTGAUGE_CCACHE)  # (not among the packages: what it saves comes with the second build of a file, not the first)
    # Precompiled headers define what they define, whatever ccache sees of it.
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros
                                    "${DRAFTGAUGE_CCACHE}")
    set(CMAKE_CUDA_COMPILER_LAUNCHER "${DRAFTGAUGE_CCACHE}")
  endif()
endif()
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")

# The folder from which "draftgauge/draftgauge.h" and "draftgauge/sim/x.h" are found, as they are after installation.
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/include/draftgauge")
foreach(layer IN ITEMS sim analysis gpu)
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/${layer}" "${PROJECT_BINARY_DIR}/include/draftgauge/${layer}" SYMBOLIC)
endforeach()
file(CREATE_LINK "${PROJECT_SOURCE_DIR}/analysis/draftgauge.h" "${PROJECT_BINARY_DIR}/include/draftgauge/draftgauge.h"
     SYMBOLIC)

# draftgauge_target(NAME): our language level and warnings for the target; for a library its alias draftgauge::SHORT,
# and its headers' roots: of the tree, whose files name each other "sim/x.h", and of what is installed, "draftgauge/sim/x.h".
function(draftgauge_target name)
  set_target_properties(${name} PROPERTIES CXX_EXTENSIONS OFF CUDA_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  get_target_property(type ${name} TYPE)
  if(NOT type STREQUAL "EXECUTABLE")
    string(REPLACE "draftgauge_" "" short ${name})
    add_library(draftgauge::${short} ALIAS ${name})
    set_target_properties(${name} PROPERTIES EXPORT_NAME ${short})
    target_include_directories(${name} PUBLIC
      $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
      $<INSTALL_INTERFACE:include>)
  endif()
  target_compile_features(${name} PUBLIC cxx_std_20)
  set(warnings -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
    # Both are false: for "x" + std::string (GCC bug 105651), and in the destructors of Boost.Multiprecision at -O3.
    list(APPEND warnings -Wno-restrict -Wno-maybe-uninitialized)
  elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    list(APPEND warnings -Wno-deprecated-declarations)  # libstdc++ 12 uses its own deprecated functions
  endif()
  set(flags -ffp-contract=off)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC collects garbage from 1 GB on, not before: a tenth less time for a tenth more memory.
    list(APPEND flags --param=ggc-min-heapsize=1048576)
  endif()
  target_compile_options(${name} PRIVATE
    "$<$<COMPILE_LANGUAGE:CXX>:${warnings};${flags}>"
    "$<$<COMPILE_LANGUAGE:CUDA>:--fmad=false;--expt-relaxed-constexpr;-Xcompiler=-Wall,-Wextra,-ffp-contract=off>")
  if(DRAFTGAUGE_WERROR)
    target_compile_options(${name} PRIVATE
      $<$<COMPILE_LANGUAGE:CXX>:-Werror>
      "$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-Werror all-warnings -Xcompiler=-Werror>")
  endif()
endfunction()

# draftgauge_precompile(NAME HEADER...): what most of the target's files include, read once. That each file includes what it
# needs is what the target headers_alone and other compilers' builds tell.
# `REUSE_FROM OTHER` in place of headers: those of another target, which is compiled in the same way.
function(draftgauge_precompile name)
  if(ARGV1 STREQUAL "REUSE_FROM")
    target_precompile_headers(${name} ${ARGN})
  else()
    target_precompile_headers(${name} PRIVATE ${ARGN})
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND DRAFTGAUGE_CCACHE)
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)  # else ccache gives up
  endif()
endfunction()

# draftgauge_by_folder(NAME [ONLY FOLDER...] [TOGETHER FOLDER...]): where DRAFTGAUGE_UNITY is on, the files of a folder are
# compiled as one unit, whose headers are read once; of the folders TOGETHER, all. So the names of a unit's files, those in
# anonymous namespaces too, must differ.
function(draftgauge_by_folder name)
  cmake_parse_arguments(PARSE_ARGV 1 by "" "" "ONLY;TOGETHER")
  get_target_property(sources ${name} SOURCES)
  list(FILTER sources EXCLUDE REGEX "^\\$<")  # other targets' objects
  get_target_property(root ${name} SOURCE_DIR)
  foreach(source IN LISTS sources)
    get_filename_component(folder "${source}" DIRECTORY)
    file(RELATIVE_PATH folder "${root}" "${folder}")
    if(folder IN_LIST by_TOGETHER)
      set(folder "${by_TOGETHER}")
    endif()
    string(MAKE_C_IDENTIFIER "folder_${folder}" group)
    if(NOT by_ONLY OR folder IN_LIST by_ONLY)  # a source without a group is a unit of its own
      set_property(SOURCE "${source}" PROPERTY UNITY_GROUP ${group})
    endif()
  endforeach()
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${DRAFTGAUGE_UNITY} UNITY_BUILD_MODE GROUP)
  if(DRAFTGAUGE_UNITY)
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-shadow>)  # a local name may be another file's
  endif()
endfunction()

# draftgauge_optimise(NAME LEVEL): of a release, for a target whose own time does not matter as much as that of compiling it.
function(draftgauge_optimise name level)
  target_compile_options(${name} PRIVATE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:${level}>)
endfunction()
