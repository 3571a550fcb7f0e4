#include <fmt/format.h>

#include "tests/apps/gamma/gamma_run.h"

/// Rounds that are given one by one: one list however it is written, and the same answer as the counters of an engine.
namespace draftgauge {
namespace {

using Rows = std::vector<std::vector<int>>;

/// Twelve requests of a text with easy and hard passages, at γ = 4; not every one accepts a whole draft.
Rows const served = [] {
  Rows rows(12);
  unsigned state = 7;
  auto const draw = [&state] { return state = state * 1664525 + 1013904223, (state >> 16) % 100; };
  for (std::size_t r = 0; r < rows.size(); ++r) {
    bool easy = r % 2 == 0;
    for (int i = 0; i < 25; ++i) {
      if (draw() < 20) easy = !easy;
      int accepted = 0;
      while (accepted < (r == 3 ? 2 : 4) && draw() < (easy ? 85u : 35u)) ++accepted;
      rows[r].push_back(accepted);
    }
  }
  return rows;
}();

std::string text_of(std::vector<int> const& row, char const* between) {
  std::string text;
  for (int const each : row) text += (text.empty() ? "" : between) + std::to_string(each);
  return text;
}

std::string csv(Rows const& rows) {
  std::string text;
  for (auto const& row : rows) text += text_of(row, ",") + "\n";
  return text;
}

std::vector<int> histogram(std::vector<int> const& row, int gamma) {
  std::vector<int> counts(static_cast<std::size_t>(gamma) + 1);
  for (int const each : row) ++counts[static_cast<std::size_t>(each)];
  return counts;
}

/// The same rounds as vLLM says them, request by request.
std::string responses(Rows const& rows, int gamma) {
  std::string text;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    int sum = 0;
    for (int const each : rows[r]) sum += each;
    std::size_t const steps = rows[r].size();
    text += fmt::format(
        R"({{"id": "{}", "choices": [{{}}], "usage": {{"completion_tokens": {}}}, "metrics": {{"speculative_decoding": )"
        R"({{"num_spec_steps": {}, "num_draft_tokens": {}, "num_accepted_draft_tokens": {}, "num_spec_tokens": {}, )"
        R"("per_step_accepted": [{}], "per_step_drafted": [{}]}}}}}})"
        "\n",
        r, static_cast<std::size_t>(sum) + steps, steps, steps * static_cast<std::size_t>(gamma), sum, gamma,
        text_of(rows[r], ", "), text_of(std::vector<int>(steps, gamma), ", "));
  }
  return text;
}

/// What γ = 4 gives, by the rounds that ran.
double tokens_at_4(std::vector<std::string> const& words) {
  std::vector<std::string> all = {"--cost", ".05", "--accepted-rounds"};
  all.insert(all.end(), words.begin(), words.end());
  nlohmann::json const found = document("gamma", all);
  CHECK_FALSE(found.contains("requests"));
  CHECK(found["rounds"] == 11);
  return number(found["curve"][4]["mean_tokens"]);
}

/// Without what says who counted, and in which file.
nlohmann::json by_whomever(nlohmann::json found) {
  for (char const* key : {"inputs", "engine", "format", "counts", "rates", "settings", "notes"}) found.erase(key);
  return found;
}

}  // namespace

TEST_CASE("gamma: one list of rounds is one list in brackets, in words of its own, or as Python prints it") {
  std::string const list = "3,0,2,4,1,0,3,3,2,0,1", spaced = "3, 0, 2, 4, 1, 0, 3, 3, 2, 0, 1";
  std::vector<std::string> const one = {"3", "0", "2", "4", "1", "0", "3", "3", "2", "0", "1"};
  std::vector<std::string> shell;  // [3, 0, 2, … without quotes
  for (std::size_t i = 0; i < one.size(); ++i)
    shell.push_back((i == 0 ? "[" : "") + one[i] + (i + 1 < one.size() ? "," : "]"));
  std::vector<std::vector<std::string>> const forms = {
      {list}, {"[" + list + "]"}, {spaced}, {"[" + spaced + "]"}, one, shell, {"[3 0 2 4 1 0 3 3 2 0 1]"},
      {"3 0 2 4 1 0 3 3 2 0 1"}, {"3,0,2,4,1,", "0,3,3,2,0,1"}, {"[" + list + "]", "--draft-length", "4"}};
  for (auto const& form : forms) {
    CAPTURE(form);
    CHECK(tokens_at_4(form) == Approx(1 + 19. / 11));
  }
  std::string const joined = "--accepted-rounds=[" + list + "] --cost .05";
  CHECK(number(gamma_answer(joined)["curve"][4]["mean_tokens"]) == Approx(1 + 19. / 11));
}

TEST_CASE("gamma: several lists of rounds are several requests") {
  std::vector<std::vector<std::string>> const forms = {{"3,0,1", "1,2"},     {"[3,0,1]", "[1,2]"}, {"[[3, 0, 1], [1, 2]]"},
                                                       {"3,0,1;1,2"},        {"3 0 1; 1 2"},       {"[3,0,1],", "[1,2]"},
                                                       {"[[3,0,1],[1,2]]"}, {"[3,0,1]", "1,2"}};
  for (auto words : forms) {
    CAPTURE(words);
    words.insert(words.begin(), {"--cost", ".05", "--accepted-rounds"});
    nlohmann::json const found = document("gamma", words);
    CHECK((found["requests"] == 2 && found["rounds"] == 5));
  }
  for (char const* torn : {"[3,0", "3,0]", "[[3,0]", "[[[3,0]]]"})
    CHECK(gamma_refusal(std::string("--accepted-rounds ") + torn, 2)
              .starts_with(fmt::format("--accepted-rounds {}: its brackets do not match", torn)));
}

TEST_CASE("gamma: one histogram is one list in every form, and several are several") {
  std::vector<std::vector<std::string>> const forms = {
      {"30,20,10,40"}, {"[30,20,10,40]"}, {"30", "20", "10", "40"}, {"[30, 20, 10, 40]"}, {"[30,", "20,", "10,", "40]"}};
  for (char const* option : {"--accepted", "--accepted-histogram"})
    for (auto words : forms) {
      CAPTURE(words);
      words.insert(words.begin(), {"--cost", ".05", option});
      nlohmann::json const found = document("gamma", words);
      CHECK((found["rounds"] == 100 && found["curve"].size() == 4));
      CHECK(number(found["curve"][3]["mean_tokens"]) == Approx(1 + 160. / 100));
    }
  CHECK(gamma_answer("--accepted [120,75,48,31,126] [30,17,53] --cost .1") ==
        gamma_answer("--accepted 120,75,48,31,126 30,17,53 --cost .1"));
  CHECK(gamma_answer("--accepted [[120,75,48],[30,17,53]] --cost .1")["requests"] == 2);
}

TEST_CASE("gamma: rows of rounds have one draft length, that of the longest or the one that is given") {
  TemporaryFile const rounds(".csv", csv(served));
  std::string const assumed = "The draft length is taken to be 4 tokens a round, the most that a round accepted.";
  std::string const said = unwrapped(run_line("gamma --accepted-rounds " + rounds.path() + " --cost .05").out);
  CHECK(holds(said, assumed));
  CHECK_FALSE(holds(said, "Drafts differed in length"));

  std::string const six = " --cost .05 --draft-length 6";
  nlohmann::json const longer = gamma_answer("--accepted-rounds " + rounds.path() + six);
  CHECK((longer["replay"]["gamma_ran"] == 6 && longer["replay"]["holes"] == 0));
  CHECK_FALSE(holds(unwrapped(run_line("gamma --accepted-rounds " + rounds.path() + six).out), "is taken to be"));
  CHECK(gamma_refusal("--accepted-rounds " + rounds.path() + " --draft-length 3", 2)
            .starts_with("--draft-length is 3, and a round accepted 4 (no round accepts more than it drafts)\nhint: "));
  CHECK(gamma_refusal("--accepted-rounds 1,2 --draft-length small=3", 2).starts_with("--draft-length small=3 names drafts"));
  CHECK(gamma_refusal("--accepted-histogram 3,1,2 --draft-length 2", 2) ==
        "--draft-length has no meaning with --accepted-histogram (the number of counts says how long drafts were)\n"
        "hint: leave it out");
}

TEST_CASE("gamma: rounds in their order say what the same rounds of vLLM's responses say") {
  for (Rows const& rows : {served, Rows(1, served[0]), Rows(3, {0, 0, 0, 0})}) {
    TemporaryFile const rounds(".csv", csv(rows)), vllm(".jsonl", responses(rows, 4));
    for (char const* how : {" --cost .05", "", " --cost .05 --most 6", " --cost .05 --no-bonus"}) {
      CAPTURE(how, rows.size());
      nlohmann::json const found = gamma_answer("--accepted-rounds " + rounds.path() + " --draft-length 4" + how),
                           same = gamma_answer(vllm.path() + how);
      CHECK(found["estimator"] == "replayed_rounds");
      CHECK(by_whomever(found) == by_whomever(same));
    }
  }
  // Broken drafts are said first here, too.
  TemporaryFile const none(".csv", csv(Rows(10, std::vector<int>(40, 0))));
  CHECK(run_line("gamma --accepted-rounds " + none.path() + " --cost .05").out.starts_with(
      "BROKEN: draft 1 was never accepted, in 400 rounds."));
}

TEST_CASE("gamma: fewer than 85 rounds in their order claim no set of draft lengths") {
  TemporaryFile const few(".csv", csv(Rows(served.begin(), served.begin() + 3)));
  std::string const line = "--accepted-rounds " + few.path() + " --cost .05";
  nlohmann::json const found = gamma_answer(line);
  CHECK((found["rounds"] == 75 && found["requests"] == 3 && found["confidence_set"].empty()));
  std::string const said = in_one_line(run_line("gamma " + line).out);
  CHECK(said.starts_with("Too few rounds to say (fewer than 85). As counted: γ="));
  CHECK_FALSE((holds(said, "the data allow") || holds(said, "% confidence")));
  CHECK_FALSE(gamma_answer("--accepted-rounds " + TemporaryFile(".csv", csv(served)).path() + " --cost .05")["confidence_set"].empty());
}

TEST_CASE("gamma: bad rounds are refused in words of rounds") {
  std::string const rest =
      " (a row holds what each round of one request accepted)\nhint: write what each round accepted, such as 3,0,4,1";
  for (char const* bad : {"-1", "nan", "2.5"}) {
    TemporaryFile const rounds(".csv", fmt::format("3,0,1\n1,{},2\n", bad));
    std::string const said = gamma_refusal("--accepted-rounds " + rounds.path(), 3);
    CHECK(said == fmt::format("{}: line 2: '{}' is no count{}", rounds.path(), bad, rest));
  }
  TemporaryFile const json(".jsonl", "[3, 0]\n[1, 2.5]\n");
  CHECK(gamma_refusal("--accepted-rounds " + json.path(), 3) == json.path() + ": line 2: has the count 2.5" + rest);
  CHECK(gamma_refusal("--accepted-rounds 3,2.5", 2) ==
        "--accepted-rounds: '2.5' is not a count (a whole number of at least 0)\nhint: write what each round "
        "accepted, such as 3,0,4,1");
  // A column of another meaning is no round, and one of names joins the rounds of a request.
  TemporaryFile const numbered(".csv", "round,accepted\n1,3\n2,0\n"),
      named(".csv", "request,accepted\na,3\nb,1\na,0\n");
  CHECK(gamma_refusal("--accepted-rounds " + numbered.path(), 3) ==
        numbered.path() + ": line 1: has the columns round, accepted" + rest);
  CHECK(gamma_answer("--accepted-rounds " + named.path())["requests"] == 2);
  // Rounds may all have accepted none, and begin with 0, 1, 2.
  TemporaryFile const none(".csv", "0,0,0\n0,0\n"), rising(".csv", "0,1,2\n2,0\n");
  CHECK(gamma_answer("--accepted-rounds " + none.path())["rounds"] == 5);
  CHECK(gamma_answer("--accepted-rounds " + rising.path())["rounds"] == 5);
}

}  // namespace draftgauge
