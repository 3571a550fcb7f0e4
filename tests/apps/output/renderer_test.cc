#include "apps/output/renderer.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

#include "tests/message.h"
#include "tests/temporary_folder.h"
#include "tests/variable.h"

namespace draftgauge {
namespace {

namespace fs = std::filesystem;
using Told = std::pair<std::uint64_t, std::uint64_t>;

/// A program in place of Python, while this object lives.
struct FakeRenderer {
  TemporaryFolder folder;
  std::string path = folder.at("fake");
  testing::Variable named{"DRAFTGAUGE_RENDERER", path};

  explicit FakeRenderer(std::string const& lines) {
    std::ofstream(path) << "#!/bin/sh\n" << lines << "\n";
    fs::permissions(path, fs::perms::owner_all);
  }
};

std::vector<Drawing> drawings(std::size_t count) {
  Json const spec = {{"data", {{"values", {{{"a", 1}}}}}}, {"mark", "point"}};
  return std::vector<Drawing>(count, Drawing{spec, "svg"});
}

TEST_CASE("renderer: one line says how to get one, where the program is built or installed") {
  CHECK(how_to_draw(std::nullopt) ==
        "run make, or pip install vl-convert-python and name that Python in DRAFTGAUGE_RENDERER");
  CHECK(how_to_draw(fs::path("/usr/share/draftgauge")) ==
        "python3 -m venv /usr/share/draftgauge/renderer && /usr/share/draftgauge/renderer/bin/pip install "
        "vl-convert-python");
  TemporaryFolder const package;
  std::ofstream(package.at("__init__.py")) << "\n";
  CHECK(how_to_draw(package.path() / "share" / "draftgauge") ==
        "pip install vl-convert-python beside the package draftgauge");
}

TEST_CASE("renderer: it is told how many drawings are done while the others are still drawn") {
  // The fake goes on only when the program has told that one is done; it gives up after 20 seconds.
  FakeRenderer const fake(
      "printf . >&3; n=0; while [ ! -e \"$(dirname \"$0\")/go\" ]; do\n"
      "  n=$((n + 1)); [ $n -gt 200 ] && { echo 'nobody was told' >&2; exit 1; }; sleep .1\ndone\n"
      "printf . >&3; printf 'ok 1\\naok 2\\nbc'");
  std::vector<Told> told;
  auto const files = draw(drawings(2), [&](std::uint64_t done, std::uint64_t total) {
    told.emplace_back(done, total);
    if (done == 1) std::ofstream(fake.folder.at("go")) << "go";
  });
  CHECK(files == std::vector<std::string>{"a", "bc"});
  CHECK(std::ranges::is_sorted(told));
  CHECK(std::ranges::count(told, Told(1, 2)) > 0);
  CHECK(told.back() == Told(2, 2));
}

TEST_CASE("renderer: a mark too many or none at all is no harm") {
  for (char const* marks : {"", "printf ........ >&3; "}) {
    FakeRenderer const fake(std::string(marks) + "printf 'ok 1\\na'");
    std::uint64_t most = 0;
    auto const files = draw(drawings(1), [&](std::uint64_t done, std::uint64_t) { most = std::max(most, done); });
    CHECK(files == std::vector<std::string>{"a"});
    CHECK(most == (*marks ? 1 : 0));
  }
}

TEST_CASE("renderer: one that fails is named, whoever is told how far it came") {
  FakeRenderer const fake("printf . >&3; echo why >&2; exit 1");
  auto const drawn = [](std::uint64_t, std::uint64_t) {};
  CHECK(testing::message<InputError>([&] { static_cast<void>(draw(drawings(2), drawn)); }) ==
        "the renderer " + fake.path + " failed (why) mend it, or ask for .vl.json or .csv");
}

TEST_CASE("renderer: vl-convert tells of each drawing") {
  std::vector<Told> told;
  auto const files =
      draw(drawings(3), [&](std::uint64_t done, std::uint64_t total) { told.emplace_back(done, total); });
  if (!files) {
    WARN("no renderer here: nothing is drawn");
    return;
  }
  CHECK(files->size() == 3);
  CHECK(std::ranges::is_sorted(told));
  CHECK(told.back() == Told(3, 3));
}

}  // namespace
}  // namespace draftgauge
