#include <catch2/catch.hpp>

#include "tests/apps/answers.h"
#include "tests/greedy_rows.h"

namespace draftgauge {
namespace {

using testing::GreedyRows;

/// Greedy rows whose tokens at these rows are the runner-up, by so many nats.
GreedyRows with_mismatches(std::vector<std::pair<std::size_t, double>> const& margins) {
  GreedyRows rows(3);
  for (auto const& [row, margin] : margins) {
    std::size_t const first = rows.by_rank(row, 0), second = rows.by_rank(row, 1);
    rows.tokens[row] = static_cast<std::int64_t>(second);
    rows.at(row, second) = rows.at(row, first) - margin;
  }
  return rows;
}

/// The same target, recorded with other passes: one lead is so many nats larger.
TemporaryFile again(GreedyRows rows, double change) {
  rows.at(0, rows.by_rank(0, 0)) += change;
  return TemporaryFile(".safetensors", rows.bytes());
}

}  // namespace

TEST_CASE("measure at temperature 0: what is certified, of text that is not greedy too") {
  Json const found = document("measure " DRAFTGAUGE_SOURCE_DIR "/data/smollm2_prune2_24.safetensors --temperature 0");
  Json const& greedy = found["greedy"];
  CHECK((greedy["tokens"] == 24 && greedy["mismatches"].is_null() && greedy["floor"].is_null()));
  CHECK(greedy["accepted"]["value"].get<double>() == found["alpha"]["value"].get<double>());
  CHECK(greedy["certified"]["value"].get<double>() <= greedy["accepted"]["value"].get<double>());
  CHECK(greedy["certified_within"].size() == 4);
}

TEST_CASE("measure at temperature 0: mismatches are near ties, or the first that is none is named") {
  GreedyRows const rows = with_mismatches({{5, .02}, {45, .8}, {50, .01}});
  TemporaryFile const file(".safetensors", rows.bytes()), second = again(rows, .05);
  std::string const line = "measure " + file.path() + " --gamma 4";
  CHECK(
      unwrapped(run_line(line).out)
          .find(
              "3 of 80 tokens of the text are not argmax p; the first is text 0, token 6: 0.02 nats below argmax p. "
              "Whether that is a near tie, --floor says") != std::string::npos);
  Json const found = document(line + " --floor " + second.path(), 1)["greedy"];
  CHECK((found["mismatches"] == 3 && found["ties"] == 2));
  CHECK(found["floor"]["margin"].get<double>() == Approx(.05).epsilon(1e-3));
  CHECK((found["first_beyond"]["text"] == "2" && found["first_beyond"]["token"] == 6));
  CHECK(found["first_beyond"]["margin"].get<double>() == Approx(.8).epsilon(1e-5));
  CHECK(unwrapped(run_line(line + " --floor " + second.path()).out)
            .find("2 near ties within 0.05 nats, the most by which two recordings of the target differ in 80 tokens. "
                  "The first that is not: text 2, token 6: 0.8 nats below argmax p.") != std::string::npos);
}

TEST_CASE("measure at temperature 0: where all are near ties the answer says so first") {
  GreedyRows const rows = with_mismatches({{5, .02}});
  TemporaryFile const file(".safetensors", rows.bytes()), second = again(rows, .05);
  std::string const line = "measure " + file.path() + " --gamma 4 --cost .1";
  CHECK(document(line, 1)["usable"] == false);  // alone, the text has a token that its target excludes
  std::string const shown = unwrapped(run_line(line + " --floor " + second.path()).out);
  CHECK(shown.starts_with("Near ties, nothing beyond the target's own passes: 1 token not argmax p."));
  CHECK(shown.find(": rejected") == std::string::npos);
  Json const found = document(line + " --floor " + second.path(), 0);
  CHECK((found["usable"] == true && found["best_gamma"].is_number()));
  // A tie counts as argmax p: as if the target had preferred the text's token.
  GreedyRows preferred = rows;
  preferred.at(5, rows.by_rank(5, 1)) += .04;
  TemporaryFile const other(".safetensors", preferred.bytes());
  Json const plain = document("measure " + other.path() + " --gamma 4 --cost .1", 0);
  CHECK(plain["tokens_per_round"] == found["tokens_per_round"]);
  CHECK(plain["alpha"] == found["alpha"]);
}

TEST_CASE("measure at temperature 0: the floor is told where every token is argmax p, too") {
  GreedyRows const rows = with_mismatches({});
  TemporaryFile const file(".safetensors", rows.bytes()), second = again(rows, .05);
  std::string const line = "measure " + file.path() + " --floor " + second.path();
  CHECK(document(line, 0)["greedy"]["floor"]["margin"].get<double>() == Approx(.05).epsilon(1e-3));
  CHECK(
      unwrapped(run_line(line).out)
          .find("All 80 tokens of the text are argmax p; two recordings of the target differ by up to 0.05 nats, and "
                "in argmax p at 0 tokens.") != std::string::npos);
}

TEST_CASE("measure at temperature 0: a floor that no rounding explains clears nothing") {
  GreedyRows const rows = with_mismatches({{5, .02}, {45, .8}});
  TemporaryFile const file(".safetensors", rows.bytes());
  // One outlier beyond any rounding, one beyond this recording's, and another model.
  GreedyRows far = rows, out = rows, model = rows;
  for (std::size_t row = 0; row < GreedyRows::rows; ++row) {
    far.at(row, rows.by_rank(row, 0)) += row == 70 ? 7.8 : .01;
    out.at(row, rows.by_rank(row, 0)) += row == 70 ? .5 : .01;
  }
  model.target = model.draft;
  for (GreedyRows const& wide : {far, out, model}) {
    TemporaryFile const second(".safetensors", wide.bytes());
    std::string const line = "measure " + file.path() + " --floor " + second.path();
    Json const found = document(line, 1)["greedy"];
    CHECK((found["ties"].is_null() && found["first_beyond"].is_null() && found["first"]["tie"].is_null()));
    CHECK(found["floor"]["plausible"] == false);
    std::string const shown = unwrapped(run_line(line).out);
    CHECK(shown.find("Near ties") == std::string::npos);
    CHECK(shown.find("Self-divergence is too wide to tell near ties: two recordings of the target differ by ") !=
          std::string::npos);
  }
  TemporaryFile const second(".safetensors", out.bytes());
  CHECK(
      unwrapped(run_line("measure " + file.path() + " --floor " + second.path()).out)
          .find("differ by up to 0.5 nats, and by up to 50 times the median difference (rounding: below ln 2, and up "
                "to 20 times). Is it the same model over the same text?") != std::string::npos);
}

TEST_CASE("measure of greedy columns: margins by log p and max p, and the floor of a second recording") {
  auto const columns = [](char const* third, char const* fifth) {
    std::string lines = "# temperature: 0\nseq\tpos\ttoken\tlogp\tlogq\tbeta\targmax_q_hit\targmax_p_hit\tmax_p\n";
    for (int pos = 0; pos < 40; ++pos) {
      std::string const at = std::to_string(pos % 20), token = std::to_string(100 + pos);
      std::string const numbers = pos == 3 ? third : pos == 25 ? fifth : "-0.5\t-0.7\t1\t1\t1\t0.60653066";
      lines += std::to_string(pos / 20) + "\t" + at + "\t" + token + "\t" + numbers + "\n";
    }
    return lines;
  };
  // ln .4 = -.9163: tokens that are .002 and .5 nats below the most likely.
  TemporaryFile const file(".tsv", columns("-0.9183\t-0.7\t1\t1\t0\t0.4", "-1.4163\t-0.7\t0\t0\t0\t0.4")),
      second(".tsv", columns("-0.9283\t-0.7\t1\t1\t0\t0.4", "-1.4163\t-0.7\t0\t0\t0\t0.4")),
      bare(".tsv", "# temperature: 0\nlogp\tlogq\targmax_q_hit\n-0.5\t-0.7\t1\n-0.5\t-0.7\t0\n");
  std::string const line = "measure " + file.path() + " --gamma 2";
  Json const alone = document(line, 1)["greedy"];
  CHECK((alone["mismatches"] == 2 && alone["ties"].is_null() && alone["certified"].is_null()));
  CHECK(alone["first"]["margin"].get<double>() == Approx(.002).margin(1e-4));
  CHECK(alone["accepted"]["value"].get<double>() == Approx(39 / 40.));
  Json const judged = document(line + " --floor " + second.path(), 1)["greedy"];
  CHECK((judged["ties"] == 1 && judged["first_beyond"]["text"] == "1" && judged["first_beyond"]["token"] == 6));
  CHECK(judged["floor"]["margin"].get<double>() == Approx(.02));
  CHECK(
      unwrapped(run_line(line + " --floor " + second.path()).out)
          .find(
              "1 near tie within 0.02 nats, twice the most by which two recordings of the target differ in log p of "
              "40 tokens.") != std::string::npos);
  check_refused("measure " + bare.path() + " --floor " + second.path(), 3,
                "it is greedy text without max_p or logarithms before temperature (how near its tokens are to a tie, "
                "nothing else says)");
  TemporaryFile const below(".tsv", columns("-0.9183\t-0.7\t1\t1\t0\t0.01", "-1.4163\t-0.7\t0\t0\t0\t0.4"));
  check_refused("measure " + below.path(), 3,
                "line 6: max_p is '0.01' (expected: at least p of the token, which is 0.399197 by logp)");
  TemporaryFile const other(".tsv",
                            "# temperature: 0\nseq\tpos\ttoken\tlogp\tlogq\tbeta\targmax_q_hit\tmax_p\n"
                            "0\t0\t5\t-0.5\t-0.7\t1\t1\t0.60653066\n");
  check_refused(line + " --floor " + other.path(), 3, "are not over the same texts");
}

}  // namespace draftgauge
