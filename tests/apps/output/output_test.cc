#include "apps/output/output.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <vector>

#include "sim/base/error.h"

#include "tests/content.h"
#include "tests/temporary_folder.h"

namespace draftgauge {
namespace {

namespace fs = std::filesystem;

TEST_CASE("a file is replaced whole, without leftovers") {
  TemporaryFolder const folder;
  std::string const path = folder.path() / "result";
  write_whole(path, "first");
  write_whole(path, "second");
  CHECK(content(path) == "second");
  CHECK(folder.names().size() == 1);
}

TEST_CASE("several files are written, or none of them") {
  TemporaryFolder const folder;
  std::vector<FileText> files{{folder.path() / "a", "1"}, {folder.path() / "b", "2"}};
  write_whole(files);
  CHECK(content(folder.path() / "a") == "1");
  CHECK(content(folder.path() / "b") == "2");
  files = {{folder.path() / "a", "3"}, {folder.path() / "c", "4"}, {folder.path() / "absent" / "d", "5"}};
  CHECK_THROWS_AS(write_whole(files), InputError);
  CHECK(content(folder.path() / "a") == "1");
  CHECK(folder.names().size() == 2);
}

TEST_CASE("a folder is made with those above it, where that is allowed") {
  TemporaryFolder const folder;
  std::string const deep = folder.path() / "x" / "y";
  require_writable_folder(deep);
  CHECK_FALSE(fs::exists(deep));
  std::vector<FileText> files{{deep + "/a", "1"}, {folder.path() / "absent" / "b", "2"}};
  CHECK_THROWS_AS(write_whole(deep + "/", files), InputError);
  CHECK(folder.names().empty());  // x has gone with y
  files.pop_back();
  write_whole(deep, files);
  CHECK(content(deep + "/a") == "1");
  CHECK_THROWS_AS(write_whole(std::string(folder.path() / "x" / "y" / "a" / "z"), files), InputError);
  files[0].path = folder.path() / "absent" / "b";
  CHECK_THROWS_AS(write_whole(deep, files), InputError);
  CHECK(content(deep + "/a") == "1");  // what was there stays
  write_whole(folder.path() / "file", "");
  CHECK_THROWS_WITH(
      require_writable_folder(folder.path() / "file" / "x"),
      (folder.path() / "file" / "x").string() + " cannot be written (Not a directory) choose another place");
}

TEST_CASE("a link stays a link, a device stays a device") {
  TemporaryFolder const folder;
  fs::path const real = folder.path() / "real";
  fs::path const link = folder.path() / "link";
  write_whole(real, "old");
  fs::create_symlink("real", link);
  write_whole(link, "new");
  CHECK(fs::is_symlink(link));
  CHECK(content(real) == "new");
  write_whole("/dev/null", "text");
  CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("a disk that fills leaves the old file as it was") {
  TemporaryFolder const folder;
  std::string const path = folder.path() / "result";
  write_whole(path, "old");
  rlimit before;
  ::getrlimit(RLIMIT_FSIZE, &before);
  auto const handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit const small{1000, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  std::string message;
  try {
    write_whole(path, std::string(5000, 'x'));
  } catch (InputError const& e) {
    message = e.what();
  }
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  CHECK(message == path + " cannot be written (File too large) choose another place");
  CHECK(content(path) == "old");
  CHECK(folder.names().size() == 1);
}

TEST_CASE("a place that cannot be written is known before the work") {
  TemporaryFolder const folder;
  CHECK_NOTHROW(require_writable(folder.path() / "new"));
  CHECK_NOTHROW(require_writable("new_in_this_folder"));
  CHECK(folder.names().empty());
  CHECK_THROWS_WITH(require_writable("/nonexistent/new/x"),
                    "/nonexistent/new/x cannot be written (there is no folder '/nonexistent') make the folder, or "
                    "choose another place");
  CHECK_THROWS_WITH(require_writable(folder.path()),
                    folder.path().native() + " cannot be written (Is a directory) choose another place");
  CHECK_THROWS_WITH(require_writable(""), "'' cannot be written (No such file or directory) choose another place");
  if (::geteuid() != 0) {  // root may write anywhere
    fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec);
    CHECK_THROWS_WITH(
        require_writable(folder.path() / "new"),
        (folder.path() / "new").native() + " cannot be written (Permission denied) choose another place");
    fs::permissions(folder.path(), fs::perms::owner_all);
  }
}

}  // namespace
}  // namespace draftgauge
