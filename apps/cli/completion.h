#pragma once
#include <string>
#include <vector>

namespace draftgauge {

/// The lines of a bash script that completes commands, options, choices and files, written from the commands' data.
std::vector<std::string> bash_completion();
std::vector<std::string> zsh_completion();
std::vector<std::string> fish_completion();

}  // namespace draftgauge
