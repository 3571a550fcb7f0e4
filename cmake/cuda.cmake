# Enables CUDA for the whole project where DRAFTGAUGE_CUDA wants it. DRAFTGAUGE_HAS_CUDA says whether it is enabled.
#   AUTO      for the devices at hand alone, where nvcc is found: nothing is compiled that this machine cannot run
#   ON        for every device since sm_80, where nvcc is found (two thirds of all compile time)
#   REQUIRED  the same, and an error where nvcc is not found
#   OFF       never; AUTO means this in a project that includes draftgauge
# It is included at the top, since the programs that link the CUDA backend live in other folders.
set(DRAFTGAUGE_HAS_CUDA OFF)
if(NOT DRAFTGAUGE_CUDA OR (DRAFTGAUGE_CUDA STREQUAL "AUTO" AND NOT PROJECT_IS_TOP_LEVEL))
  return()
endif()
if(DRAFTGAUGE_CUDA STREQUAL "AUTO" AND NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  # One line for each device, as "9.0". Devices before 8.0 are left out, as ON leaves them out.
  execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
                  OUTPUT_VARIABLE devices ERROR_QUIET RESULT_VARIABLE failure)
  string(REGEX MATCHALL "[0-9]+\\.[0-9]" devices "${devices}")
  list(FILTER devices EXCLUDE REGEX "^[0-7]\\.")
  if(failure OR NOT devices)
    message(STATUS "No CUDA device found: the CUDA backend is left out (-DDRAFTGAUGE_CUDA=ON compiles it)")
    return()
  endif()
  list(REMOVE_DUPLICATES devices)
  list(TRANSFORM devices REPLACE "\\." "")
  list(TRANSFORM devices APPEND "-real")
  set(CMAKE_CUDA_ARCHITECTURES ${devices})
endif()
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 80-real 90)  # code for sm_80 and sm_90, and PTX for what comes after
endif()
include(CheckLanguage)
check_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER)
  if(DRAFTGAUGE_CUDA STREQUAL "REQUIRED")
    message(FATAL_ERROR "nvcc was not found (it compiles what runs on a CUDA device) install the CUDA Toolkit, or put "
                        "the folder of its nvcc into PATH")
  endif()
  return()
endif()
if(CMAKE_VERSION VERSION_LESS 3.26)
  # CMake 3.25 believes that nvcc ends at C++17. To be set before the language is enabled.
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
endif()
set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
enable_language(CUDA)
set(CMAKE_CUDA_STANDARD 20)
set(DRAFTGAUGE_HAS_CUDA ON)
