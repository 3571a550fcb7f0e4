#include <catch2/catch.hpp>

#include "tests/apps/answers.h"
#include "tests/apps/counters/counter_files.h"
#include "tests/apps/shipped_files.h"
#include "tests/sim/temporary_file.h"

/// Bad news is the first line of every command that says what drafts give, and nothing is to be pasted then.
namespace draftgauge {
namespace {

/// Rounds of γ = 4 that accept so many drafts, as a vLLM server counts them by position.
std::string page_of(std::vector<int> const& by_position, int rounds = 400) {
  std::string page = "vllm:spec_decode_num_drafts_total " + std::to_string(rounds) +
                     "\nvllm:spec_decode_num_draft_tokens_total " + std::to_string(4 * rounds) + "\n";
  int all = 0;
  for (int const each : by_position) all += each;
  page += "vllm:spec_decode_num_accepted_tokens_total " + std::to_string(all) + "\n";
  for (std::size_t i = 0; i < by_position.size(); ++i)
    page += "vllm:spec_decode_num_accepted_tokens_per_pos_total{position=\"" + std::to_string(i) + "\"} " +
            std::to_string(by_position[i]) + "\n";
  return page;
}

/// Whether the answer has something to paste.
bool pastes(std::string const& out) {
  return holds(out, "--speculative-config '") || holds(out, "--speculative-num");
}

void check_alarm(std::string const& line, std::string const& first, std::string const& kind) {
  INFO(line);
  Run const done = run_line(line);
  CHECK((done.status == 0 || done.status == 4));
  CHECK(in_one_line(done.out).starts_with(first));
  CHECK_FALSE(pastes(done.out));
  CHECK(run_line(line + " --format md").out.starts_with("# " + first));
  Json const alarms = Json::parse(run_line(line + " --format json").out)["alarms"];
  REQUIRE(alarms.is_array());
  CHECK(alarms[0]["kind"] == kind);
  CHECK(alarms[0]["words"].get<std::string>().starts_with(first));
}

}  // namespace

TEST_CASE("alarms: drafts that lose are the first line of every command, and are not set up") {
  TemporaryFile const page(".txt", page_of({200, 60, 20, 5}));
  std::string const ran = "SLOWER than decoding without drafts: 0.";
  for (std::string const& line : {"measure " + page.path() + " --cost .9", "gamma " + page.path() + " --cost .9",
                                  "why " + page.path() + " --cost .9 --plain 50t/s"})
    check_alarm(line, line.starts_with("why") ? "Probably " + ran : ran, "slower");
  check_alarm("why " + page.path() + " --cost .05 --plain 50t/s --measured 30t/s",
              "SLOWER than decoding without drafts: 0.60× at γ = 4. Switch drafting off.", "slower");
  check_alarm("gamma --alpha .3 --cost .5 --for vllm",
              "SLOWER than decoding without drafts: 0.87× at best, at γ = 1. Switch drafting off.", "slower");
  for (char const* command : {"gamma ", "measure "})
    check_alarm(command + columns_file + " --cost .9", "SLOWER than decoding without drafts: 0.9", "slower");
  check_alarm("tree --accept .3,.1 --cost .9 --nodes 8",
              "SLOWER than decoding without drafts: 0.74× at best, with a tree of 3 nodes. Switch drafting off.",
              "slower");
  // What is printed in place of lines to paste is how drafting is switched off.
  std::string const off = run_line("gamma " + page.path() + " --cost .9").out;
  CHECK(holds(off, "To switch drafting off in vLLM\n\nLeave --speculative-config out.\n"));
  Json const settings = document("measure " + page.path() + " --cost .9")["settings"];
  CHECK((settings["gamma"] == 0 && settings["flags"].empty() && settings["json"].is_null()));
}

TEST_CASE("alarms: fewer than 85 rounds show no loss, and nothing is advised by them") {
  std::string const few = "Too few rounds to say (fewer than 85). ";
  TemporaryFile const page(".txt", page_of({20, 6, 2, 0}, 84)), enough(".txt", page_of({20, 6, 2, 0}, 85));
  for (std::string const& line :
       {std::string("gamma --accepted-rounds 0,0,0 --cost .1"), std::string("gamma --accepted 3,0 --cost .1"),
        std::string("gamma --accepted 1,0;2,0 --cost .1"), "gamma " + page.path() + " --cost .9",
        "measure " + page.path() + " --cost .9", "why " + page.path() + " --cost .9"}) {
    INFO(line);
    Run const done = run_line(line);
    CHECK(done.status == 0);
    CHECK(in_one_line(done.out).starts_with(few));
    for (char const* loss : {"SLOWER", "witch drafting off", "--speculative-config"})
      CHECK_FALSE(holds(done.out, loss));
    CHECK(document(line)["alarms"].empty());
  }
  for (char const* command : {"gamma ", "measure "}) {
    CHECK(document(command + page.path() + " --cost .9")["settings"].is_null());
    check_alarm(command + enough.path() + " --cost .9", "SLOWER than decoding without drafts: 0.", "slower");
  }
  CHECK_FALSE(holds(run_line("report " + page.path() + " --cost .9").out, "SLOWER"));
  // Measured times show a loss, however few rounds are counted.
  check_alarm("why " + page.path() + " --cost .05 --plain 50t/s --measured 30t/s",
              "SLOWER than decoding without drafts: 0.60× at γ = 4. Switch drafting off.", "slower");
  // A text of so few tokens shows none either.
  std::string rows = "# temperature: 1\nseq\tlogp\tlogq\n";
  for (int t = 0; t < 120; ++t) rows += std::to_string(t / 40) + "\t-0.7\t" + (t % 2 ? "-0.9" : "-3") + "\n";
  TemporaryFile const text(".tsv", rows);
  for (char const* command : {"gamma ", "measure "}) {
    std::string const said = run_line(command + text.path() + " --cost .9").out;
    CHECK(holds(said.substr(0, said.find("\n\n")), "oo little text to say"));
    CHECK(document(command + text.path() + " --cost .9")["alarms"].empty());
  }
}

TEST_CASE("alarms: a page says them first, and has no flags") {
  TemporaryFile const page(".txt", page_of({200, 60, 20, 5})), broken(".txt", page_of({200, 0, 0, 0}));
  std::string const html = run_line("report " + page.path() + " --cost .9").out;
  CHECK(holds(html, "<p class=\"lead\">SLOWER than decoding without drafts: 0."));
  CHECK(holds(html, "To switch drafting off in vLLM: leave --speculative-config out."));
  CHECK(
      holds(run_line("report " + broken.path() + " --cost .1").out, "<p class=\"lead\">BROKEN: draft 2 was never "));
  for (TemporaryFile const* each : {&page, &broken})
    CHECK_FALSE(holds(run_line("report " + each->path() + " --cost .9").out, "num_speculative_tokens"));
  CHECK(
      run_line("report --alpha .2 --cost .9 --format md").out.starts_with("# SLOWER than decoding without drafts: "));
  Json const two = document("report --alpha .2,.9 --cost .5");
  REQUIRE(two["alarms"].size() == 1);
  CHECK(two["alarms"][0]["words"].get<std::string>().starts_with("α=0.2, c=0.5: SLOWER than "));
}

TEST_CASE("alarms: broken drafts are the first line of every command, and nothing is set up for them") {
  TemporaryFile const page(".txt", page_of({200, 0, 0, 0}));
  std::string const words = "BROKEN: draft 2 was never accepted, though 200 rounds accepted all drafts before it. ";
  for (std::string const& line :
       {"measure " + page.path() + " --cost .01", "measure " + page.path(), "gamma " + page.path() + " --cost .01",
        "gamma " + page.path(), "why " + page.path() + " --cost .01", "why " + page.path()})
    check_alarm(line, words, "broken");
  CHECK(document("gamma " + page.path() + " --cost .01")["settings"].is_null());
  CHECK(in_one_line(run_line("gamma --accepted 200,200,0,0 --cost .01").out).starts_with(words));
  CHECK(in_one_line(run_line("gamma --accepted 100,100,0;90,100,0 --cost .01").out).starts_with(words));
  // A server of vLLM that drafted n-grams at temperature 1.
  CHECK(in_one_line(run_line("measure " + at("vllm_cpu_T1_before.txt") + " " + at("vllm_cpu_T1_after.txt")).out)
            .starts_with("BROKEN: draft 2 was never accepted, though 56 rounds accepted all drafts before it. "));
}

TEST_CASE("alarms: where another length pays, that is what is to be set") {
  TemporaryFile const page(".txt", page_of({320, 60, 20, 5}));
  std::string const line = page.path() + " --cost .28";
  std::string const words = in_one_line(run_line("gamma " + line).out);
  CHECK(words.starts_with("SLOWER than decoding without drafts: 0.9"));
  CHECK(holds(words, " at γ = 4. Faster by the same counts: 1.37× at γ = 1. γ=1, S=1.3672"));
  CHECK(document("gamma " + line)["settings"]["gamma"] == 1);
  CHECK(holds(run_line("why " + line).out, "\"num_speculative_tokens\":1}'"));
  // `measure` sets what ran.
  CHECK_FALSE(pastes(run_line("measure " + line).out));
  // A measured loss that the costs do not explain says nothing of other lengths.
  CHECK_FALSE(pastes(run_line("why " + page.path() + " --cost .05 --plain 50t/s --measured 40t/s").out));
  for (std::string const& good :
       {"gamma " + page.path() + " --cost .05", std::string("gamma --alpha .8 --cost .05 --for vllm")}) {
    CHECK_FALSE(document(good).contains("alarms"));
    CHECK(pastes(run_line(good).out));
  }
}

TEST_CASE("alarms: of several drafts a broken one is named, and only where all lose drafting is slower") {
  TemporaryFile const good("_good.txt", page_of({300, 250, 200, 150})), bad("_bad.txt", page_of({200, 0, 0, 0}));
  std::string const files = "gamma " + good.path() + " " + bad.path();
  Run const done = run_line(files + " --cost good=.1,bad=.1");
  CHECK(in_one_line(done.out).starts_with("bad: BROKEN: draft 2 was never accepted, "));
  CHECK(pastes(done.out));  // of the good one
  Json const lost = document(files + " --cost good=3,bad=3")["alarms"];
  REQUIRE(lost.size() == 3);
  CHECK((lost[0]["kind"] == "broken" && lost[1]["kind"] == "slower" && lost[2]["kind"] == "slower"));
  Json const both = document("measure " + columns_file +
                             " " DRAFTGAUGE_SOURCE_DIR "/data/smollm2/q2k_T1.tsv --cost 2 --gamma 1..4")["alarms"];
  CHECK(both.size() == 2);
}

TEST_CASE("alarms: by batch size a loss is said of the batch that is asked about") {
  std::string const table = " --load " DRAFTGAUGE_SOURCE_DIR "/tests/data/load/batch_table.csv";
  std::string const words = in_one_line(run_line("gamma --alpha .8" + table + " --concurrency 100").out);
  CHECK(words.starts_with("SLOWER than decoding without drafts: 0.9"));
  CHECK(holds(words,
              " at best, at γ = 1 with 100 sequences at once. Switch drafting off with so many. with 100 sequences"));
  CHECK_FALSE(document("gamma --alpha .8" + table).contains("alarms"));
  // A schedule by batch size drafts where it pays.
  CHECK(pastes(run_line("gamma --alpha .8" + table + " --concurrency 100 --for vllm").out));
  CHECK_FALSE(pastes(run_line("gamma --alpha .8" + table + " --concurrency 100 --for sglang").out));
}

}  // namespace draftgauge
