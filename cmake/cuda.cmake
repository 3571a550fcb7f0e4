# Enables CUDA for the whole project where it is wanted and nvcc is found; DRAFTGAUGE_HAS_CUDA says whether it is. Without
# nvcc DRAFTGAUGE_CUDA=REQUIRED is an error.
# It is included at the top, since the programs that link the CUDA backend live in other folders.
set(DRAFTGAUGE_HAS_CUDA OFF)
if(NOT DRAFTGAUGE_CUDA)
  return()
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
