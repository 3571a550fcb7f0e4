#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace draftgauge {

/// Throws InputError where a file could not be written at the path, so that a long run does not end in that message.
void require_writable(std::string const& path);

/// The same of a folder that may have to be made, with those above it.
void require_writable_folder(std::string const& path);

/// The same of where results go: a folder, or a file where there is none.
template <class Files>
  requires requires(Files const& files) { files.folder.empty(); }
void require_writable(Files const& files) {
  if (files.folder.empty())
    require_writable(files.file);
  else
    require_writable_folder(files.folder);
}

/// Writes the file whole or not at all: into a new file beside it, forced to the disk, then renamed. A device such as
/// /dev/null is written to directly. Throws InputError that names the path and what the system says.
void write_whole(std::string const& path, std::string_view text);

struct FileText {
  std::string path, text;
};
/// Several files whole, or none of them: all are on the disk, under other names, before the first takes its own.
void write_whole(std::span<FileText const> files);
/// The same, in a folder that is made first, with those above it, where it is not there: where the files cannot be
/// written, what was made goes again. An empty name is no folder.
void write_whole(std::string const& folder, std::span<FileText const> files);
void write_whole(std::vector<std::string> const& folders, std::span<FileText const> files);

}  // namespace draftgauge
