#include "analysis/open/read_recording.h"

#include <catch2/catch.hpp>

#include "tests/message.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

std::string const columns = DRAFTGAUGE_SOURCE_DIR "/data/smollm2/prune2_T1.tsv",
                  other = DRAFTGAUGE_SOURCE_DIR "/data/smollm2/q2k_T1.tsv",
                  rows = DRAFTGAUGE_SOURCE_DIR "/data/smollm2_prune2_24.safetensors";

}  // namespace

TEST_CASE(
    "recorded: rows at the text's own temperature are on-policy, at another off, and the text is checked at its "
    "own") {
  Recorded const own = read_recording({rows});
  CHECK(own.policy == Policy::on);
  CHECK(own.target->temperature == 1);
  CHECK_FALSE(own.as_written);
  RecordingFiles const files{rows, {}, true};
  auto const both = read_rows(files, {.temperatures = {1, .6}, .draft_temperature = .5}, 2);
  REQUIRE(both.size() == 2);
  CHECK(both[0].policy == Policy::on);
  CHECK(both[1].policy == Policy::off);
  CHECK(both[1].as_written);
  CHECK(both[1].target->temperature == .6);
  CHECK(both[1].draft->temperature == .5);
  CHECK(both[1].trace.name == "smollm2_prune2_24.safetensors at T=0.6");
}

TEST_CASE("recorded: who watches is told of all rows") {
  std::vector<std::string> began;
  std::uint64_t most = 0;
  auto const watch = [&](std::string const& doing, std::uint64_t total) {
    began.push_back(doing + " " + std::to_string(total));
    return [&most](std::uint64_t done) { most = std::max(most, done); };
  };
  read_rows({rows, {}, true}, {.temperatures = {.6}}, 1, watch);
  CHECK(began.size() == 2);
  CHECK(began.front() == "measure smollm2_prune2_24.safetensors 24");
  CHECK(most == 24);
}

TEST_CASE("recorded: more than one recording, or temperature, is not one") {
  CHECK(message([] { read_recording({columns, other}); }) ==
        "2 recordings at 1 temperature (one is read at a time) name the files of one, and one temperature");
  CHECK(message([] { read_recording({rows}, {.temperatures = {1, .6}}); }) ==
        "1 recording at 2 temperatures (one is read at a time) name the files of one, and one temperature");
  CHECK(message([] { recording_files({columns, columns}); }) ==
        columns + " is named twice (beside itself a recording says nothing) name each once");
  CHECK(
      message<InputError>([] { read_recording({rows}, {.text = {.prompt_tokens = {}, .temperature = .6}}); }) ==
      rows +
          ": its text was written at temperature 1, as it says itself, and not 0.6 (one of the two is wrong) ask for "
          "none that it was written at");
}
