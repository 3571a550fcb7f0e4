#include "analysis/recordings/columns.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "analysis/recordings/text_file.h"
#include "sim/recordings/row_file.h"
#include "tests/analysis/recordings/fixture.h"
#include "tests/message.h"
#include "tests/sim/temporary_file.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::string columns_error(std::string_view text, ColumnOptions const& options = {}) {
  return message<InputError>([&] { read_columns("x", text, options); });
}

}  // namespace

TEST_CASE("a token's acceptance is min(1, q/p), and 1 where both laws exclude it") {
  TextTrace text;
  text.log_p = {-1, -2, -infinity, -infinity, -1};
  text.log_q = {-2, -1, -1, -infinity, -infinity};
  CHECK(text.acceptance(0) == std::exp(-1.));
  for (std::size_t const t : {1, 2, 3}) CHECK(text.acceptance(t) == 1);
  CHECK(text.acceptance(4) == 0);
}

TEST_CASE("columns of a recorded trace are read as written") {
  TokenTrace const trace = read_columns("dir/trace.tsv", fixture_text("trace_prune2_T1.tsv"));
  CHECK((trace.name == "trace.tsv" && trace.estimated_as == "columns" && !trace.temperature && trace.notes.empty()));
  REQUIRE(trace.texts.size() == 3);
  CHECK(trace.tokens() == 120);
  TextTrace const& text = trace.texts[0];
  CHECK(text.name == "0");
  CHECK(text.tokens[1] == 1040);
  CHECK(text.log_p[0] == -0.588202299);
  CHECK(text.log_q[1] == -0.132571652);
  CHECK(text.beta[0] == 0.792196208);
  CHECK(text.entropy_p[0] == 2.29086956);
  CHECK(text.kl_pq[1] == 0.0795062438);
  CHECK((text.argmax_match[0] == 1 && text.rank_q[0] == 1));
  CHECK(text.p_of_argmax_q[1] == 0.968474913);
  CHECK(text.max_q[0] == 0.426635906);
  for (TextTrace const& each : trace.texts)
    for (std::size_t const size :
         {each.tokens.size(), each.log_q.size(), each.beta.size(), each.entropy_p.size(), each.kl_pq.size(),
          each.argmax_match.size(), each.rank_q.size(), each.p_of_argmax_q.size()})
      CHECK(size == 40);
}

TEST_CASE("two columns are enough, under any of their names and delimiters, with comments, CRLF and a mark") {
  for (std::string const text :
       {"logp\tlogq\n-1\t-inf\n-2\t-3\n", "\r\n# made by x\r\nLogP , LOG_Q\r\n-1,-inf\r\n\r\n-2,-3",
        "target_logprob;draft_logprob\n-1;-Infinity\n-2;-3", "\"logp_target\",\"logq\"\n\"-1\",-INF\n-2,-3",
        "{\"logp\": -1, \"logq\": \"-inf\"}\n{\"logq\": -3, \"logp\": -2}\n"}) {
    CAPTURE(text);
    std::string const marked = "\xef\xbb\xbf" + text;
    TokenTrace const trace = read_columns("x", text_of("x", marked));
    REQUIRE(trace.texts.size() == 1);
    CHECK(trace.texts[0].log_p == std::vector{-1., -2.});
    CHECK(trace.texts[0].log_q == std::vector{-infinity, -3.});
    CHECK((trace.texts[0].tokens.empty() && trace.texts[0].beta.empty() && trace.texts[0].argmax_match.empty()));
    CHECK(trace.texts[0].size() == 2);
  }
}

TEST_CASE("fields in quotes hold delimiters, and ids count where texts of tokens stand beside them") {
  TokenTrace const trace =
      read_columns("x", "token,id,logp,logq,text\n\",\",7,-1,-2,\"a \"\"b\"\", c\"\n\"\",8,-1,-2,x\n");
  CHECK(trace.texts[0].tokens == std::vector<std::int64_t>{7, 8});
}

TEST_CASE("texts may alternate where positions tell their order") {
  TokenTrace const trace = read_columns("x", "seq,pos,logp,logq\na,3,-1,-2\nb,0,-5,-6\na,4,-3,-4\n");
  REQUIRE(trace.texts.size() == 2);
  CHECK(trace.texts[0].name == "a");
  CHECK(trace.texts[0].log_p == std::vector{-1., -3.});
  CHECK(columns_error("seq,logp,logq\na,-1,-2\nb,-5,-6\na,-3,-4\n") ==
        "x, line 4: the text 'a' comes back after another (without a column pos it could be two recordings one after "
        "the other) add positions, or keep a text's lines together");
}

TEST_CASE("the temperature is what a comment, a column or the caller says, all the same") {
  CHECK(read_columns("x", "# temperature: 0.6\nlogp,logq\n-1,-2\n").temperature == 0.6);
  CHECK(read_columns("x", "logp,logq\n# Temperature = 1\n-1,-2\n").temperature == 1);
  CHECK(read_columns("x", "# temperatures vary\nlogp,logq\n-1,-2\n", {.temperature = .5}).temperature == .5);
  CHECK(read_columns("x", "logp,logq,temperature\n-1,-2,.7\n-1,-2,0.7\n").temperature == .7);
  CHECK(columns_error("logp,logq,temperature\n-1,-2,.7\n-1,-2,1\n") ==
        "x, line 3: the temperature is 1 here, and 0.7 elsewhere (a recording is of one distribution) give each "
        "temperature a "
        "file of its own, or correct the option");
  CHECK(columns_error("# temperature: 1\nlogp,logq\n-1,-2\n", {.temperature = .5}) ==
        "x, line 1: the temperature is 1 here, and 0.5 elsewhere (a recording is of one distribution) give each "
        "temperature a "
        "file of its own, or correct the option");
  CHECK(columns_error("# temperature: warm\n") ==
        "x, line 1: the comment's temperature is 'warm' (expected a number) correct it");
  CHECK(columns_error("# temperature: -1\n") ==
        "x, line 1: the temperature is -1 (temperatures are numbers ≥ 0) correct it");
  CHECK(message([] { read_columns("x", "", {.temperature = -1}); }) ==
        "a temperature of -1 makes no distribution (it is a number ≥ 0) write it like 0.6");
}

TEST_CASE("truncations of the distributions are what comments say") {
  TokenTrace const trace = read_columns("x", "# temperature: 0.6\n# top-k: 40\n# Top-P = 0.9\nlogp,logq\n-1,-2\n");
  CHECK((trace.temperature == 0.6 && trace.top_k == 40 && trace.top_p == 0.9));
  for (std::string const mark : {"_", " ", "-"}) {
    TokenTrace const cut = read_columns("x", "# Top" + mark + "P: 0.9\n#top" + mark + "k=40\nlogp,logq\n-1,-2\n");
    CHECK((cut.top_k == 40 && cut.top_p == 0.9));
  }
  TokenTrace const whole = read_columns("x", "# top-kinds: 40\n# top-p of it\nlogp,logq\n-1,-2\n");
  CHECK((whole.top_k == 0 && whole.top_p == 1));
  // The largest logit's law has nothing to cut.
  TokenTrace const greedy = read_columns("x", "# temperature: 0\n# top-k: 40\nlogp,logq,hit\n-1,-2,1\n");
  CHECK(greedy.top_k == 0);
  CHECK(columns_error("# top-k: 40\nlogp,logq\n-1,-2\n# top-k: 20\n") ==
        "x, line 4: top-k is 20 here, and 40 before (a recording is of one distribution) give each distribution a "
        "file of its own");
  for (std::string const text : {"-1", "2.5", "many", "nan", "1e10", ""})
    CHECK(columns_error("# top-k: " + text + "\n") ==
          "x, line 1: the comment's top-k is " + in_quotes(text) + " (expected a whole number ≥ 0) correct it");
  for (std::string const text : {"0", "1.5", "nan", "most"})
    CHECK(columns_error("# top-p: " + text + "\n") ==
          "x, line 1: the comment's top-p is " + in_quotes(text) + " (expected a probability above 0) correct it");
}

TEST_CASE("at temperature 0 hits are what counts") {
  TokenTrace const trace = read_columns("x", fixture_text("trace_prune2_T0.tsv"), {.temperature = 0});
  std::size_t argmax_matches = 0;
  for (TextTrace const& text : trace.texts)
    for (std::size_t i = 0; i < text.size(); ++i) {
      CHECK(text.log_p[i] == 0);
      CHECK(text.log_q[i] == (text.argmax_match[i] ? 0 : -infinity));
      CHECK(text.beta[i] == text.argmax_match[i]);
      argmax_matches += text.argmax_match[i];
    }
  CHECK((argmax_matches > 60 && argmax_matches < 120));
  CHECK((trace.texts[0].entropy_p.empty() && trace.texts[0].p_of_argmax_q.empty()));
  CHECK(trace.notes.back() == "temperature 0: from the column of hits; logarithms of temperature 1 are not used");

  TokenTrace const derived = read_columns("x", "# temperature: 0\nlogp,logq,token,argmax_q\n-1,-2,5,5\n-1,-2,6,5\n");
  CHECK(derived.texts[0].argmax_match == std::vector<std::uint8_t>{1, 0});
  CHECK(derived.texts[0].beta == std::vector{1., 0.});
  TokenTrace const other = read_columns("x", "# temperature: 0\nlogp,logq,hit,top\n-1,-2,1,0\n-1,-2,0,1\n");
  CHECK(other.texts[0].log_p == std::vector{-infinity, 0.});
  CHECK(other.texts[0].beta.empty());
  CHECK(columns_error("# temperature: 0\nlogp,logq\n-1,-2\n") ==
        "x: at temperature 0 there is no column argmax_q_hit (a draft is accepted there where argmax q is the token, "
        "which logarithms do not tell) add it, or argmax_q and token");
  CHECK(
      columns_error("# temperature: 0\nlogp,logq,hit,beta\n-1,-2,1,.5\n") ==
      "x: beta is neither 0 nor 1 at temperature 0 (there it says whether argmax p = argmax q) leave the column out, "
      "or correct the temperature");
}

TEST_CASE("logarithms a rounding above 0 become 0, and the notes say so") {
  TokenTrace const trace = read_columns("x", "seq,logp,logq\n0,1e-7,-2\n0,-1,9e-7\n");
  CHECK((trace.texts[0].log_p[0] == 0 && trace.texts[0].log_q[1] == 0));
  CHECK(trace.notes ==
        std::vector<std::string>{"2 log-probabilities lie above 0 by at most 1e-06: rounding, taken as 0"});
  CHECK(
      columns_error("logp,logq\n1e-5,-2\n-1,-2\n") ==
      "x, line 2: logp is '1e-5' (expected: the natural logarithm of a probability, at most 0; -inf for a token that "
      "is excluded) correct the recording");
}

TEST_CASE("a value outside its column's domain is refused where it stands") {
  struct Case {
    std::string column, value, expected;
  };
  std::string const logarithm =
      "the natural logarithm of a probability, at most 0; -inf for a token that is excluded";
  for (Case const& each :
       std::vector<Case>{{"log_q", "nan", logarithm},
                         {"log_q", "-1e999", logarithm},
                         {"log_q", "-1x", logarithm},
                         {"log_q", "--1", logarithm},
                         {"pos", "-1", "a whole number ≥ 0"},
                         {"pos", "1.5", "a whole number ≥ 0"},
                         {"token", "-3", "a token's id, a whole number ≥ 0"},
                         {"token", "the", "a token's id, a whole number ≥ 0"},
                         {"argmax_q", "99999999999999999999", "a token's id, a whole number ≥ 0"},
                         {"beta", "1.01", "Σ min(p, q), in [0, 1]"},
                         {"beta", "-.1", "Σ min(p, q), in [0, 1]"},
                         {"beta", "NaN", "Σ min(p, q), in [0, 1]"},
                         {"entropy_p", "-1", "an entropy ≥ 0 in nats"},
                         {"kl_pq", "nan", "a divergence ≥ 0 in nats"},
                         {"hit", "2", "0 or 1"},
                         {"hit", "0.5", "0 or 1"},
                         {"rank_q", "0", "a rank, a whole number ≥ 1"},
                         {"lower_q", "1.1", "a probability"},
                         {"lower_q", "0.8", "at most 1 − q of the token, as the sum of q over other tokens"},
                         {"p_dmax", "1.1", "a probability"},
                         {"q_dmax", "-1", "a probability"}}) {
    std::string const other = each.column == "log_q" ? "" : "logq,";
    std::string const text =
        "logp," + other + each.column + "\n-1," + (other.empty() ? "" : "-1,") + each.value + "\n";
    CHECK(columns_error(text) == "x, line 2: " + each.column + " is '" + each.value +
                                     "' (expected: " + each.expected + ") correct the recording" +
                                     (other.empty() ? "" : " or leave the column out"));
  }
  CHECK(columns_error("logp,logq,beta\n-1,-1,\n") ==
        "x, line 2: beta is empty (expected: Σ min(p, q), in [0, 1]) correct the "
        "recording or leave the column out");
  CHECK(columns_error("{\"logp\": -1, \"logq\": null}\n") ==
        "x, line 1: logq is empty (expected: " + logarithm + ") correct the recording");
  CHECK(columns_error("{\"logp\": -1, \"logq\": [1]}\n") ==
        "x, line 1: logq is 'array' (expected: " + logarithm + ") correct the recording");
}

TEST_CASE("columns that contradict each other are refused") {
  CHECK(columns_error("seq,pos,logp,logq\na,0,-1,-2\na,2,-1,-2\n") ==
        "x, line 3: pos is '2' (expected: 1, since the text's last line has 0; positions of a text are consecutive) "
        "correct the recording or leave the column out");
  CHECK(columns_error("logp,logq,token,argmax_q,hit\n-1,-2,5,5,0\n") ==
        "x, line 2: hit is '0' (expected: 1, since argmax q is 5 and the token 5) correct the recording or leave the "
        "column out");
  ColumnOptions const written{.temperature = 0, .as_written = true};
  CHECK(columns_error("logp,logq,max_p\n-.75,-2,.5\n-.75,-2,.01\n", written) ==
        "x, line 3: max_p is '.01' (expected: at least p of the token, which is 0.472367 by logp) correct the "
        "recording "
        "or leave the column out");
  CHECK(read_columns("x", "logp,logq,max_p\n-.75,-2,.472366\n", written).tokens() == 1);  // six digits
  CHECK(read_columns("x", "logp,logq,max_p\n0,-2,.3\n", written).tokens() == 1);          // p of temperature 0
  CHECK(
      columns_error("logp,logq,hit,rank_q\n-1,-2,1,2\n") ==
      "x, line 2: rank_q is '2' (expected: 1, since the token is q's most likely) correct the recording or leave the "
      "column out");
}

TEST_CASE("q of the tokens whose p/q is lower is read, and is nothing at temperature 0") {
  std::string const text = "logp,logq,lower_q,hit\n-1,-2,0.25,1\n-1,-inf,1,0\n";
  TokenTrace const trace = read_columns("x", text);
  CHECK(trace.texts[0].lower_q == std::vector<double>{.25, 1});
  CHECK(read_columns("x", text, {.temperature = 0}).texts[0].lower_q == std::vector<double>{0, 0});
  CHECK(read_columns("x", "logp,logq\n-1,-2\n").texts[0].lower_q.empty());
}

TEST_CASE("a table that is not one is refused") {
  std::string const none =
      "x: there is no token in it (one line a token is expected, under a line of names) check that "
      "the recorder ran to its end";
  CHECK(columns_error("") == none);
  CHECK(columns_error("logp,logq\n") == none);
  CHECK(columns_error("# a comment\n\n") == none);
  CHECK(
      columns_error("a,b\n1,2\n") ==
      "x, line 1: no column is logp (the columns: 'a, b') (both models' log-probabilities of the token are needed) "
      "name it logp, log_p, target_logprob, logprob_target, target_logp or logp_target in the first line that is no "
      "comment");
  CHECK(columns_error("logp,b\n-1,2\n") ==
        "x, line 1: no column is logq (the columns: 'logp, b') (both models' log-probabilities of the token are "
        "needed) "
        "name it logq, log_q, draft_logprob, logprob_draft, draft_logp or logp_draft in the first line that is no "
        "comment");
  CHECK(columns_error("logp,logq,log_p\n-1,-2,-3\n") ==
        "x, line 1: the columns logp and log_p are the same thing (only one could count) leave one out");
  CHECK(columns_error("logp,logq,logq\n-1,-2,-3\n") ==
        "x, line 1: the columns logq and logq are the same thing (only one could count) leave one out");
  CHECK(columns_error("logp,logq\n-1,-2\n-1\n") ==
        "x, line 3: it has 1 fields where the header has 2 (which is which would be a guess) cut off a line that is "
        "not "
        "finished, or write the table again");
  CHECK(
      columns_error("logp,logq\n-1,-2,-3,-4,-5\n") ==
      "x, line 2: it has more fields where the header has 2 (which is which would be a guess) cut off a line that is "
      "not finished, or write the table again");
  CHECK(columns_error("logp,logq\n\"-1,-2\n") ==
        "x, line 2: a double quote is not closed (a field with a line break in it cannot be read) leave out the "
        "columns "
        "of text");
  for (char const* line : {"-1.5,\"-1\"5\n", "\"-1\" x,-2\n"})
    CHECK(columns_error("logp,logq\n" + std::string(line)) ==
          "x, line 2: text stands behind a closing double quote (which of the two is meant would be a guess) write a "
          "quote within quotes twice");
  CHECK(columns_error("logp,\"logq\"junk\n-1,-2\n")
            .starts_with("x, line 1: text stands behind a closing double quote"));
  CHECK(columns_error(std::string(2000, ',')) ==
        "x, line 1: there are more than 1000 columns (this takes a line of numbers for each token) give full rows as "
        ".safetensors");
  CHECK(columns_error("logp,logq\n" + std::string(2 << 20, '1')) ==
        "x, line 2: it has 2097152 characters (this takes one token a line) write lines of numbers");
  std::string keys = "{\"logp\":-1,\"logq\":-1";
  for (int i = 0; i < 999; ++i) keys += ",\"k" + std::to_string(i) + "\":0";
  CHECK(
      columns_error(keys + "}") ==
      "x, line 1: it has 1001 keys (this takes an object of numbers for each token) give full rows as .safetensors");
  std::string const object = " on (one token a line) write the line again";
  CHECK(read_columns("x", "{\"logp\": -1, \"logq\": -Infinity}").texts[0].log_q[0] == -infinity);
  CHECK(columns_error("{\"logp\": NaN, \"logq\": -1}").starts_with("x, line 1: logp is 'NaN' (expected: "));
  CHECK(columns_error("{\"logp\": -1,\n \"logq\": -2}") ==
        "x, line 1: it is not JSON from its byte 12 of 12" + object);
  CHECK(columns_error("{\"logp\":-1,\"logq\":-1,\"logp\":-2}") ==
        "x, line 1: it has the key 'logp' twice (readers differ in which of them they take) keep one");
  CHECK(columns_error("logp,logq\n{\"logp\": -1, \"logq\": -2}") ==
        "x, line 2: it is a JSON object in a table of fields (a file has one of the two forms) write it in one");
}

TEST_CASE("columns that are nearly there are said to be") {
  std::string const needed = " (both models' log-probabilities of the token are needed) ";
  CHECK(columns_error("pos,logp_f16,logq\n0,-1,-2\n") ==
        "x, line 1: no column is logp, but one is 'logp_f16'" + needed + "name it logp, if it is that");
  CHECK(columns_error("logp,log_qq\n-1,-2\n") ==
        "x, line 1: no column is logq, but one is 'log_qq'" + needed + "name it logq, if it is that");
  CHECK(columns_error("# T\np\tq\n.5\t.4\n") ==
        "x, line 2: no column is logp, but one is p" + needed + "take the logarithm of p and name it logp");
  CHECK(columns_error("logp,draft_prob\n-1,.4\n") == "x, line 1: no column is logq, but one is draft_prob" + needed +
                                                         "take the logarithm of draft_prob and name it logq");
  CHECK(could_be_columns({"seq", "p", "q"}));
  CHECK(could_be_columns({"logp_f16", "logq_f16"}));
  CHECK_FALSE(could_be_columns({"log", "gamma", "q"}));
}

TEST_CASE("logarithms above 0 tell what they are") {
  auto const wrong = [](int line, std::string const& value) {
    return "x, line " + std::to_string(line) + ": logp is '" + value +
           "' (expected: the natural logarithm of a probability, at most 0; -inf for a token that is excluded) ";
  };
  CHECK(columns_error("logp,logq\n0,-1\n.5,-2\n1,-3\n") ==
        wrong(3, ".5") + "take the logarithm: all of the column lies in [0, 1], as probabilities do");
  std::string const sign = "change the sign: nothing in the column is below 0, as of −ln p";
  CHECK(columns_error("logp,logq\n.5,-1\n2.5,-2\n") == wrong(2, ".5") + sign);
  CHECK(columns_error("logp,logq\ninf,-1\n0,-1\n") == wrong(2, "inf") + sign);
  CHECK(columns_error("logp,logq\n.5,.1\n.6,3\n") == wrong(2, ".5") + sign);  // the other column settles it
  CHECK(columns_error("logp,logq\n.5,-1\n-1,-2\n") == wrong(2, ".5") + "correct the recording");
}

TEST_CASE("what looks like temperature 0 is noted where no temperature is given") {
  std::string const note =
      "β is 0 or 1 everywhere: this looks like temperature 0; if it is, say `recorded-temperature` 0";
  auto const notes = [](std::string const& text) { return read_columns("x", text).notes; };
  std::string lines;
  for (int i = 0; i < 19; ++i) lines += i % 3 ? "0,-1,-2,1\n" : "0,-1,-2,0\n";
  std::string const head = "seq,logp,logq,beta\n";
  CHECK(notes(head + lines).empty());  // too few to say
  CHECK(notes(head + lines + "0,-1,-2,1\n") == std::vector{note});
  CHECK(notes(head + lines + "0,-1,-2,.9\n").empty());
  CHECK(notes("# temperature: 1\n" + head + lines + "0,-1,-2,1\n").empty());
  CHECK(notes("seq,logp,logq,beta_t1\n0,-1,-2,.5\n") == std::vector{note});
}

TEST_CASE("columns that do not say which text a line is of are one text, and a note says so") {
  TokenTrace const trace = read_columns("x", "logp,logq\n-1,-2\n-3,-1\n", {});
  CHECK(trace.texts.size() == 1);
  CHECK(trace.notes ==
        std::vector<std::string>{"no column says which text a line is of (seq): all lines are taken as one text"});
  CHECK(read_columns("x", "sequence,logp,logq\n0,-1,-2\n1,-3,-1\n", {}).notes.empty());
}

TEST_CASE("what is no text is refused before it is read") {
  auto const refused = [](std::string const& bytes) { return message<InputError>([&] { text_of("x", bytes); }); };
  CHECK(refused("") == "x: it is empty (a tool that fails leaves an empty file) make it again");
  CHECK(refused(" \r\n\t") == "x: it is empty (a tool that fails leaves an empty file) make it again");
  auto const packed = [](std::string const& name, std::string const& command) {
    return "x: it is compressed by " + name + " (text is read as it is) unpack it first: " + command + " x";
  };
  CHECK(refused("\x1f\x8b\x08") == packed("gzip", "gunzip"));
  CHECK(refused("PK\x03\x04") == packed("zip", "unzip"));
  CHECK(refused("BZh9") == packed("bzip2", "bunzip2"));
  CHECK(refused("\xfd"
                "7zXZ") == packed("xz", "unxz"));
  CHECK(refused("\x28\xb5\x2f\xfd") == packed("zstd", "unzstd"));
  CHECK(refused(std::string("\xff\xfe") + "l") == "x: it is UTF-16 (text is read as UTF-8) save it as UTF-8");
  CHECK(refused(std::string("ab\0c", 4)) ==
        "x: it is binary (this place takes text: a table, JSON, a log) give rows as one of " + row_file_names());
}

TEST_CASE("rows that are packed are to be unpacked") {
  // A gzip of the eight bytes that a .safetensors begins with, and a header.
  std::string_view const packed(
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xe3\x60\x80\x80\x6a\xa5\x0a\x25\x2b\xc3\x5a\x00\x42\x49\xdd\xbe\x0f"
      "\x00\x00\x00",
      30);
  TemporaryFile const file(".safetensors.gz", packed);
  CHECK(message<InputError>([&] { TextFile const read(file.path()); }) ==
        file.path() + ": what it packs is binary (only text is read packed) unpack it: gunzip " + file.path());
}

TEST_CASE("the text of tokens is kept as it is written, blanks at its beginning where it stands in quotes") {
  TokenTrace const lines = read_columns("x", R"({"logp": -1, "logq": -2, "piece": " the"}
{"logp": -1, "logq": -2, "piece": "\n"})");
  CHECK(lines.texts[0].pieces == std::vector<std::string>{" the", "\n"});
  CHECK(read_columns("x", "logp\tlogq\ttoken_text\n-1\t-2\t\" a\"\n").texts[0].pieces ==
        std::vector<std::string>{" a"});
  CHECK(read_columns("x", "logp\tlogq\n-1\t-2\n").texts[0].pieces.empty());
}
