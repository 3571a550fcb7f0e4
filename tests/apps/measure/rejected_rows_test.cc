#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "tests/apps/answers.h"
#include "tests/apps/exchanged_columns.h"
#include "tests/apps/run.h"
#include "tests/apps/shipped_files.h"
#include "tests/content.h"
#include "tests/sim/recordings/row_files.h"
#include "tests/sim/temporary_file.h"

namespace draftgauge {
namespace {

/// The shipped recording of full rows: its header, and the data behind it, which begin with 24 tokens.
struct Shipped {
  std::string header, data;

  Shipped() {
    std::string const bytes = content(rows_file);
    std::uint64_t length = 0;
    REQUIRE(bytes.size() > sizeof length);
    std::memcpy(&length, bytes.data(), sizeof length);
    header = bytes.substr(sizeof length, length);
    data = bytes.substr(sizeof length + length);
    REQUIRE(header.find(R"("tokens":{"dtype":"I64","shape":[24],"data_offsets":[0,192]})") != header.npos);
  }

  /// Each model's rows under the other's name.
  std::string exchanged() const {
    std::string text = header;
    std::size_t const target = text.find("\"target_logits\""), draft = text.find("\"draft_logits\"");
    REQUIRE((target != text.npos && draft < target));
    text.replace(target, 15, "\"draft_logits\"");
    text.replace(draft, 14, "\"target_logits\"");
    return tensor_bytes(text, data);
  }
  /// Row i has the token of row i + `by`, around the end.
  std::string shifted(int by) const {
    constexpr std::size_t size = 192, word = 8;
    std::size_t const first = by > 0 ? word : size - word;
    return tensor_bytes(header, data.substr(first, size - first) + data.substr(0, first) + data.substr(size));
  }
};

/// What commands say of such a file: that its text is rejected comes first, then why, then no number to go by.
void check_commands(std::string const& bytes, std::string const& cause) {
  TemporaryFile const file(".safetensors", bytes), page(".html", "");
  std::string const name = file.path().substr(file.path().rfind('/') + 1);
  std::string const rejected =
      "rejected, no figure below is to be used. This is not a text that the target would write at these "
      "distributions";
  for (char const* command : {"gamma ", "measure "}) {
    INFO(command);
    Run const got = run_line(command + file.path());
    INFO(got.out << got.err);
    CHECK(got.status == 1);
    std::string const said = unwrapped(got.out);
    CHECK(said.starts_with(name + ": " + rejected));
    CHECK(said.find(cause) < said.find("quantity"));
    CHECK(said.find(cause) != said.npos);
  }
  Run const report = run_line("report " + file.path() + " -o " + page.path());
  CHECK(report.status == 1);
  std::string const html = unwrapped(content(page.path()));
  std::size_t const lead = html.find("Its text is not one that the target would write"), why = html.find(cause);
  CHECK(lead < why);
  CHECK(why < html.find("id=\"summary\""));
  // Its arrays are sound, which is what this command is asked; whose text it is stands in its first line.
  Run const inspect = run_line("inspect " + file.path());
  CHECK(inspect.status == 0);
  CHECK(inspect.out.starts_with("The numbers are sound, but "));
  CHECK(unwrapped(inspect.out).find(cause) != std::string::npos);
}

TEST_CASE("full rows of exchanged models are rejected first of all, and the exchange is named") {
  check_commands(Shipped().exchanged(), "With the two models exchanged nothing speaks against it: are the rows of p");
}

TEST_CASE("full rows whose tokens are one off are rejected first of all, and the shift is named") {
  check_commands(
      Shipped().shifted(1),
      "With the tokens moved one row down nothing speaks against it: row i must be the distribution of token "
      "i, and here it is that of token i - 1.");
  check_commands(
      Shipped().shifted(-1),
      "With the tokens moved one row up nothing speaks against it: row i must be the distribution of token "
      "i, and here it is that of token i + 1.");
}

/// Rows of 6 texts of 200 tokens, peaked ones and flat ones, and a draft that is the target with noise. The file says
/// that the text was written at T = `said`; it is drawn from the target's rows at `temperature`. Of one seed rows are
/// the same at all temperatures.
std::string drawn_rows(double temperature, bool exchanged = false, std::uint64_t seed = 1,
                       std::string const& said = "1") {
  constexpr std::size_t vocab = 8, rows = 1200;
  std::mt19937_64 random(seed);
  auto const coin = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  std::vector<float> target, draft;
  std::vector<std::int64_t> tokens;
  for (std::size_t row = 0; row < rows; ++row) {
    double const scale = 1 + 2 * coin(), u = coin();
    std::vector<double> weights;
    double sum = 0;
    for (std::size_t x = 0; x < vocab; ++x) {
      target.push_back(static_cast<float>(-scale * std::log(-std::log(coin()))));
      draft.push_back(target.back() + static_cast<float>(2 * (coin() + coin() - 1)));
      sum += weights.emplace_back(std::exp(target.back() / temperature));
    }
    std::size_t x = 0;
    for (double below = weights[0]; x + 1 < vocab && below <= u * sum; below += weights[x]) ++x;
    tokens.push_back(static_cast<std::int64_t>(x));
  }
  if (exchanged) std::swap(target, draft);
  std::string bytes, header = R"({"__metadata__":{"temperature_of_text":")" + said + "\"}";
  auto const add = [&](std::string const& name, std::string const& dtype, std::string const& shape,
                       auto const& values) {
    std::size_t const begin = bytes.size();
    bytes.append(reinterpret_cast<char const*>(values.data()), values.size() * sizeof values[0]);
    header += ",\"" + name + R"(":{"dtype":")" + dtype + R"(","shape":[)" + shape + R"(],"data_offsets":[)" +
              std::to_string(begin) + "," + std::to_string(bytes.size()) + "]}";
  };
  std::string const n = std::to_string(rows);
  std::vector<std::int64_t> sequence;
  for (std::size_t row = 0; row < rows; ++row) sequence.push_back(static_cast<std::int64_t>(row / 200));
  add("target_logits", "F32", n + "," + std::to_string(vocab), target);
  add("draft_logits", "F32", n + "," + std::to_string(vocab), draft);
  add("tokens", "I64", n, tokens);
  add("sequence", "I64", n, sequence);
  return tensor_bytes(header + "}", bytes);
}

std::string name_in(std::string const& path) { return path.substr(path.rfind('/') + 1); }

TEST_CASE("a rejected text leads whatever temperature or truncation is asked") {
  TemporaryFile const file(".safetensors", drawn_rows(1, true)), again(".safetensors", drawn_rows(1, true, 2));
  std::string const lead =
      ": rejected, no figure below is to be used. This is not a text that the target would write at T = 1 (";
  for (char const* asked : {" --temperature .6", " --temperature 1.3", " --temperature 0", " --top-k 3",
                            " --temperature .6 --top-p .9", " --min-p .1", " --temperature .6 --estimator replay"}) {
    INFO(asked);
    for (char const* command : {"gamma --cost .1 ", "measure --cost .1 "}) {
      Run const got = run_line(command + file.path() + asked);
      INFO(got.out << got.err);
      CHECK(got.status == 1);
      CHECK(unwrapped(got.out).starts_with(name_in(file.path()) + lead));
      CHECK(unwrapped(got.out).find("With the two models exchanged nothing speaks against it") != std::string::npos);
      CHECK(got.out.find("γ=") == std::string::npos);
    }
  }
  Run const several = run_line("gamma --cost .1 --temperature .6,1 " + file.path());
  CHECK(several.status == 1);
  CHECK(several.out.find("γ=") == std::string::npos);
  for (char const* command : {"report --format md ", "table yours ", "figure survival "})
    CHECK(run_line(command + file.path() + " --temperature .6").status == 1);
  auto const pool = document("measure --pool --temperature .6 " + file.path() + " " + again.path(), 1);
  CHECK((pool["recordings"][2]["name"] == "pooled" && pool["recordings"][2]["usable"] == false));
  CHECK(document("measure --temperature .6 " + file.path(), 1)["text_check"]["checked_at"] == "T = 1");
  CHECK(document("measure " + file.path(), 1)["text_check"]["checked_at"].is_null());
}

TEST_CASE("an off-policy text is said to be one first, and goes by β of its rows") {
  TemporaryFile const one(".safetensors", drawn_rows(1));
  Run const got = run_line("gamma --cost .1 --temperature .6 " + one.path());
  CHECK(got.status == 0);
  CHECK(unwrapped(got.out).starts_with("Off-policy, the text was written at T = 1. As measured: γ="));
  CHECK(unwrapped(got.out).find(
            "The text is not a sample of these distributions: the target's own would meet other contexts. By "
            "iid, that is by β of each: replay goes by tokens that another distribution drew.") != std::string::npos);
  Run const measured = run_line("measure --cost .1 --gamma 4 --temperature .6 " + one.path());
  std::string const said = unwrapped(measured.out);
  CHECK(said.starts_with(name_in(one.path()) + ": off-policy, the text was written at T = 1: α = "));
  CHECK(said.find("What leads is by Eq. (1): replay is along tokens that another distribution drew.") !=
        std::string::npos);
  CHECK(said.find("Nothing speaks against the target having written the text at T = 1 (z: ") != std::string::npos);
  std::string const page = run_line("report --format md --cost .1 --temperature .6 " + one.path()).out;
  CHECK(unwrapped(page).find("Off-policy, the text was written at T = 1. As measured: Drafting ") < 200);
  CHECK(unwrapped(run_line("table yours --temperature .6 " + one.path()).out)
            .starts_with(name_in(one.path()) + ": Off-policy, the text was written at T = 1. Tokens per round"));

  // The truth: the same rows with a text that is written at T = .6.
  auto const tokens = [](Json const& of, char const* by) {
    return of["tokens_per_round"][0][by]["value"].get<double>();
  };
  auto const off = document("measure --gamma 4 --temperature .6 " + one.path());
  CHECK((off["estimator"] == "iid" && off["usable"] == true && off["policy"] == "off-policy"));
  TemporaryFile const on(".safetensors", drawn_rows(.6, false, 1, "0.6"));
  auto const right = document("measure --gamma 4 " + on.path());
  REQUIRE(right["policy"] == "on-policy");
  auto const& known = right["tokens_per_round"][0]["replay"];
  CHECK(tokens(off, "iid") > known["low"].get<double>());
  CHECK(tokens(off, "iid") < known["high"].get<double>());
  double const value = known["value"].get<double>();
  CHECK(std::abs(tokens(off, "iid") - value) < std::abs(tokens(off, "replay") - value) / 2);

  auto const named = document("gamma --cost .1 --temperature .6 --estimator replay " + one.path());
  CHECK(named["estimator"] == "replay");
  CHECK(unwrapped(run_line("gamma --cost .1 --temperature .6 --estimator replay " + one.path()).out)
            .starts_with("Off-policy, the text was written at T = 1. As measured: γ="));
  CHECK(document("gamma --cost .1 " + one.path())["estimator"] == "replay");
  CHECK(unwrapped(run_line("measure --gamma 4 --temperature .6,1 " + one.path()).out)
            .starts_with(name_in(one.path()) + " at T=0.6: off-policy, the text was written at T = 1. " +
                         name_in(one.path()) + " at T=1 over "));
  // Beside another temperature both go by what both know.
  CHECK(document("measure --gamma 4 --temperature .6,1 " + one.path())["comparisons"][0]["estimator"] == "iid");
}

/// A .kld of 300 rows over four tokens, each of which all but expects `expected`; the text is token 1 throughout.
std::string sure_kld(int expected) {
  std::string out = "_logits_" + raw<std::int32_t>({602, 4, 1});
  for (int t = 0; t < 602; ++t) out += raw<std::int32_t>({1});
  for (int row = 0; row < 300; ++row) {
    out += raw<float>({1, -7});
    for (int x = 0; x < 4; ++x) out += raw<std::uint16_t>({static_cast<std::uint16_t>(x == expected ? 7 : 0)});
  }
  return out;
}

/// A rejected text that nobody said the target had written leads every answer all the same;
/// the status is `status`, and 1 once somebody says so.
void check_unclaimed(std::string const& files, std::string const& lead, int status) {
  for (char const* command :
       {"measure ", "gamma --cost .1 ", "report --format md ", "inspect ", "figure survival "}) {
    INFO(command);
    bool const inspects = std::string_view(command) == "inspect ", draws = command[0] == 'f';
    Run const got = run_line(command + files), claimed = run_line(command + files + " --recorded-temperature 1");
    INFO(got.out << got.err);
    CHECK(got.status == (inspects ? 0 : status));
    CHECK(claimed.status == (inspects ? 2 : 1));  // inspect asks nobody, and has no such option
    std::string const said = unwrapped(draws ? got.err : got.out);
    if (inspects)
      CHECK(said.find("did not write the text") != said.npos);
    else
      CHECK(said.find(command[0] == 'r' ? "Its text is not one that the target would write" : lead) < 200);
  }
}

TEST_CASE("a rejected text that nobody claims for the target leads, and fails where nothing else is known of it") {
  TemporaryFile const target(".kld", sure_kld(0)), draft(".kld", sure_kld(1));
  check_unclaimed(target.path() + " " + draft.path(),
                  "rejected, no draft length and no speed-up follows from it; what is known of each position, as β, "
                  "holds.",
                  0);
  std::string columns = exchanged_columns(columns_file);
  std::string const claim = "# temperature: 1\n";
  columns.erase(columns.find(claim), claim.size());
  TemporaryFile const unclaimed(".tsv", columns);
  check_unclaimed(unclaimed.path(), "rejected, no figure below is to be used.", 1);
}

TEST_CASE("the recording as it is shipped is not rejected") {
  Shipped const shipped;
  TemporaryFile const file(".safetensors", tensor_bytes(shipped.header, shipped.data));
  for (char const* command : {"gamma ", "measure ", "inspect "}) {
    Run const got = run_line(command + file.path());
    INFO(got.out);
    CHECK(got.status == 0);
    CHECK(got.out.find("rejected") == std::string::npos);
    CHECK(got.out.find("did not write") == std::string::npos);
  }
}

}  // namespace
}  // namespace draftgauge
