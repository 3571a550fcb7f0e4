#include <sys/resource.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "analysis/figures/figure.h"
#include "tests/apps/figure/figure_run.h"
#include "tests/content.h"
#include "tests/message.h"
#include "tests/variable.h"

namespace draftgauge {
namespace {

namespace fs = std::filesystem;
using testing::message;
using testing::Variable;

/// A program in place of Python.
std::string fake(TemporaryFolder const& folder, std::string const& lines) {
  std::string const path = folder.at("fake");
  std::ofstream(path) << "#!/bin/sh\n" << lines << "\n";
  fs::permissions(path, fs::perms::owner_all);
  return path;
}

TEST_CASE("figure: a page may lie in a folder that is not there yet") {
  if (!renderer_is_here()) {
    WARN("no renderer here: nothing is drawn");
    return;
  }
  TemporaryFolder const folder;
  Run const within = run({"figure", "leviathan-2", "-o", folder.at("new/"), "--index", folder.at("new/index.md")});
  CHECK(within.err == "");
  CHECK(holds(content(folder.at("new/index.md")), "<img src=\"./leviathan-2.svg\""));
  Run const beside =
      run({"figure", "leviathan-2", "-o", folder.at("b/figures/"), "--index", folder.at("b/pages/deep/index.md")});
  CHECK(beside.err == "");
  CHECK(holds(content(folder.at("b/pages/deep/index.md")), "<img src=\"../../figures/leviathan-2.svg\""));
  CHECK(holds(without(folder, within.out), "new/leviathan-2.svg"));
  CHECK(holds(within.out, "KiB"));
  CHECK(holds(figure_refusal({"leviathan-2", "-o", folder.at("c/"), "--index", folder.at("new/index.md/page.md")}, 3),
              "cannot be written (Not a directory)"));
  CHECK_FALSE(fs::exists(folder.at("c")));
}

TEST_CASE("figure: files are written whole or not at all") {
  TemporaryFolder const folder;
  CHECK(run({"figure", "leviathan-2", "-o", folder.at("a.vl.json")}).status == 0);
  CHECK(content(folder.at("a.vl.json")) == run({"figure", "leviathan-2"}).out);
  Run const two =
      run({"figure", "leviathan-2", "leviathan-3", "-o", folder.at("new/deep"), "--formats", "csv,vl.json"});
  CHECK(two.status == 0);
  CHECK(holds(without(folder, two.out), "new/deep/leviathan-3.vl.json"));
  CHECK(fs::exists(folder.at("new/deep/leviathan-2.csv")));

  CHECK(without(folder, figure_refusal({"leviathan-2", "-o", folder.at("a.vl.json/x.csv")}, 3)) ==
        "a.vl.json/x.csv cannot be written (Not a directory)\nhint: choose another place");
  CHECK(without(folder, figure_refusal({"all", "-o", folder.at("a.vl.json/x/")}, 3)) ==
        "a.vl.json/x/ cannot be written (Not a directory)\nhint: choose another place");

  // What a page of --index cannot be written for, none of the figures is; nor is a folder left, or one above it.
  // (Without a renderer there is no page, and the specifications are kept.)
  CHECK(run({"figure", "leviathan-2", "-o", folder.at("away/deep/"), "--formats", "svg,csv", "--index", "/dev/full"})
            .status == 3);
  CHECK(fs::exists(folder.at("away")) != renderer_is_here());

  // A disk that is full: the old file stays, and nothing lies beside it.
  fs::create_directories(folder.at("full"));
  std::ofstream(folder.at("full/leviathan-2.csv")) << "old";
  rlimit before;
  ::getrlimit(RLIMIT_FSIZE, &before);
  rlimit const small{1'000, before.rlim_max};
  auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &small);
  std::string const said =
      without(folder, figure_refusal({"leviathan-2", "-o", folder.at("full/leviathan-2.csv")}, 3));
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  CHECK(said == "full/leviathan-2.csv cannot be written (File too large)\nhint: choose another place");
  CHECK(content(folder.at("full/leviathan-2.csv")) == "old");
  CHECK(std::distance(fs::directory_iterator(folder.at("full")), fs::directory_iterator()) == 1);
}

TEST_CASE("figure: without a renderer the specification is kept and named") {
  TemporaryFolder const folder;
  Variable const none("DRAFTGAUGE_RENDERER", "none");
  Run const done = run({"figure", "leviathan-2", "-o", folder.at("x.svg")});
  CHECK(done.status == 3);
  CHECK(without(folder, done.err) ==
        "error: nothing here draws .svg, .pdf or .png (vl-convert-python does, and no Python was found that has "
        "it), kept instead: x.vl.json\nhint: run make, or pip install vl-convert-python and name that Python in "
        "DRAFTGAUGE_RENDERER\n");
  CHECK_FALSE(fs::exists(folder.at("x.svg")));
  CHECK(content(folder.at("x.vl.json")) == run({"figure", "leviathan-2"}).out);
}

TEST_CASE("figure: a renderer that fails, or talks nonsense, is named with what it says") {
  TemporaryFolder const folder;
  auto const with = [&](std::string const& renderer) {
    Variable const named("DRAFTGAUGE_RENDERER", renderer);
    std::string const said = without(folder, figure_refusal({"leviathan-2", "-o", folder.at("x.svg")}, 3));
    CHECK_FALSE(fs::exists(folder.at("x.svg")));
    return said;
  };
  CHECK(with("/there/is/none") ==
        "DRAFTGAUGE_RENDERER is /there/is/none (it is no Python that has vl_convert)\nhint: name one that "
        "has, or unset it");
  std::string const failed = "the renderer fake failed (";
  std::string const advice = ")\nhint: mend it, or ask for .vl.json or .csv";
  CHECK(with(fake(folder, "exit 9")) ==
        "DRAFTGAUGE_RENDERER is fake (it is no Python that has vl_convert)\nhint: name one that has, or unset "
        "it");
  CHECK(with(fake(folder, "echo lines >&2; echo why >&2; exit 1")) == failed + "why" + advice);
  CHECK(with(fake(folder, "printf 'error 4\\noops'")) == failed + "oops" + advice);
  for (char const* nonsense : {"", "printf 'ok 99\\nabc'", "printf 'ok -1\\nabc'", "printf 'ok\\n'",
                               "printf 'ok 18446744073709551616\\n'"}) {
    CAPTURE(nonsense);
    CHECK(with(fake(folder, nonsense)) == failed + "it says nothing" + advice);
  }
}

TEST_CASE("figure: what is drawn is what it says it is") {
  if (!renderer_is_here()) {
    WARN("no renderer here: nothing is drawn");
    return;
  }
  TemporaryFolder const folder;
  CHECK(run({"figure", "leviathan-2", "-o", folder.at("out/"), "--formats", "svg,pdf,png"}).status == 0);
  CHECK(content(folder.at("out/leviathan-2.svg")).starts_with("<svg "));
  CHECK(content(folder.at("out/leviathan-2.pdf")).starts_with("%PDF-"));
  CHECK(content(folder.at("out/leviathan-2.png")).starts_with("\x89PNG"));
  std::vector<Drawing> const wrong{{{{"mark", "there is none"}}, "svg"}};
  CHECK(holds(message<InputError>([&] { static_cast<void>(draw(wrong)); }), "failed ("));
}

TEST_CASE("figure: nothing is imported from the folder that it is called in") {
  if (!renderer_is_here()) {
    WARN("no renderer here: nothing is drawn");
    return;
  }
  TemporaryFolder const folder;
  for (char const* module : {"json.py", "vl_convert.py"})
    std::ofstream(folder.at(module)) << "open('was_run', 'w')\n";
  fs::path const before = fs::current_path();
  fs::current_path(folder.path());
  int const status = run({"figure", "leviathan-2", "-o", folder.at("x.svg")}).status;
  fs::current_path(before);
  CHECK(status == 0);
  CHECK_FALSE(fs::exists(folder.at("was_run")));
}

TEST_CASE("figure: a page links to specifications only where they are") {
  if (!renderer_is_here()) {
    WARN("no renderer here: nothing is drawn");
    return;
  }
  TemporaryFolder const folder;
  for (bool const specified : {false, true}) {
    CHECK(run({"figure", "leviathan-2", "-o", folder.at("out/"), "--formats", specified ? "svg,vl.json" : "svg",
               "--index", folder.at("page.md")})
              .status == 0);
    std::string const page = content(folder.at("page.md"));
    CHECK(holds(page, "<img src=\"out/leviathan-2.svg\""));
    CHECK((page.find("(out/leviathan-2.vl.json)") != page.npos) == specified);
  }
}

TEST_CASE("docs/gallery holds every figure and table, fresh") {
  fs::path const docs = fs::path(DRAFTGAUGE_SOURCE_DIR) / "docs";
  TemporaryFolder const folder;
  INFO("written by: make docs");
  std::string const formats = renderer_is_here() ? "svg,vl.json" : "vl.json";
  std::vector<std::string> words{"figure", "all", "-o", folder.at("gallery/"), "--formats", formats};
  if (renderer_is_here()) words.insert(words.end(), {"--index", folder.at("gallery.md")});
  REQUIRE(run(std::vector<std::string_view>(words.begin(), words.end())).status == 0);
  std::size_t files = 0;
  for (auto const& entry : fs::directory_iterator(folder.at("gallery"))) {
    CAPTURE(entry.path().filename());
    CHECK(content(entry.path()) == content(docs / "gallery" / entry.path().filename()));
    CHECK(fs::file_size(entry.path()) < 110'000);
    ++files;
  }
  CHECK(files == figure_cards().size() * (renderer_is_here() ? 2 : 1));
  std::string const page = content(docs / "gallery.md");
  for (FigureCard const& card : figure_cards()) {
    std::string const name(card.name);
    CAPTURE(name);
    CHECK(fs::exists(docs / "gallery" / (name + ".svg")));
    CHECK(holds(page, "<img src=\"gallery/" + name + ".svg\""));
    CHECK(holds(page, "draftgauge figure " + name + " -o " + name + ".pdf"));
  }
  std::string const tables = run({"table", "all", "--format", "md"}).out;
  CHECK(page.ends_with(tables));
  if (renderer_is_here())
    CHECK(page.substr(0, page.size() - std::min(tables.size(), page.size())) == content(folder.at("gallery.md")));
}

}  // namespace
}  // namespace draftgauge
