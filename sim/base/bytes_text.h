#pragma once
#include <cstdint>
#include <string>

namespace draftgauge {

/// An amount of memory for readers, to four digits: "144 bytes", "20.5 MiB", "13 GiB".
std::string bytes_text(std::uint64_t bytes);

}  // namespace draftgauge
