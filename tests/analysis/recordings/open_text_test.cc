#include "analysis/recordings/open_text.h"

#include <catch2/catch.hpp>
#include <map>

#include "tests/analysis/recordings/fixture.h"
#include "tests/message.h"
#include "tests/sim/temporary_file.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

std::string error(std::string const& target, std::string const& draft = "") {
  return message<InputError>([&] { open_text_scores(target, draft); });
}

constexpr auto known =
    " (known: columns logp and logq; responses with prompt_logprobs, logprobs, meta_info or "
    "completion_probabilities; "
    "llama-bench and cost.csv; engines' logs) see `draftgauge help measure`";

}  // namespace

TEST_CASE("files are known by their content") {
  for (auto const& [name, kind] :
       std::map<std::string, TextKind>{{"trace_prune2_T1.tsv", TextKind::columns},
                                       {"prompt_logprobs_target.jsonl", TextKind::one_model},
                                       {"server_prune2_g4_completion_n_probs3.json", TextKind::one_model},
                                       {"server_prune2_g4_v1_completions_logprobs3.json", TextKind::one_model},
                                       {"server_prune2_g4_completion.jsonl", TextKind::engine_log},
                                       {"rounds_q2k_T1_g4.jsonl", TextKind::engine_log},
                                       {"server_prune2_g4.log", TextKind::engine_log},
                                       {"server_prune2_g4_metrics.txt", TextKind::engine_log},
                                       {"llama-speculative_prune2_T1.0_g1_p0.log", TextKind::engine_log},
                                       {"llama-speculative-simple_q2_k_T0_g4_p0.log", TextKind::engine_log},
                                       {"cost_2threads.jsonl", TextKind::costs},
                                       {"llama-bench.json", TextKind::costs},
                                       {"llama-bench.jsonl", TextKind::costs},
                                       {"llama-bench.csv", TextKind::costs}}) {
    CAPTURE(name);
    CHECK(text_kind(name, fixture_text(name)) == kind);
  }
  CHECK(text_kind("x", "# temperature: 1\n{\"logp\": -1, \"logq\": -2}\n") == TextKind::columns);
  CHECK(text_kind("x", "[2026-11-21 09:22] start\nn_drafted = 5\n") == TextKind::engine_log);
  CHECK(text_kind("x", "\"not closed\nn_drafted = 5\n") == TextKind::engine_log);
  auto const unknown = [](std::string const& text) { return message<InputError>([&] { text_kind("x", text); }); };
  CHECK(unknown("{\"a\": 1}") == std::string("x, line 1: it is nothing known, but has JSON with a") + known);
  CHECK(unknown("[[1]]") == std::string("x, line 1: it is nothing known, but has JSON with a list") + known);
  CHECK(unknown("once upon a time\n") ==
        std::string("x: it is nothing known, but has a first line of 'once upon a time'") + known);
  CHECK(unknown("[]") == std::string("x: it is nothing known, but has a first line of '[]'") + known);
}

TEST_CASE("a recording is one file of columns, or two of one model each") {
  std::string const columns = fixture("trace_prune2_T1.tsv"), target = fixture("prompt_logprobs_target.jsonl"),
                    draft = fixture("prompt_logprobs_draft-prune2.jsonl");
  Scores const scores = open_text_scores(columns, "", {.prompt_tokens = {}, .temperature = 1});
  CHECK((scores.tokens() == 120 && scores.temperature == 1 && scores.files == std::vector{columns}));
  CHECK(open_text_scores(target, draft).estimated_as == "vLLM prompt_logprobs");
  CHECK(error(target) == target +
                             ": it is of one model (both models' log-probabilities are needed) score the same text "
                             "with the other model, and give its file as the draft");
  CHECK(error(columns, draft) == columns + ": its columns are of both models (a second file, " + draft +
                                     ", would have no place) give one of the two");
  CHECK(error(target, columns) == columns + ": its columns are of both models (beside " + target +
                                      " a file of the draft alone is needed) give columns alone, or the draft's "
                                      "responses");
  std::string const costs = fixture("llama-bench.json"), log = fixture("server_prune2_g4.log");
  CHECK(error(costs) == costs +
                            ": it says what passes cost, not what models say of a text (there is nothing to measure "
                            "in it) give it as the cost file beside a recording");
  CHECK(error(log) ==
        log + ": it is an engine's log (it has no probabilities) give it with --log beside a recording");
  TemporaryFile const empty(".tsv", "");
  CHECK(error(empty.path()) ==
        empty.path() + ": there is nothing in it (a tool that fails leaves an empty file) make it again");
}
