#include "analysis/report/text_check.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/apps/answers.h"
#include "tests/apps/exchanged_columns.h"
#include "tests/sim/temporary_file.h"

using namespace draftgauge;

TEST_CASE("text check document: inspect and measure say the same of a text") {
  std::string const data = DRAFTGAUGE_SOURCE_DIR "/data/", columns = data + "smollm2/prune2_T1.tsv";
  TemporaryFile const exchanged(".tsv", exchanged_columns(columns));
  for (auto const& [file, rejected] : {std::pair(columns, false), {exchanged.path(), true}}) {
    INFO(file);
    auto const said = document("inspect " + file)["scores"]["target_wrote_it"];
    CHECK(said == document("measure " + file + " --gamma 1", rejected ? 1 : 0)["text_check"]);
    CHECK(said["rejected"] == rejected);
    CHECK(said["cause"].is_null() != rejected);
    // The names that scripts know.
    CHECK(said["refuted"] == said["rejected"]);
    CHECK(said["log_odds"] == said["draft_log_odds"]);
    CHECK(said["lean"].is_null() == rejected);  // without β
    CHECK(said["checks"].back()["name"] == "top");
    CHECK(said["checks"].back()["z"] == said["top"]);
    CHECK((said["row_log_odds"].is_null() && said["row_tokens"].is_null()));
  }
  std::string const rows = data + "smollm2_prune2_24.safetensors";
  auto const said = document("inspect " + rows)["recording"]["target_wrote_it"];
  CHECK(said == document("measure " + rows + " --gamma 1")["text_check"]);
  CHECK(said["row_tokens"] == 24);
  CHECK(said["checks"].size() == 3);
}

TEST_CASE("text check document: what is infinite is null") {
  TokenTrace trace;
  trace.texts.push_back({.log_p = {-1, -HUGE_VAL, -2}, .log_q = {-1, -1, -1}});
  TextCheck const check = check_text(trace);
  Json const said = document_of(TextCheckReport{check, {}});
  CHECK(said["rejected"] == true);
  CHECK(said["impossible_tokens"] == 1);
  CHECK((said["draft_log_odds"].is_null() && said["uniform_log_odds"].is_null() && said["surprisal"].is_null()));
}
