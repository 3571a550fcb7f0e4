#include "sim/base/path_hint.h"

#include <algorithm>
#include <string_view>
#include <system_error>
#include <vector>

#include "sim/base/names.h"
#include "sim/base/shell_word.h"

namespace draftgauge {
namespace {

namespace fs = std::filesystem;

/// Names in a folder, in order; of a large folder those that are met first.
std::vector<std::string> names_of_files_in(fs::path const& folder) {
  constexpr std::size_t most = 10'000;
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(folder.empty() ? "." : folder, error), end;
       !error && at != end && names.size() < most; at.increment(error))
    names.push_back(at->path().filename().string());
  std::ranges::sort(names);
  return names;
}

}  // namespace

fs::path missing_folder(fs::path const& path) {
  fs::path missing;
  std::error_code error;
  for (fs::path at = path.parent_path(); !at.empty() && !fs::exists(at, error) && at != missing;
       at = at.parent_path())
    missing = at;
  return missing;
}

std::string path_hint(fs::path const& path) {
  for (std::string_view const scheme : {"http://", "https://"})
    if (path.string().starts_with(scheme)) return "fetch it first: curl -o page.txt " + shell_word(path.string());
  fs::path const folder = missing_folder(path);
  fs::path const& absent = folder.empty() ? path : folder;
  std::vector<std::string> const names = names_of_files_in(absent.parent_path());
  std::vector<std::string_view> const known(names.begin(), names.end());
  std::string const name = absent.filename().string();
  if (auto const near = nearest_names(name, known); !near.empty())
    return "did you mean " + shell_quoted((absent.parent_path() / near.front()).string()) + "?";
  return folder.empty() ? "check the path" : "there is no folder '" + folder.string() + "'";
}

}  // namespace draftgauge
