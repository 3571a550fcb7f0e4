#include "analysis/recordings/log_base.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "analysis/recordings/columns.h"
#include "analysis/recordings/logprobs/logprobs.h"
#include "analysis/recordings/row_check.h"
#include "tests/analysis/recordings/bytes_in_memory.h"
#include "tests/message.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

constexpr LogBase two = log_bases[1], ten = log_bases[2];

std::string base_error(std::string const& text, LogBase const& base = natural) {
  return message<InputError>([&] { read_columns("x", text, {.temperature = {}, .base = base}); });
}

/// Completions that list (.5, .3, .2) at each of `places` positions, to that base.
std::string completions(LogBase const& base, int places) {
  std::string names, own, lists;
  for (int i = 0; i < places; ++i) {
    auto const log = [&](double p) { return std::to_string(std::log(p) / base.ln); };
    std::string const comma = i ? ", " : "";
    names += comma + "\"a\"";
    own += comma + log(.5);
    lists += comma + R"({"a": )" + log(.5) + R"(, "b": )" + log(.3) + R"(, "c": )" + log(.2) + "}";
  }
  return R"({"choices": [{"logprobs": {"tokens": [)" + names + R"(], "token_logprobs": [)" + own +
         R"(], "top_logprobs": [)" + lists + "]}}]}\n";
}

std::string list_refused(std::string const& text) {
  return message<InputError>([&] { read_logprobs("x", text); });
}

}  // namespace

TEST_CASE("a base is known by a column's name") {
  for (auto const& [column, base, name] : {std::tuple("log2p", "2", "logp"),
                                           {"log2_q", "2", "log_q"},
                                           {"log10p", "10", "logp"},
                                           {"logp_base2", "2", "logp"},
                                           {"target_logprob_base10", "10", "target_logprob"},
                                           {"logq_log2", "2", "logq"},
                                           {"logp_bits", "2", "logp"}}) {
    auto const found = based_name(column);
    REQUIRE(found);
    CHECK((found->base.name == base && found->name == name));
  }
  for (char const* column : {"logp", "log_q", "log20", "seq", "logp_f16"}) CHECK_FALSE(based_name(column));
}

TEST_CASE("columns that are named after another base are read where that base is said") {
  std::string const text = "seq,log2p,log2q\n0,-1,-2\n0,-inf,-0.5\n";
  CHECK(base_error(text) ==
        "x, line 1: by its name the column 'log2p' holds logarithms to base 2 (natural logarithms are read) give "
        "measure `log-base` 2, or multiply them by ln 2 = 0.693147");
  CHECK(base_error(text, ten).find("holds logarithms to base 2") != std::string::npos);
  TextTrace const read = read_columns("x", text, {.temperature = {}, .base = two}).texts.at(0);
  CHECK(
      (std::exp(read.log_p[0]) == Approx(.5) && std::exp(read.log_q[0]) == Approx(.25) && std::isinf(read.log_p[1])));
  CHECK(std::exp(read_columns("x", "logp,logq\n-1,-2\n", {.temperature = {}, .base = ten}).texts[0].log_q[0]) ==
        Approx(.01));
  CHECK(base_error("logp,log2q\n-1,-2\n", two) ==
        "x, line 1: of log p and log q only 'log2q' is named after a base (both must be to one) name both so");
  // Beside the natural ones they are another column.
  CHECK(read_columns("x", "logp,logq,log2p\n-1,-2,-1.44\n").texts[0].log_p[0] == -1);
  CHECK(could_be_columns({"seq", "log10p", "log10q"}));
}

TEST_CASE("columns tell their base by the probabilities beside them") {
  auto const table = [](LogBase const& base) {
    std::string text = "logp,logq,max_p,top,q_dmax,hit\n";
    for (double const p : {.5, .3, .05, .7, .9}) {
      double const q = p * p;
      text += std::to_string(std::log(p) / base.ln) + "," + std::to_string(std::log(q) / base.ln) + "," +
              std::to_string(p) + ",1," + std::to_string(q) + ",1\n";
    }
    return text;
  };
  CHECK(read_columns("x", table(natural)).tokens() == 5);
  CHECK(base_error(table(two))
            .starts_with("x: its log p and log q are logarithms to base 2 (they fit the probabilities "
                         "beside them at all "));
  CHECK(base_error(table(ten)).starts_with("x: its log p and log q are logarithms to base 10"));
  CHECK(std::exp(read_columns("x", table(ten), {.temperature = {}, .base = ten}).texts[0].log_p[1]) ==
        Approx(.3).epsilon(1e-4));
}

TEST_CASE("listed log-probabilities tell their base by their sum") {
  CHECK(read_logprobs("x", completions(natural, 6)).texts.size() == 1);
  CHECK(
      list_refused(completions(two, 6)) ==
      "x: its log-probabilities are logarithms to base 2 (the listed ones sum to 1 so at all 6 places) give measure "
      "`log-base` 2, or multiply them by ln 2 = 0.693147");
  CHECK(list_refused(completions(two, 3)) == "(no error)");  // too few to tell
  CHECK(list_refused(completions(ten, 6)).find("if they are logarithms to base 10, which sum to 1") !=
        std::string::npos);
  ModelRecording const read =
      read_logprobs("x", completions(ten, 6), {.prompt_tokens = {}, .temperature = {}, .base = ten});
  CHECK(std::exp(read.texts[0].tokens[5].log_prob) == Approx(.5).epsilon(1e-5));
}

TEST_CASE("rows of logarithms to another base are refused") {
  auto const rows = [](double ln) {
    std::vector<float> z;
    for (int row = 0; row < 4; ++row)
      for (double const p : {.5, .3, .2}) z.push_back(static_cast<float>(std::log(p) / ln));
    return z;
  };
  auto const said = [](std::vector<float> const& z) {
    BytesInMemory bytes(3, z);
    return message<InputError>([&] { refuse_probabilities(bytes, "a.npz: logits"); });
  };
  CHECK(said(rows(1)) == "(no error)");
  CHECK(said(rows(std::log(10.))) ==
        "a.npz: logits: its rows are logarithms to base 10 (their probabilities sum to 1 so, and natural logarithms "
        "are "
        "read) multiply them by ln 10 = 2.30259");
  BytesInMemory bytes(3, rows(std::log(2.)));
  CHECK(check_rows(bytes, "a", [](std::uint64_t) {}).base->name == "2");
}

TEST_CASE("logits less their largest, of a token that is all but certain, are logarithms to no other base") {
  BaseFit fit;
  for (int row = 0; row < 8; ++row) fit.take_distribution(std::vector<double>{0, -7, -7, -7});
  CHECK(fit.looked_at() == 0);
  CHECK_FALSE(fit.other());
  for (int row = 0; row < 8; ++row) fit.take_distribution(std::vector<double>{std::log10(.8), -1, -1});
  CHECK(fit.other().value().name == "10");
}
