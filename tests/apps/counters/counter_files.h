#pragma once
#include <string>

/// Files of tests/data/counters, as words of a command line.
namespace draftgauge {

inline std::string at(std::string const& name) { return DRAFTGAUGE_SOURCE_DIR "/tests/data/counters/" + name; }
/// Two scrapes of one server.
inline std::string const scrapes = at("vllm_cpu_before.txt") + " " + at("vllm_cpu_after.txt");

}  // namespace draftgauge
