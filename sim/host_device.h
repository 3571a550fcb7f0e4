#pragma once

/// Marks what runs on the CPU and on a GPU from the same source. Plain C++ compilers see nothing.
#if defined(__CUDACC__)
#define DRAFTGAUGE_HD __host__ __device__
#else
#define DRAFTGAUGE_HD
#endif
