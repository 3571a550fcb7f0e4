#include "analysis/open/open_text.h"

#include <catch2/catch.hpp>
#include <map>

#include "analysis/load/load_table.h"
#include "analysis/open/text_cards.h"
#include "analysis/recordings/costs/cost_file.h"
#include "analysis/recordings/format_names.h"
#include "analysis/recordings/logprobs/logprob_form.h"
#include "tests/analysis/recordings/fixture.h"
#include "tests/message.h"
#include "tests/sim/temporary_file.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

std::string open_error(std::string const& target, std::string const& draft = "") {
  return message<InputError>([&] { open_text_trace(target, draft); });
}

std::string const known = " `draftgauge list recordings` and `draftgauge list counters` name what is read";

}  // namespace

TEST_CASE("text cards: each has a mark, and is a recording of both models or of one, or says why it is none") {
  for (TextCard const& card : text_cards()) {
    CAPTURE(card.name);
    CHECK((card.is_record || card.has_names || card.is_line || card.is_text));
    CHECK((card.read != nullptr) + (card.read_one_model != nullptr) + !card.refusal.empty() == 1);
    CHECK(card.refusal.empty() == card.hint.empty());
  }
}

TEST_CASE("files are known by their content") {
  for (auto const& [name, kind] :
       std::map<std::string, std::string>{{"trace_prune2_T1.tsv", "columns"},
                                          {"prompt_logprobs_target.jsonl", "log-probabilities"},
                                          {"vllm_0.18_target.jsonl", "log-probabilities"},
                                          {"server_prune2_g4_completion_n_probs3.json", "log-probabilities"},
                                          {"server_prune2_g4_v1_completions_logprobs3.json", "log-probabilities"},
                                          {"server_prune2_g4_completion.jsonl", "logs"},
                                          {"rounds_q2k_T1_g4.jsonl", "logs"},
                                          {"server_prune2_g4.log", "logs"},
                                          {"server_prune2_g4_metrics.txt", "logs"},
                                          {"llama-speculative_prune2_T1.0_g1_p0.log", "logs"},
                                          {"llama-speculative-simple_q2_k_T0_g4_p0.log", "logs"},
                                          {"cost_2threads.jsonl", "costs"},
                                          {"llama-bench.json", "costs"},
                                          {"llama-bench.jsonl", "costs"},
                                          {"llama-bench.csv", "costs"}}) {
    CAPTURE(name);
    CHECK(text_kind(name, fixture_text(name)).name == kind);
  }
  CHECK(text_kind("x", "# temperature: 1\n{\"logp\": -1, \"logq\": -2}\n").name == "columns");
  CHECK(text_kind("x", "[2026-11-21 09:22] start\nn_drafted = 5\n").name == "logs");
  CHECK(text_kind("x", "\"not closed\nn_drafted = 5\n").name == "logs");
  auto const unknown = [](std::string const& text) { return message<InputError>([&] { text_kind("x", text); }); };
  CHECK(unknown("{\"a\": 1}") == std::string("x, line 1: unknown file format: it has JSON with a") + known);
  CHECK(unknown("[[-1]]") == std::string("x, line 1: unknown file format: it has JSON with a list") + known);
  CHECK(unknown("once upon a time\n") ==
        std::string("x: unknown file format: it has a first line of 'once upon a time'") + known);
  CHECK(unknown("# a comment\n\n# another\nseq pos prob\n1 2 3\n") ==
        "x: unknown file format: it has a first line of 'seq pos prob'" + known);
  CHECK(message<InputError>([] { text_kind("x.txt", "Once\nupon a time"); }) ==
        "x.txt: unknown file format: it has a first line of 'Once'"
            " distributions of a book come from the source ngram:text=FILE");
  CHECK(unknown("\x1f\x8b\x08 ").starts_with("x: it is compressed by gzip"));
  CHECK(unknown(" ").starts_with("x: it is empty"));
  CHECK(text_kind("x", "| model | test | t/s |\n").name == "loads");
  CHECK(text_kind("x", "model,batch,tokens,ms\n").name == "loads");
  CHECK(text_kind("x", R"({"batch_stats": {"1": {"0": 5}}})").name == "loads");
  CHECK(unknown("| model | speed |\n").starts_with("x: unknown file format: it has a first line of '| model |"));
  CHECK(text_kind("x", "p;q\n.5;.4\n").name == "columns");
  CHECK(text_kind("x", R"({"p": 0.5, "q": 0.4})").name == "columns");
  CHECK(unknown(R"({"p": [0.5, 0.5], "q": [1, 0]})").starts_with("x, line 1: unknown file format: it has JSON"));
  CHECK(unknown("[]") == std::string("x: unknown file format: it has a first line of '[]'") + known);
}

TEST_CASE("what an engine prints without its rounds is refused with what would do") {
  auto const unknown = [](std::string const& text) { return message<InputError>([&] { text_kind("x", text); }); };
  for (char const* bare : {R"([{"completion_tokens": 10, "spec_verify_ct": 4}])",
                           R"({"predicted_n": 10, "draft_n": 4})", R"({"duration": 3, "output_throughput": 4})"}) {
    CAPTURE(bare);
    CHECK(unknown(bare).starts_with("x"));
    CHECK(unknown(bare).ends_with(known));
  }
}

TEST_CASE("counts without names are refused with where they belong") {
  auto const refused = [](std::string const& text) { return message<InputError>([&] { text_kind("x", text); }); };
  for (char const* counts : {"3,0,2,4,1\n0,3,3\n", "3\n0\n2\n", "3 0 2\n", "[1, 0, 2]\n[3, 3]\n", "[[1, 0], [2]]",
                             R"({"accepted": [3, 0, 2], "gamma": 5})"}) {
    CAPTURE(counts);
    CHECK(refused(counts).find("it has whole numbers without names (accepted drafts, round by round?) give gamma what each "
                               "round accepted, in order, as `accepted-rounds`") != std::string::npos);
  }
  for (char const* numbers : {"-0.5,-0.25\n-1,-2\n", "-0,5;-0,25\n", "1;0,5\n2;0,25\n"})
    CHECK(refused(numbers).find("a header line is missing") != std::string::npos);
}

TEST_CASE("a recording is one file of columns, or two of one model each") {
  std::string const columns = fixture("trace_prune2_T1.tsv"), target = fixture("prompt_logprobs_target.jsonl"),
                    draft = fixture("prompt_logprobs_draft-prune2.jsonl");
  TokenTrace const trace = open_text_trace(columns, "", {.prompt_tokens = {}, .temperature = 1});
  CHECK((trace.tokens() == 120 && trace.temperature == 1 && trace.files == std::vector{columns}));
  CHECK(open_text_trace(target, draft).estimated_as == "vLLM prompt_logprobs");
  CHECK(open_error(target) ==
        target +
            ": it is of one model (both models' log-probabilities are needed) score the same text "
            "with the other model, and give both files: draftgauge measure TARGET DRAFT");
  CHECK(open_error(columns, draft) == columns + ": its columns are of both models (a second file, " + draft +
                                          ", would have no place) give one of the two");
  CHECK(open_error(target, columns) == columns + ": its columns are of both models (beside " + target +
                                           " a file of the draft alone is needed) give columns alone, or the draft's "
                                           "responses");
  std::string const costs = fixture("llama-bench.json"), log = fixture("server_prune2_g4.log");
  CHECK(open_error(costs) ==
        costs +
            ": it says what passes cost, not what models say of a text (there is nothing to measure "
            "in it) give it as the cost file beside a recording");
  CHECK(open_error(log) ==
        log +
            ": it is what an engine prints of its rounds (it has no probabilities) measure, gamma, why "
            "and report read it "
            "alone; `log` holds it against a recording");
  TemporaryFile const load(".csv", "batch,tokens,ms\n1,1,10\n");
  CHECK(
      open_error(load.path()) ==
      load.path() +
          ": it says how long steps take, not what models say of a text (there is nothing to measure in it) give it "
          "to gamma or figure as `load`, for the γ of each batch size");
  TemporaryFile const empty(".tsv", "");
  CHECK(open_error(empty.path()) ==
        empty.path() + ": it is empty (a tool that fails leaves an empty file) make it again");
}
