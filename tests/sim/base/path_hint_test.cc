#include "sim/base/path_hint.h"

#include <catch2/catch.hpp>
#include <fstream>

#include "tests/sim/temporary_file.h"

namespace draftgauge {
namespace {

namespace fs = std::filesystem;

TEST_CASE("a path that is not there has the nearest name of its folder as a hint") {
  TemporaryFile const place("", "");
  fs::path const folder = place.path() + ".d";
  fs::create_directories(folder / "smollm2");
  std::ofstream(folder / "costs.csv") << "x";
  std::ofstream(folder / "prune2_T1.tsv") << "x";
  CHECK(path_hint(folder / "cost.csv") == "did you mean '" + (folder / "costs.csv").string() + "'?");
  CHECK(path_hint(folder / "Prune2_t1.tsv") == "did you mean '" + (folder / "prune2_T1.tsv").string() + "'?");
  CHECK(path_hint("https://host/metrics?a=1&b=$(x)") ==
        "fetch it first: curl -o page.txt 'https://host/metrics?a=1&b=$(x)'");
  CHECK(path_hint(folder / "absent") == "check the path");
  CHECK(path_hint("http://host:8000/metrics") == "fetch it first: curl -o page.txt http://host:8000/metrics");
  CHECK(path_hint(folder / "smolm2/x.tsv") == "did you mean '" + (folder / "smollm2").string() + "'?");
  CHECK(path_hint(folder / "a/b/x.tsv") == "there is no folder '" + (folder / "a").string() + "'");
  CHECK(missing_folder(folder / "a/b/x.tsv") == folder / "a");
  CHECK(missing_folder(folder / "x.tsv").empty());
  CHECK(missing_folder("x.tsv").empty());
  CHECK(missing_folder("no/x.tsv") == "no");
  CHECK(missing_folder("").empty());
  fs::remove_all(folder);
}

}  // namespace
}  // namespace draftgauge
