#pragma once
#include <sys/stat.h>

#include <filesystem>

namespace draftgauge {

/// Whether a path is read as an input is: a regular file, or what gives its bytes but once (a pipe, a socket).
bool is_input_file(std::filesystem::path const& path);

/// Whether bytes come from there once only, to whoever asks first.
bool comes_once(struct stat const& status);

/// What comes from there up to its end, which is waited for: a descriptor of a file without a name that holds it
/// until the process ends, so that an input may be looked at as often as a regular file. Throws InputError where
/// there is no room. descriptor: of what `status` is of.
int kept_input(std::filesystem::path const& path, int descriptor, struct stat const& status);

}  // namespace draftgauge
