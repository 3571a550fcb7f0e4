#include "apps/options/source_options.h"

#include <catch2/catch.hpp>

#include "tests/apps/run.h"
#include "tests/sim/temporary_file.h"

namespace draftgauge {
namespace {

TEST_CASE("rounding is said where there is any") {
  CHECK(rounding_of({}).dump() == R"({"exact":true,"max_tv":0.0,"mean_tv":0.0,"vanished":0})");
  CHECK(rounding_note({}).empty());
  Rounding const some{.max_tv = .25, .mean_tv = .125};
  CHECK(rounding_of(some).dump() == R"({"exact":false,"max_tv":0.25,"mean_tv":0.125,"vanished":0})");
  CHECK(rounding_note(some) ==
        std::vector<std::string>{"The distributions are integers close to the source's: TV at most 2.5e-01."});
  CHECK(rounding_note({.max_tv = .25, .vanished = 3})
            .at(0)
            .ends_with(" Probabilities above 0 that became 0 (tokens that cannot occur): 3."));
}

TEST_CASE("a path that is not UTF-8 is in every format of every command that reads it") {
  TemporaryFile const file("_\xff.json", R"({"p":[[1,0]],"q":[["1/2","1/2"]]})");
  std::string const path = file.path();
  for (char const* command : {"simulate", "exact", "inspect"}) {
    for (char const* format : {"json", "text", "md", "csv", "latex"}) {
      INFO(command << " " << format);
      std::vector<std::string_view> words{command, path, "--format", format, "--quiet"};
      if (command == std::string_view("simulate")) words.insert(words.end(), {"--rounds", "100"});
      Run const done = run(words);
      CHECK(done.status == 0);
      CHECK(done.err == "");
      if (format == std::string_view("json")) CHECK(Json::accept(done.out));
      if (format != std::string_view("csv")) CHECK(done.out.find('\xff') == std::string::npos);
    }
  }
}

TEST_CASE("the memory of distributions is bounded by an option and said") {
  std::vector<std::string_view> words{"simulate", "zipf:vocab=40000", "--rounds", "10", "--quiet", "--memory", "2M"};
  Run const refused = run(words);
  CHECK(refused.status == 3);
  CHECK(refused.out == "");
  CHECK(refused.err.find("1 rows of 40000 tokens need 2.86 MiB (the limit is 2 MiB, which holds 0)\nhint: take a "
                         "smaller vocab, or raise it with --memory") != std::string::npos);
  words.back() = "3M";
  Run const text = run(words);
  CHECK(text.status == 0);
  CHECK(text.out.find("The distributions' tables take 2.86 MiB of memory.") != std::string::npos);
  words.insert(words.end(), {"--format", "json"});
  CHECK(Json::parse(run(words).out)["tables_bytes"] == 36 * 65536 + 16 * 40000);
  words.front() = "verify";
  CHECK(Json::parse(run(words).out)["tables_bytes"] == 36 * 65536 + 16 * 40000);
  words[6] = "lots";
  CHECK(run(words).status == 2);
}

TEST_CASE("a tensor's name cannot speak to the terminal") {
  std::string const header = R"({"a\u001b[2J\nb":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
  TemporaryFile const file(".safetensors", tensor_bytes(header, std::string(4, '\0')));
  std::string const path = file.path();
  for (char const* command : {"simulate", "inspect"}) {
    Run const done = run({command, path});
    CHECK(done.status == 3);
    std::string const said = done.out + done.err;
    CHECK(said.find("a\\x1b[2J\\x0ab") != std::string::npos);
    CHECK(said.find('\x1b') == std::string::npos);
  }
}

}  // namespace
}  // namespace draftgauge
