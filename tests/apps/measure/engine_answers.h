#pragma once
#include <string>
#include <vector>

#include "tests/apps/measure/measure_run.h"

/// `draftgauge measure` beside an engine's log: what it answers, and a small text with its rounds.
namespace draftgauge {

/// What `measure` answers as JSON, be it that the log contradicts the rule or not.
inline nlohmann::json log_answer(std::vector<std::string> words) {
  words.insert(words.end(), {"--format", "json"});
  Run const done = measure(words);
  INFO(done.err);
  REQUIRE(done.status != 2);
  REQUIRE(done.status != 3);
  return nlohmann::json::parse(done.out);
}
inline bool says(Run const& done, std::string const& words) { return holds(in_one_line(done.out), words); }

/// A text of six tokens by an argmax drafter, at temperature 0: hits 1 1 0 1 1 1, and its rounds at γ = 2.
inline std::string const greedy_text =
    "# temperature: 0\nseq\tpos\ttoken\tlogp\tlogq\thit\n0\t0\t11\t-1\t-1\t1\n0\t1\t12\t-1\t-1\t1\n"
    "0\t2\t13\t-1\t-1\t0\n0\t3\t14\t-1\t-1\t1\n0\t4\t15\t-1\t-1\t1\n0\t5\t16\t-1\t-1\t1\n";
inline std::string greedy_round(int start, std::string const& emitted, bool ends) {
  return R"({"seq": "0", "start": )" + std::to_string(start) + R"(, "gamma": 2, "emitted": )" + emitted +
         R"(, "eog": )" + (ends ? "true" : "false") + "}\n";
}

}  // namespace draftgauge
