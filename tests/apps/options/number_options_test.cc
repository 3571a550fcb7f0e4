#include "apps/options/number_options.h"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <sstream>

#include "sim/base/error.h"
#include "tests/apps/run.h"
#include "tests/message.h"
#include "tests/sim/named_pipe.h"
#include "tests/sim/temporary_file.h"

namespace draftgauge {
namespace {

/// What require_file says of a text.
template <class E>
std::string refused(std::string const& text) {
  return testing::message<E>([&] { require_file("--cost", text, "a number", "c is a time", ".05"); });
}

bool named(std::string const& text) {
  Command command;
  command.groups = {{"", {{.name = "--cost", .kind = Kind::text}}}};
  std::ostringstream err;
  return names_file(Invocation(command, {{"--cost", {text}}}, err, nullptr), "--cost");
}

TEST_CASE("what begins like a number and is none is said to be no number, not to be no file") {
  for (char const* text : {"0.1x", ".5c", "1.0.2", "-1.x", "+.5.", "0.1.2.3"}) {
    INFO(text);
    CHECK(refused<UsageError>(text) == "--cost: '" + std::string(text) +
                                           "' is neither a number nor a file (c is a time, or is taken from measured "
                                           "times) give .05, or a file of llama-bench");
  }
  for (std::string const text : {"absent.csv", "costs.v2.json", "./0.1x", "no/costs", "1/costs.json"}) {
    INFO(text);
    std::string const folder = text.substr(0, text.find('/'));
    CHECK(refused<InputError>(text) ==
          text + ": there is no such file (--cost is a number, or measured times) " +
              (!text.starts_with("./") && folder != text ? "there is no folder '" + folder + "'" : "check the path"));
  }
  Run const got = run_line("gamma --alpha .8 --cost 0.1x");
  CHECK(got.status == 2);
  CHECK(got.err.starts_with("error: --cost: '0.1x' is neither a number nor a file"));
}

TEST_CASE("one rule says what is taken for a file, be it a pipe or a folder") {
  TemporaryFile const file(".json", "{}");
  NamedPipe const pipe("no costs");
  std::string const folder = std::filesystem::temp_directory_path();
  for (std::string const& path : {file.path(), pipe.path(), folder}) {
    INFO(path);
    CHECK(named(path));
    CHECK_NOTHROW(require_file("--cost", path, "a number", "c is a time", ".05"));
  }
  CHECK_FALSE(named(file.path() + ".absent"));
  CHECK_FALSE(named(".1"));
  // Who reads it says what it is.
  CHECK(run_line("gamma --alpha .8 --cost " + pipe.path()).err.starts_with("error: " + pipe.path()));
  CHECK(run_line("gamma --alpha .8 --format json --cost " + folder)
            .err.starts_with("error: " + folder + ": it is a folder ("));
}

}  // namespace
}  // namespace draftgauge
