#pragma once
#include <string>

namespace draftgauge {

/// The manual page draftgauge(1), in roff: every command and its options, from the same data as help.
std::string man_page();

}  // namespace draftgauge
