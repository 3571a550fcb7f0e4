#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/apps/measure/engine_answers.h"

namespace draftgauge {

TEST_CASE("engine report: llama-speculative tests argmax drafts as if they had been drawn") {
  TemporaryFile const columns(
      ".tsv",
      "# temperature: 1\nseq\tlogp\tlogq\tp_dmax\tq_dmax\n0\t-1\t-1\t.3\t.6\n0\t-1\t-1\t.5\t.5\n"
      "1\t-1\t-1\t.2\t.4\n1\t-1\t-1\t.4\t.2\n");
  TemporaryFile const log(".log", "n_draft   = 1\nn_predict = 161\nn_drafted = 90\nn_accept  = 70\n");
  std::vector<std::string> const words{columns.path(), "--log", log.path(), "--engine", "llama-speculative"};
  nlohmann::json const engine = log_answer(words)["engine"];
  CHECK(engine["estimator"] == "iid");
  CHECK(engine["predicted"]["value"].get<double>() == Approx(1.75));  // 1 + (1/2 + 1 + 1/2 + 1)/4
  CHECK(engine["difference"]["value"].get<double>() == Approx(160. / 90 - 1.75));
  CHECK(engine["rule"] == "faulty/argmax-draft");
  Run const shown = measure(words);
  CHECK(says(shown, "An approximation: Eq. (1) at α = 0.7500, the mean of min(1, p/q) at argmax q."));
  CHECK(says(shown, "Speed-up and best γ are the token rule's, not llama-speculative's."));
  CHECK(says(shown, "measured less predicted 0.028"));
  TemporaryFile const plain(".tsv", "# temperature: 1\nseq\tlogp\tlogq\n0\t-1\t-1\n1\t-1\t-1\n");
  CHECK(says(measure({plain.path(), "--log", log.path(), "--engine", "llama-speculative"}),
             "Not predicted: faulty/argmax-draft needs p(argmax q) and max q of every token."));
  TemporaryFile const greedy(".tsv", greedy_text);
  CHECK(log_answer({greedy.path(), "--log", log.path(), "--engine", "llama-speculative"})["engine"]["estimator"] ==
        "replay_argmax");
  TemporaryFile const rounds(".jsonl", R"({"seq": "0", "start": 0, "gamma": 1, "emitted": 2})"
                                       "\n"
                                       R"({"seq": "1", "start": 0, "gamma": 1, "emitted": 2})"
                                       "\n");
  CHECK(measure({columns.path(), "--log", rounds.path(), "--engine", "llama-speculative"}).err ==
        "error: --engine llama-speculative runs faulty/argmax-draft above temperature 0 (its output is not the "
        "target's distribution, so that its rounds do not follow from its text)\nhint: audit another rule with "
        "--rule\n");
}

TEST_CASE("engine report: sampled drafts that the target's sample must match are not taken for argmax drafts") {
  TemporaryFile const columns(".tsv",
                              "# temperature: 1\nseq\tlogp\tlogq\targmax_q_hit\n0\t-1\t-1\t1\n1\t-1\t-1\t0\n");
  Run const shown = measure({columns.path(), "--engine", "mlx-lm"});
  CHECK(says(shown, "mlx-lm: drafts a sample of q, accepts it where the target's own sample is the same token."));
  CHECK(says(shown, "Above temperature 0 its rounds are not replayed: speed-up and best γ are the token rule's."));
  TemporaryFile const rounds(".jsonl", R"({"seq": "0", "start": 0, "gamma": 1, "emitted": 1})"
                                       "\n"
                                       R"({"seq": "1", "start": 0, "gamma": 1, "emitted": 1})"
                                       "\n");
  CHECK(
      measure({columns.path(), "--log", rounds.path(), "--engine", "mlx-lm"}).err ==
      "error: --engine mlx-lm runs coupled above temperature 0 (rounds of its drafts are not replayed)\nhint: audit "
      "another rule with --rule\n");
  TemporaryFile const counters(".jsonl", R"({"token": 1, "from_draft": true, "generation_tokens": 1})"
                                         "\n"
                                         R"({"token": 2, "from_draft": false, "generation_tokens": 2})"
                                         "\n"
                                         R"({"token": 3, "from_draft": false, "generation_tokens": 3})"
                                         "\n");
  CHECK(says(measure({columns.path(), "--log", counters.path(), "--gamma", "1"}),
             "Not predicted: mlx-lm's rounds are not replayed above temperature 0."));
}

TEST_CASE("engine report: a log of other text is compared, with what is known of it") {
  TemporaryFile const counters(".log", "n_draft   = 4\nn_predict = 1630\nn_drafted = 4280\nn_accept  = 550\n");
  Run const unnamed = measure({other_columns, "--log", counters.path()});
  CHECK(says(unnamed, "give --engine llama-speculative-simple to have speed-up and best γ for it."));
  CHECK(says(unnamed, "has counters only, and so no interval of its own. What it measured lies"));
  CHECK_FALSE(
      says(measure({other_columns, "--log", counters.path(), "--engine", "llama-speculative-simple"}), "By its log"));
  Run const other = measure({columns_file, "--log", engine_rounds, "--rule", "block"});
  CHECK(says(other, "Taken as the block rule."));
  CHECK(says(other, "Its texts have the recording's names and other lengths: a log of other text."));
  CHECK_FALSE(says(other, "algorithm1"));
  CHECK(log_answer({columns_file, "--log", engine_rounds, "--rule", "block"})["engine"]["covered_by"] ==
        "difference");
}

TEST_CASE("engine report: what a comparison comes to, in words") {
  CHECK(says(measure({columns_file, "--log", engine_rounds, "--rule", "block"}),
             "The two agree: the interval of the difference holds 0."));
  CHECK(says(measure({other_columns, "--log", engine_rounds, "--rule", "block"}),
             "The two differ by more than chance explains at this confidence."));
  auto const counters = [](int predicted, int accepted) {
    return "n_draft   = 4\nn_predict = " + std::to_string(predicted) +
           "\nn_drafted = 1600\nn_accept  = " + std::to_string(accepted) + "\n";
  };
  TemporaryFile const near(".log", counters(588, 188)), far(".log", counters(1004, 604));  // 1.47 and 2.51 a round
  std::string const no_interval =
      "The log is of one text, or has counters only, and so no interval of its own. What it measured lies ";
  CHECK(says(measure({other_columns, "--log", near.path()}), no_interval + "within the prediction's. "));
  CHECK(says(measure({other_columns, "--log", near.path()}), "tsv: within the prediction's interval "));
  CHECK(says(measure({other_columns, "--log", far.path()}),
             no_interval + "outside the prediction's; the log's own luck is not in that."));
  CHECK(says(measure({other_columns, "--log", far.path()}), "tsv: outside the prediction's interval "));
  // Of few tokens a log without an interval says nothing, however far off.
  TemporaryFile const five(".log", "n_draft = 4\nn_predict = 25\nn_drafted = 20\nn_accept = 20\n");
  Run const few = measure({other_columns, "--log", five.path()});
  CHECK(few.status == 4);
  CHECK(says(few, "tsv: too little text to tell "));
  CHECK(says(
      few, "Too little text to tell: the log is of 25 tokens without an interval of their own (256 is the least)."));
  CHECK(log_answer({other_columns, "--log", five.path()})["engine"]["verdict"] == "inconclusive");
  TemporaryFile const alone(".tsv", greedy_text), two_drafts(".log",
                                                             "n_draft = 2\nn_predict = 9\nn_drafted = 8\n"
                                                             "n_accept = 5\n");
  CHECK(says(measure({alone.path(), "--log", two_drafts.path()}),
             "One text in the recording: nothing says how much of the difference is luck."));
  TemporaryFile const warm(".jsonl", R"({"seq": "a", "start": 0, "gamma": 4, "temperature": 0.6, "emitted": 2})"
                                     "\n"
                                     R"({"seq": "b", "start": 0, "gamma": 4, "temperature": 0.6, "emitted": 3})");
  Run const other_law = measure({other_columns, "--log", warm.path()});
  CHECK(says(other_law, "Not judged: the engine ran at T = 0.6, and what is predicted is for T = 1."));
  CHECK(other_law.status == 4);
  CHECK_FALSE(says(other_law, "agree"));
  TemporaryFile const two_rounds(".jsonl", R"({"seq": "a", "start": 0, "gamma": 4, "emitted": 2})"
                                           "\n"
                                           R"({"seq": "b", "start": 0, "gamma": 4, "emitted": 3})");
  Run const little = measure({other_columns, "--log", two_rounds.path()});
  CHECK(little.status == 4);
  CHECK(says(little, "q2k_T1.tsv: too little text to tell "));
  CHECK(says(little, "would look like luck (10 % is the most at which it is said that the two agree)."));
  CHECK(log_answer({other_columns, "--log", two_rounds.path()})["engine"]["verdict"] == "inconclusive");
  CHECK(log_answer({columns_file, "--log", engine_rounds, "--rule", "block"})["engine"]["verdict"] == "agree");
  CHECK(log_answer({other_columns, "--log", engine_rounds, "--rule", "block"})["engine"]["verdict"] == "differ");
}

TEST_CASE("engine report: last rounds that are whole, or cut, are no difference of the rule") {
  // Greedy texts of 24 tokens: every draft hits, or none does. At γ = 6 the engine's own texts are the same.
  std::string recorded = "# temperature: 0\nseq\ttoken\tlogp\tlogq\thit\n", whole, cut;
  for (int text = 0; text < 4; ++text) {
    int const hits = 1 - text % 2, emitted = hits == 1 ? 7 : 1;
    for (int t = 0; t < 24; ++t) recorded += fmt::format("{}\t{}\t-1\t-1\t{}\n", text, 11 + t, hits);
    for (int start = 0; start < 24; start += emitted) {
      auto const round = [&](int tokens) {
        return fmt::format("{{\"seq\": \"other {}\", \"start\": {}, \"gamma\": 6, \"emitted\": {}}}\n", text, start,
                           tokens);
      };
      whole += round(emitted);
      cut += round(std::min(emitted, 24 - start));
    }
  }
  TemporaryFile const columns(".tsv", recorded), whole_log(".jsonl", whole), cut_log(".jsonl", cut);
  auto const engine = [&](TemporaryFile const& log) {
    return log_answer({columns.path(), "--log", log.path(), "--engine", "vllm"})["engine"];
  };
  nlohmann::json const of_whole = engine(whole_log), of_cut = engine(cut_log);
  CHECK(of_whole["measured"]["value"].get<double>() == Approx(52. / 28));
  CHECK(of_whole["difference"]["value"].get<double>() == Approx(0).margin(1e-12));
  CHECK(of_whole["last_rounds_whole"] == 1);
  CHECK(of_cut["measured"]["value"].get<double>() == Approx(48. / 28));
  // What rounds of 7 emit beyond token 24 is taken from token 18, the last from which all are seen.
  CHECK(std::abs(of_cut["difference"]["value"].get<double>()) < .05);
  CHECK(of_cut["last_rounds_whole"] == 0);
  CHECK(says(measure({columns.path(), "--log", whole_log.path(), "--engine", "vllm"}),
             "The log does not say whether its texts' last rounds are whole or cut."));
}

TEST_CASE("engine report: what an engine's rule would give is not told by another rule") {
  // Two columns say nothing of argmax drafts; at the engine's costs the token rule's rounds are no engine's.
  TemporaryFile const two(".tsv", "# temperature: 1\nseq\tlogp\tlogq\n0\t-1\t-2\n0\t-2\t-1\n1\t-1\t-1\n1\t-3\t-1\n");
  std::vector<std::string> const words{two.path(), "--engine", "llama.cpp-server", "--cost", ".1", "--gamma", "1"};
  Run const shown = measure(words);
  CHECK(shown.status == 4);
  CHECK(says(shown,
             "argmax draft is not known here: it needs the matches of argmax q. The columns are of other rules: no "
             "speed-up and no best γ by them."));
  nlohmann::json const found = log_answer(words);
  CHECK(found["best_gamma"].is_null());
  CHECK(found["rounds_unknown"] == "it needs the matches of argmax q");
  CHECK(says(measure({two.path(), other_columns, "--engine", "llama.cpp-server"}), "argmax draft: not known"));
  // Full rows of another law than the text's still say how likely p finds argmax q.
  CHECK(says(
      measure({rows_file, "--temperature", "1", "--top-p", ".9", "--engine", "llama.cpp-server", "--gamma", "4"}),
      "Were drafts kept independently of each other, each with the mean p(argmax q) of 0.2822, Eq. (1) would give "
      "1.391 tokens per round at γ = 4."));
}

TEST_CASE("engine report: two scrapes are held to what all counters are") {
  auto const page = [](int rounds, int drafted, int accepted) {
    return "vllm:spec_decode_num_drafts_total " + std::to_string(rounds) +
           "\nvllm:spec_decode_num_draft_tokens_total " + std::to_string(drafted) +
           "\nvllm:spec_decode_num_accepted_tokens_total " + std::to_string(accepted) + "\n";
  };
  TemporaryFile const before(".txt", page(10, 40, 20)), wrong(".txt", page(20, 80, 300));
  CHECK(measure_refusal({other_columns, "--log", before.path(), "--log", wrong.path()}, 3) ==
        wrong.path() +
            ": accepted ≤ drafted does not hold: 300 and 80 (counts that contradict each other say nothing)\nhint: "
            "look at them with `draftgauge inspect`");
  // Each may be right by itself.
  TemporaryFile const later(".txt", page(20, 60, 45));
  CHECK(measure_refusal({other_columns, "--log", before.path(), "--log", later.path()}, 3)
            .find("accepted ≤ drafted does not hold: 25 and 20") != std::string::npos);
  CHECK(measure_refusal({other_columns, "--log", before.path(), "--log", before.path()}, 2) ==
        before.path() +
            " is given twice (what happened between two scrapes is asked)\nhint: give an earlier and a later one");
}

TEST_CASE("engine report: behind a question a finding is a sentence of its own") {
  TemporaryFile const text(".tsv", changed(data_folder + "smollm2/prune2_T0.tsv", [](std::string line) {
                             return line.starts_with("# temperature") ? "# temperature: 1" : line;
                           }));
  TemporaryFile const log(".log", "n_draft   = 4\nn_predict = 163\nn_drafted = 428\nn_accept  = 55\n");
  Run const shown = measure({text.path(), "--log", log.path()});
  INFO(shown.out << shown.err);
  CHECK(shown.out.find("?;") == std::string::npos);
  CHECK(shown.status != 2);
  CHECK(says(shown, "? Beside it: llama-speculative-simple measured "));
}

TEST_CASE("rules at rows: what was left out, and short headers") {
  Run const done = measure({rows_file, "--temperature", "0,1", "--rules", "--candidates", "2", "--gamma", "1"});
  CHECK(says(done, "What each rule accepts at a position of smollm2_prune2_24.safetensors"));
  CHECK(says(done, "lossless T=0 T=1"));
  CHECK(says(done,
             "Left out: recursive-without (k = 2), naive-set-without (k = 2). Their sums over the orders of "
             "drafts are too long over 49152 tokens."));
  CHECK(says(done, "At T = 0 lenient-greedy compares probabilities of temperature 1"));
}

}  // namespace draftgauge
