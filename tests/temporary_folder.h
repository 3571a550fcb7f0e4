#pragma once
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace draftgauge {

/// A folder of its own, gone with this object and all that is in it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    static int number = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("draftgauge_test_folder_" + std::to_string(::getpid()) + "_" + std::to_string(number++));
    std::filesystem::create_directory(path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all, ignored);  // which a test may have taken
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(TemporaryFolder const&) = delete;
  TemporaryFolder& operator=(TemporaryFolder const&) = delete;

  std::filesystem::path const& path() const { return path_; }
  std::string at(std::string const& name) const { return (path_ / name).string(); }
  /// Names of what is in it, or in a folder below it, sorted.
  std::vector<std::string> names(std::string const& below = "") const {
    std::vector<std::string> all;
    for (auto const& entry : std::filesystem::directory_iterator(path_ / below))
      all.push_back(entry.path().filename().string());
    std::ranges::sort(all);
    return all;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace draftgauge
