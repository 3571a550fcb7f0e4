#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/apps/measure/engine_answers.h"

namespace draftgauge {

TEST_CASE("engine report: an audit looks at tokens and temperatures") {
  TemporaryFile const text(".tsv", greedy_text);
  TemporaryFile const other(".jsonl", greedy_round(0, "[11,12,17]", false) + greedy_round(3, "[14,15,16]", true));
  Run const tokens = measure({text.path(), "--log", other.path(), "--rule", "greedy"});
  CHECK(tokens.status == 3);
  CHECK(tokens.err.find(other.path() + ", text 0: the engine emitted 17 as token 2 where ") != std::string::npos);
  TemporaryFile const cold(
      ".jsonl", changed(engine_rounds, [](std::string line) { return R"({"temperature": 0, )" + line.substr(1); }));
  CHECK(measure({engine_text, "--log", cold.path()}).err.find(": the engine ran at T = 0") != std::string::npos);
}

TEST_CASE("engine report: certain rounds, an end token that is not scored, a γ that is given") {
  TemporaryFile const text(".tsv", greedy_text);
  TemporaryFile const rounds(".jsonl", greedy_round(0, "[11,12,13]", false) + greedy_round(3, "[14,15,16]", false) +
                                           greedy_round(6, "[2]", true));
  Run const shown = measure({text.path(), "--log", rounds.path(), "--rule", "greedy", "--gamma", "2"});
  CHECK(shown.status == 0);
  CHECK(says(shown, "Verdict: consistent with the argmax rule."));
  CHECK(says(
      shown,
      "6 tokens of 1 text, in rounds of 2 drafts. Such rounds are certain given the text: one more or less would be "
      "an alarm."));
  CHECK(shown.out.find("would have been seen") == std::string::npos);
  CHECK(shown.out.find("Audit of the engine's own text") < shown.out.find("quantity"));
  CHECK(log_answer({text.path(), "--log", rounds.path(), "--rule", "greedy"})["audit"]["rounds"]["z"].is_null());
  // The last rounds had room for one draft, and for none.
  auto const with_drafts = [](std::string round, std::string const& drafts) {
    return round.replace(round.find("\"gamma\": 2"), 10, drafts);
  };
  std::string const two = greedy_round(0, "[11,12,13]", false), one = greedy_round(3, "[14,15]", false),
                    none = greedy_round(5, "[16]", true);
  TemporaryFile const uneven(".jsonl", two + with_drafts(one, "\"gamma\": 1") + with_drafts(none, "\"gamma\": 0"));
  TemporaryFile const counted(".jsonl", two + with_drafts(one, "\"gamma\": 2, \"drafted\": 1") +
                                            with_drafts(none, "\"gamma\": 2, \"drafted\": 0"));
  for (TemporaryFile const* log : {&uneven, &counted})
    for (char const* stop : {"unknown", "truncated", "round", "eos", "maxnew=6"}) {
      Run const given =
          measure({text.path(), "--log", log->path(), "--rule", "greedy", "--gamma", "2", "--stop", stop});
      CHECK(given.status == 0);
      CHECK(says(given, "Verdict: consistent with the argmax rule."));
      CHECK(says(given, "6 tokens of 1 text, in rounds of 0 to 2 drafts."));
    }
  TemporaryFile const unkept(".jsonl", two + one + with_drafts(none, "\"gamma\": 0"));
  Run const wrong = measure({text.path(), "--log", unkept.path(), "--rule", "greedy"});
  CHECK(wrong.status == 1);  // of two drafts that are the text's tokens it kept one
  CHECK(says(wrong, "Verdict: not the argmax rule."));
}

TEST_CASE("engine report: an audit goes by the drafts of the log, whatever --gamma says") {
  std::vector<std::string> const words{engine_text, "--log", engine_rounds, "--rule", "block", "--until", "380"};
  nlohmann::json const plain = log_answer(words)["audit"];
  CHECK(plain["verdict"] == "consistent with the block rule");
  CHECK(plain["rounds"]["drafts"] == nlohmann::json{{"fewest", 4}, {"most", 4}});
  for (char const* gamma : {"4", "8", "4,8"}) {
    auto with = words;
    with.insert(with.end(), {"--gamma", gamma});
    CHECK(log_answer(with)["audit"] == plain);
    CHECK(
        says(measure(with), "--gamma is of the estimates: the audit goes by the drafts that the log's rounds had.") ==
        (gamma != std::string("4")));
  }
}

namespace {

/// Rounds of one draft that the coin of a = 1/2 keeps in 200 of 400: each ends its text, of one or two tokens.
std::pair<std::string, std::string> texts_of_one_round(std::string const& more) {
  std::string columns = "# temperature: 1\nseq\tlogp\tlogq\n", log;
  for (int i = 0; i < 400; ++i) {
    std::string const name = std::to_string(i);
    int const emitted = 1 + i % 2;
    for (int t = 0; t < emitted; ++t) columns += name + "\t-1\t-1.6931472\n";
    log += R"({"seq": )" + name + R"(, "start": 0, "gamma": 1, "emitted": )" + std::to_string(emitted) + more + "}\n";
  }
  return {columns, log};
}

}  // namespace

TEST_CASE("engine report: what is said to end texts convicts nobody by itself") {
  auto const [columns, log] = texts_of_one_round("");
  TemporaryFile const text(".tsv", columns), rounds(".jsonl", log);
  Run const shown = measure({text.path(), "--log", rounds.path(), "--stop", "truncated"});
  CHECK(shown.status == 4);
  CHECK(shown.out.starts_with("The engine's rounds: not judged: is --stop right? "));
  CHECK(says(shown,
             "Rounds are far off only by what is said to have ended the texts (--stop truncated). Draft by draft, "
             "whatever ended them, z is 0.00: is that right?"));
  nlohmann::json const found = log_answer({text.path(), "--log", rounds.path(), "--stop", "truncated"})["audit"];
  CHECK(found["rounds"]["stop_doubtful"] == true);
  CHECK(found["rounds"]["rejected"] == false);
  CHECK(found["rounds"]["p_value"] < 1e-6);
  CHECK(found["rounds"]["p_value_whatever_ended"].get<double>() == Approx(1));
  CHECK(found["rounds"]["acceptance"].is_null());
  CHECK(says(shown, "Verdict: not judged: is --stop right? check"));
  CHECK(found["verdict"] == "not judged: is --stop right?");
  CHECK_FALSE(says(measure({text.path(), "--log", rounds.path()}), "right?"));
  CHECK_FALSE(says(measure({text.path(), "--log", rounds.path(), "--stop", "maxnew=1"}), "right?"));
}

TEST_CASE("engine report: --stop is refused where the log's rounds contradict it") {
  auto const [columns, log] = texts_of_one_round(R"(, "eog": false)");
  TemporaryFile const text(".tsv", columns), rounds(".jsonl", log);
  auto const refused = [&](char const* stop) {
    return measure_refusal({text.path(), "--log", rounds.path(), "--stop", stop}, 3);
  };
  CHECK(refused("maxnew=2") == rounds.path() +
                                   ", text 0: it has 1 tokens, and its last round does not end it by an end token "
                                   "(a run with a limit of 2 tokens goes on)\nhint: correct the limit of tokens");
  CHECK(refused("eos") == rounds.path() +
                              ", text 0: its last round does not end it by an end token (all end so if only end "
                              "tokens end a text)\nhint: say what else may end a text");
}

TEST_CASE("engine report: rounds whose last tests are open are shown as a range") {
  auto const [columns, log] = texts_of_one_round("");
  TemporaryFile const text(".tsv", columns), rounds(".jsonl", log);
  Run const shown = measure({text.path(), "--log", rounds.path()});
  CHECK(says(shown, "rounds, given the text 400 400.00 to 500.00 10.00 -10.00 to 0.00 < 1e-10 to 1 no"));
  nlohmann::json const found = log_answer({text.path(), "--log", rounds.path()})["audit"]["rounds"];
  CHECK(found["expected_low"].get<double>() == Approx(400));
  CHECK(found["expected_high"].get<double>() == Approx(500));
  CHECK(found["expected"].get<double>() == Approx(400));
}

TEST_CASE("engine report: exchanged columns convict no engine") {
  // Tokens of p = (.5, .5) and q = (.9, .1), as they are and under each other's name.
  auto const columns = [](std::string const& names, std::function<bool(int)> const& likely) {
    std::string all = "# temperature: 1\nseq\t" + names + "\n";
    for (int i = 0; i < 3000; ++i)
      all += std::to_string(i / 5) + (likely(i) ? "\t-0.69314718\t-0.10536052\n" : "\t-0.69314718\t-2.3025851\n");
    return all;
  };
  std::string kept, honest;
  auto const add = [](std::string& log, int text, int start, int emitted) {
    log += R"({"seq": )" + std::to_string(text) + R"(, "start": )" + std::to_string(start) +
           R"(, "gamma": 4, "emitted": )" + std::to_string(emitted) + "}\n";
  };
  // Of half of the tokens, the likely ones, all drafts are kept, of the others one in five.
  auto const likely = [](int i) { return i % 5 < 2 || (i % 5 == 4 && i / 5 % 2 == 0); };
  for (int i = 0, coin = 0; i < 600; ++i) {
    add(kept, i, 0, 5);
    for (int start = 0; start < 5;) {
      int t = start;
      while (t < std::min(4 + start, 4) && (likely(5 * i + t) || (coin = (coin + 1) % 5) == 0)) ++t;
      add(honest, i, start, t + 1 - start);
      start = t + 1;
    }
  }
  TemporaryFile const swapped(".tsv", columns("logq\tlogp", likely)), honest_log(".jsonl", honest);
  std::vector<std::string> const words{swapped.path(), "--log", honest_log.path(), "--stop", "truncated"};
  Run const shown = measure(words);
  INFO(shown.out);
  CHECK(shown.status == 1);  // the text's own check
  CHECK(shown.out.starts_with("The engine's rounds: not judged: the columns look exchanged. "));
  CHECK(says(shown,
             "Verdict: not judged: the columns look exchanged. As they stand they speak against the engine, and "
             "with p and q exchanged they do not: every figure of an audit would be of the wrong columns."));
  CHECK_FALSE(says(shown, "Most of the odds"));
  nlohmann::json const found = log_answer(words)["audit"];
  CHECK(found["verdict"] == "not judged: the columns look exchanged");
  CHECK(found["evidence"]["most_for"].is_null());
  // Log p and log q alone, in a file whose other columns are right.
  TemporaryFile const logs(".tsv", changed(engine_text, [](std::string line) {
                             std::size_t const at = line.find("logp\tlogq");
                             return at == line.npos ? line : line.replace(at, 9, "logq\tlogp");
                           }));
  Run const exchanged_logs = measure({logs.path(), "--log", engine_rounds, "--rule", "block"});
  CHECK(exchanged_logs.status == 1);
  CHECK(exchanged_logs.out.starts_with("The engine's rounds: not judged: the columns look exchanged. "));
  TemporaryFile const right(".tsv", columns("logp\tlogq", likely));
  CHECK_FALSE(says(measure({right.path(), "--log", honest_log.path(), "--stop", "truncated"}), "exchanged"));
  // A text that q wrote, as all drafts were kept, looks exchanged too; its rounds do not.
  TemporaryFile const of_q(".tsv", columns("logp\tlogq", [](int i) { return i % 10 != 7; })),
      all_kept(".jsonl", kept);
  Run const lossy = measure({of_q.path(), "--log", all_kept.path(), "--stop", "truncated"});
  CHECK(lossy.status == 1);
  CHECK(lossy.out.starts_with("The engine's rounds: not the token rule. "));
}

TEST_CASE("engine report: of argmax drafts above temperature 0 the right rounds are no evidence") {
  std::string hot = greedy_text;
  hot.replace(hot.find("temperature: 0"), 14, "temperature: 1");
  TemporaryFile const text(".tsv", hot);
  TemporaryFile const rounds(".jsonl", greedy_round(0, "[11,12,13]", false) + greedy_round(3, "[14,15,16]", true));
  Run const shown = measure({text.path(), "--log", rounds.path(), "--rule", "one-hot"});
  CHECK(shown.status == 4);
  CHECK(says(shown, "Verdict: too little text to say."));
  CHECK(says(shown, "Above temperature 0 they are so however drafts are tested: the text alone says more."));
  CHECK(says(shown, "Faults that would not have been found with probability 0.9: text from q;"));
}

TEST_CASE("engine report: no round before token 1 had a draft tested") {
  Run const shown = measure({engine_text, "--log", engine_rounds, "--rule", "block", "--until", "1"});
  CHECK(shown.status == 4);
  CHECK(says(shown, "Verdict: too little text to say."));
  CHECK(says(shown, "None of its drafts is known to have been tested."));
}

TEST_CASE("engine report: what ended the texts decides how far rounds are looked at") {
  // The last of two rounds emits two tokens: the rest of it is dropped, or its second draft was rejected.
  TemporaryFile const text(".tsv", "# temperature: 1\nseq\tlogp\tlogq\n0\t-1\t-2\n0\t-1\t-1\n0\t-1\t-2\n0\t-1\t-2\n");
  TemporaryFile const rounds(".jsonl", greedy_round(0, "2", false) + greedy_round(2, "2", true));
  auto const audited = [&](std::vector<std::string> more) {
    std::vector<std::string> words{text.path(), "--log", rounds.path()};
    words.insert(words.end(), more.begin(), more.end());
    return log_answer(words)["audit"];
  };
  nlohmann::json const unknown = audited({});
  CHECK(unknown["stop"] == "unknown");
  CHECK(unknown["rounds"]["by"] == "tests");
  CHECK(unknown["rounds"]["open"].get<double>() == Approx(std::exp(-1)).epsilon(1e-3));
  for (char const* stop : {"eos", "truncated", "maxnew=4"}) {
    nlohmann::json const told = audited({"--stop", stop});
    CHECK(told["stop"] == stop);
    CHECK(told["rounds"]["by"] == "window");
    CHECK(told["rounds"]["tokens"] == 4);
    CHECK(told["rounds"]["open"] == 0);
  }
  CHECK(audited({"--stop", "maxnew=3"})["rounds"]["tokens"] == 3);
  CHECK(audited({"--stop", "maxnew=3", "--until", "2"})["rounds"]["tokens"] == 2);
  CHECK(audited({"--stop", "round"})["rounds"]["open"] == 0);
  CHECK(says(
      measure({text.path(), "--log", rounds.path()}),
      "What ended the texts is not known: 0.4 rounds more may be too many, as a text's last round may be whole or "
      "cut; it is read in the engine's favour. --stop says what ended them."));
  for (char const* wrong : {"maxnew", "maxnew=", "maxnew=0", "maxnew=-3", "maxnew=99999999999", "never"})
    CHECK(measure({text.path(), "--log", rounds.path(), "--stop", wrong}).err ==
          "error: --stop is '" + std::string(wrong) +
              "' (it says what ends a text)\nhint: give maxnew=N, eos, truncated, round or unknown\n");
  CHECK(measure({text.path(), "--stop", "eos"}).err ==
        "error: --stop has no meaning without --log (nothing would come of it)\nhint: add --log\n");
}

TEST_CASE("engine report: an audit has one verdict, and says which faults it would have found") {
  std::vector<std::string> const block{engine_text, "--log",  engine_rounds, "--rule",
                                       "block",     "--stop", "maxnew=400"};
  nlohmann::json const found = log_answer(block)["audit"];
  CHECK(found["verdict"] == "consistent with the block rule");
  CHECK(found["evidence"]["needed"].get<double>() == Approx(std::log(200)));
  CHECK(found["evidence"]["log_odds"] < 0);
  CHECK(found["evidence"]["rejected"] == false);
  CHECK(found["evidence"]["faults"].size() == 4);
  for (nlohmann::json const& fault : found["evidence"]["faults"]) CHECK(fault["visible"] == true);
  nlohmann::json const acceptance = found["rounds"]["acceptance"];
  CHECK(acceptance["low"] < 0);
  CHECK(acceptance["high"] > 0);
  CHECK(acceptance["high"].get<double>() - acceptance["low"].get<double>() < .04);
  Run const shown = measure(block);
  CHECK(says(shown, "That differs from what the rule keeps, given the text, by "));
  CHECK(says(
      shown,
      "Faults that would have been found with probability 0.9: lenience (odds of keeping a draft × 2); drafts kept "
      "too rarely (odds × 1/2); token rule; temperature .95."));
  CHECK_FALSE(says(shown, "would not have been found"));
  CHECK(says(shown, "Each of two, the rounds' check and all odds, alarms falsely with probability 0.005 at most"));
  Run const token = measure({engine_text, "--log", engine_rounds, "--rule", "token", "--stop", "maxnew=400"});
  CHECK(token.status == 1);
  CHECK(says(token, "Most of the odds speak for: block rule."));
  CHECK(token.out.starts_with(
      "The engine's rounds: not the token rule; most of the odds speak for: block rule. block_run.tsv: "));
  CHECK(shown.out.starts_with("The engine's rounds: consistent with the block rule. block_run.tsv: "));
  CHECK(log_answer({engine_text, "--log", engine_rounds, "--rule", "token"})["audit"]["evidence"]["most_for"] ==
        "block rule");
  CHECK(found["evidence"]["most_for"].is_null());
  TemporaryFile const text(".tsv", "# temperature: 1\nseq\tlogp\tlogq\n0\t-1\t-2\n0\t-1\t-1\n");
  TemporaryFile const rounds(".jsonl", greedy_round(0, "2", false));
  Run const little = measure({text.path(), "--log", rounds.path()});
  CHECK(says(little, "Verdict: too little text to say."));
  CHECK(says(little,
             "Faults that would not have been found with probability 0.9: lenience (odds of keeping a draft × 2);"));
}

TEST_CASE("engine report: an audit names what the columns cannot show") {
  std::vector<std::string> const rest{"--log", engine_rounds, "--rule", "block", "--stop", "maxnew=400"};
  auto const audited = [&](std::string const& text, std::string const& rule) {
    std::vector<std::string> words{text};
    words.insert(words.end(), rest.begin(), rest.end());
    words[4] = rule;
    return words;
  };
  CHECK(log_answer(audited(engine_text, "block"))["audit"]["evidence"]["not_looked_for"].empty());
  CHECK_FALSE(says(measure(audited(engine_text, "block")), "Not looked for"));
  std::string const temperature = "a temperature such as .95 (the entropy of p would show it)";
  TemporaryFile const without_entropy(".tsv", changed(engine_text, [](std::string line) {
                                        std::size_t const at = line.find("entropy_p");
                                        return at == line.npos ? line : line.replace(at, 9, "something");
                                      }));
  Run const shown = measure(audited(without_entropy.path(), "block"));
  CHECK(says(shown, "Verdict: consistent with the block rule (temperature not looked for)."));
  CHECK(says(shown, "The engine's rounds: consistent with the block rule (temperature not looked for). "));
  CHECK(log_answer(audited(without_entropy.path(), "block"))["audit"]["verdict"] ==
        "consistent with the block rule (temperature not looked for)");
  CHECK(
      says(measure(audited(without_entropy.path(), "token")),
           "Most of the odds speak for: block rule. A wrong temperature, which these columns do not show, could look "
           "like that."));
  CHECK(says(shown, "Not looked for, as no column here shows it: " + temperature + "."));
  CHECK(log_answer(audited(without_entropy.path(), "block"))["audit"]["evidence"]["not_looked_for"] ==
        nlohmann::json::array({temperature}));
  // Two columns, of the token rule.
  TemporaryFile const two(".tsv", "# temperature: 1\nseq\tlogp\tlogq\n0\t-1\t-2\n0\t-1\t-1\n0\t-1\t-2\n0\t-1\t-2\n");
  TemporaryFile const rounds(".jsonl", greedy_round(0, "2", false) + greedy_round(2, "2", false));
  CHECK(says(measure({two.path(), "--log", rounds.path()}),
             "Not looked for, as no column here shows it: " + temperature +
                 "; argmax drafts tested as drawn ones (matches of argmax q would show them)."));
}

TEST_CASE("engine report: an audit says whose temperature it took, and which tokens cannot have come") {
  auto const without = [](std::string const& path) {
    return changed(path, [](std::string line) { return line.starts_with("# temperature") ? std::string() : line; });
  };
  TemporaryFile const silent(".tsv", without(engine_text));
  TemporaryFile const hot(
      ".jsonl", changed(engine_rounds, [](std::string line) { return R"({"temperature": 1, )" + line.substr(1); }));
  CHECK(says(measure({silent.path(), "--log", hot.path(), "--rule", "block"}),
             "The recording does not say its temperature: taken as the log's, T = 1."));
  CHECK(says(measure({engine_text, "--log", engine_rounds, "--rule", "block"}),
             "The log does not say its temperature: taken as the recording's, T = 1."));
  TemporaryFile const impossible(".tsv", "# temperature: 1\nseq\tlogp\tlogq\n0\t-inf\t-1\n0\t-1\t-1\n1\t-1\t-1\n");
  TemporaryFile const rounds(".jsonl", R"({"seq": "0", "start": 0, "gamma": 1, "emitted": 2})"
                                       "\n"
                                       R"({"seq": "1", "start": 0, "gamma": 1, "emitted": 1, "eog": true})");
  Run const shown = measure({impossible.path(), "--log", rounds.path()});
  CHECK(shown.status == 1);
  CHECK(says(shown, "1 emitted token has probability 0 under p."));
}

}  // namespace draftgauge
