#include "sim/sources/keys.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "sim/base/lists.h"
#include "sim/recordings/row_file.h"
#include "sim/sources/source.h"
#include "tests/message.h"
#include "tests/sim/temporary_file.h"

namespace draftgauge {
namespace {

std::string keys_error(std::string const& text, SourceOptions const& options = {}) {
  return testing::message<UsageError>([&] { open_source(text, options); });
}

TEST_CASE("every source says what it is and what its keys mean") {
  std::set<std::string_view> names;
  for (SourceCard const& card : source_cards()) {
    INFO(card.name);
    CHECK(names.insert(card.name).second);
    CHECK_FALSE(card.summary.empty());
    CHECK_FALSE(card.tables.empty());
    std::set<std::string_view> keys;
    for (KeyCard const& key : card.keys) {
      INFO(key.name);
      CHECK(keys.insert(key.name).second);
      CHECK_FALSE(key.meaning.empty());
      CHECK_FALSE((key.required && !key.standard.empty()));
    }
  }
  for (RowFileCard const& card : row_file_cards()) {
    INFO(card.name);
    CHECK(names.contains(card.name.substr(1)));
  }
}

TEST_CASE("the description is the source's text with nothing left out, in one spelling") {
  CHECK(open_source("exact-alpha:alpha=0.80").description == "exact-alpha:vocab=10,alpha=4/5");
  CHECK(open_source("exact-alpha:alpha=4/5,vocab=1e1").description == "exact-alpha:vocab=10,alpha=4/5");
  CHECK(open_source("zipf:vocab=2k").description ==
        "zipf:vocab=2000,exponent=1,shift=0,draft-exponent=6/5,draft-shift=0");
  CHECK(open_source("dirichlet").description == "dirichlet:vocab=10,concentration=1,contexts=16,seed=1");
  CHECK(open_source("noisy-softmax").description ==
        "noisy-softmax:vocab=50,noise=1,temperature=1,scale=3,contexts=16,seed=1");
  CHECK(open_source("markov:noise=.25").description == "markov:vocab=8,concentration=1/2,noise=1/4,seed=1");
  for (char const* text : {"exact-alpha:alpha=.3", "zipf", "markov:vocab=3", "noisy-softmax:seed=9"}) {
    std::string const once = open_source(text).description;
    CHECK(open_source(once).description == once);
  }
}

TEST_CASE("what is wrong with a source's text is said with its place") {
  CHECK(keys_error("") == "the source is empty (distributions must come from somewhere) name a file or a source");
  CHECK(keys_error("dirichlt:vocab=3") ==
        "there is no source 'dirichlt' (known: " + joined(source_cards(), &SourceCard::name) +
            ") did you mean 'dirichlet'?");
  CHECK(keys_error("zipf:vocabs=3") ==
        "zipf: there is no key 'vocabs' (known: vocab, exponent, shift, draft-exponent, draft-shift) did you mean "
        "'vocab'?");
  CHECK(keys_error("zipf:vocab=3,vocab=4") == "zipf: 'vocab' stands twice (only one could count) leave one out");
  for (char const* entry : {"vocab", "vocab="}) {
    CHECK(keys_error("zipf:" + std::string(entry)) ==
          "zipf: '" + std::string(entry) +
              "' has no value (a source is written name:key=value,key=value) give it one");
  }
  CHECK(keys_error("zipf:").find("'' has no value") != std::string::npos);
  CHECK(keys_error("zipf:vocab=3,").find("'' has no value") != std::string::npos);
  CHECK(keys_error("zipf:vocab=0") ==
        "zipf: vocab=0 is out of range (V, the number of tokens) give a number from 1 to 4194304");
  CHECK(keys_error("zipf:vocab=1G").find("vocab=1G is out of range") != std::string::npos);
  CHECK(keys_error("zipf:vocab=2.5") ==
        "zipf: vocab: '2.5' is not a count (a whole number of at least 0) write it like 1000000, 1e9 or 2.5M");
  CHECK(
      keys_error("zipf:exponent=nan") ==
      "zipf: exponent: 'nan' is not a number (decimals and ratios are read exactly) write it like 0.25, 1e-3 or 1/3");
  CHECK(keys_error("exact-alpha") ==
        "exact-alpha: 'alpha' is not given (α = Σ min(p, q), the acceptance probability) add alpha=");
  CHECK(
      keys_error("exact-alpha:alpha=1.2") ==
      "exact-alpha: alpha=1.2 is out of range (α = Σ min(p, q), the acceptance probability) give a number from 0 to "
      "1");
  CHECK(keys_error("exact-alpha:alpha=1000000000000000001/1000000000000000000").find("out of range") !=
        std::string::npos);
  CHECK(keys_error("exact-alpha:alpha=-1").find("out of range") != std::string::npos);
  CHECK(keys_error("safetensors:file=x,contexts=bags") ==
        "safetensors: there is no value of contexts 'bags' (known: bag, path) did you mean 'bag'?");
}

TEST_CASE("a value in quotes may have commas and quotes, and describes itself so") {
  for (char const* name : {"_a,b.json", "_a,\"b\".json", "_\".json", "_a=b.json"}) {
    TemporaryFile const file(name, R"({"p":[[1,0]],"q":[[1,0]]})");
    Source const source = open_source(file.path());
    CHECK(source.inputs[0].path == file.path());
    Source const again = open_source(source.description);
    CHECK(again.inputs[0].path == file.path());
    CHECK(again.description == source.description);
  }
  std::span<SourceCard const> const cards = source_cards();
  SourceCard const& json = *std::ranges::find(cards, "json", &SourceCard::name);
  Keys const quoted(json, R"(file="a,""b""",contexts="bag")");
  CHECK(quoted.text("file") == R"(a,"b")");
  CHECK(quoted.description() == R"(json:file="a,""b""",contexts=bag)");
  CHECK(Keys(json, R"(file=a"b)").description() == R"(json:file=a"b)");
  CHECK(Keys(json, R"(file="""a")").description() == R"(json:file="""a")");
  CHECK(keys_error(R"(json:file="a,b)") ==
        "json: 'file=\"a,b' has a quote that is not closed (commas within it are part of the value) end the value "
        "with \"");
  CHECK(keys_error(R"(json:file="a"b)") ==
        "json: 'file=\"a\"b' goes on behind a closing quote (a comma belongs there) write a quote within a value as "
        "\"\"");
  CHECK(keys_error(R"(json:file="")").find("'file=\"\"' has no value") != std::string::npos);
  CHECK(keys_error(R"(json:file="a",)").find("'' has no value") != std::string::npos);
}

TEST_CASE("options stand in for keys that a file's text leaves out, and are refused where nothing is read") {
  TemporaryFile const file(".json", R"({"p":[[1,0],[0,1]],"q":[[1,0],[1,0]]})");
  SourceOptions options{.contexts = "bag"};
  std::string const text = "json:file=" + file.path();
  CHECK(open_source(text, options).description == text + ",contexts=bag");
  CHECK(open_source(text + ",contexts=path", options).description == text + ",contexts=path");
  CHECK(keys_error("dirichlet", options) ==
        "`contexts` cannot be used with dirichlet (it says how a recording is read) leave it out");
  options.temperature = "0.5";
  CHECK(keys_error(text, options) == "json: there is no key 'temperature' (known: file, contexts)");
}

}  // namespace
}  // namespace draftgauge
