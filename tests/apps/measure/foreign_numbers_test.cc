#include "tests/apps/measure/measure_run.h"

/// Files as spreadsheets and Python write them, and logarithms that are not natural.
namespace draftgauge {
namespace {

std::string const recordings = DRAFTGAUGE_SOURCE_DIR "/tests/data/recordings/";

}  // namespace

TEST_CASE("measure: a German spreadsheet's table, and completions with Python's minus infinity") {
  nlohmann::json const table = measured({recordings + "spreadsheet.csv", "--gamma", "4", "--cost", ".1"});
  CHECK((table["tokens"] == 500 && value(table["mean_a"]) == Approx(.7776).margin(5e-5)));
  nlohmann::json const lists = measured({recordings + "minus_infinity_target.jsonl",
                                         recordings + "minus_infinity_draft.jsonl", "--recorded-temperature", "1"});
  CHECK((lists["tokens"] == 180 && value(lists["mean_a"]) == Approx(.7770).margin(5e-5)));
}

TEST_CASE("measure: logarithms to base 2 are converted where they are said to be") {
  TemporaryFile const table(".csv", "seq,log2p,log2q\n0,-1,-2\n0,-2,-0.5\n");
  CHECK(
      measure_refusal({table.path()}, 3) ==
      table.path() +
          ", line 1: by its name the column 'log2p' holds logarithms to base 2 (natural logarithms are read)\nhint: "
          "give measure --log-base 2, or multiply them by ln 2 = 0.693147");
  CHECK(value(measured({table.path(), "--log-base", "2"})["mean_a"]) == Approx(.75));
  TemporaryFile const rows(".safetensors", small_rows({1, 2}, {1, 1}, {0, 1}, 2));
  CHECK(measure_refusal({rows.path(), "--log-base", "2"}, 2) ==
        "--log-base is asked of " + rows.path() +
            " (it holds rows, whose natural logarithms are read)\nhint: leave it out");
}

}  // namespace draftgauge
