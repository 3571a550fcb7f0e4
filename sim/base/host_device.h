#pragma once

/// DRAFTGAUGE_HD marks what runs on the CPU and on a GPU from the same source, DRAFTGAUGE_CALLED what device code calls
/// instead of copying it into each of the many rules, over which the device's compiler would sit for many minutes.
/// Plain C++ compilers see nothing. DRAFTGAUGE_APART marks what either calls, DRAFTGAUGE_SELDOM what is hardly ever
/// called: hot code is then short enough to be laid out in line, and quick to compile. DRAFTGAUGE_FLAT lays all that
/// a host's function calls out in it; not on Thrust's host systems, which stand in for a device and are in no hurry.
///
/// A unit that defines DRAFTGAUGE_IN_LINE before has its device code copied all the same, but for what is seldom: what
/// a call takes by reference stands in memory, and in line it stands in registers (gpu/thrust/plain_rounds.inl).
/// DRAFTGAUGE_COPIED marks lambdas that are copied there too.
#if defined(__CUDACC__)
#define DRAFTGAUGE_HD __host__ __device__
#define DRAFTGAUGE_SELDOM __noinline__
#define DRAFTGAUGE_FLAT
#ifdef DRAFTGAUGE_IN_LINE
#define DRAFTGAUGE_CALLED __forceinline__
#define DRAFTGAUGE_APART __forceinline__
#define DRAFTGAUGE_COPIED __attribute__((always_inline))
#else
#define DRAFTGAUGE_CALLED __noinline__
#define DRAFTGAUGE_APART __noinline__
#define DRAFTGAUGE_COPIED
#endif
#else
#define DRAFTGAUGE_HD
#define DRAFTGAUGE_CALLED
#define DRAFTGAUGE_SELDOM __attribute__((noinline, cold))
#define DRAFTGAUGE_APART __attribute__((noinline))
#define DRAFTGAUGE_COPIED
#ifdef DRAFTGAUGE_THRUST_NAMESPACE
#define DRAFTGAUGE_FLAT
#else
#define DRAFTGAUGE_FLAT __attribute__((flatten))
#endif
#endif
