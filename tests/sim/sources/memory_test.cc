#include "sim/sources/memory.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "sim/fast/engine.h"
#include "sim/play/simulation.h"
#include "tests/message.h"
#include "tests/models.h"
#include "tests/sim/temporary_file.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

std::vector<double> p_at(Source const& source, std::uint32_t row) { return source.tables.target_probabilities(row); }

std::string memory_refusal(std::string const& text) {
  return message<Error>([&] { open_source(text); });
}

using RowOfP = std::vector<double>;

}  // namespace

TEST_CASE("memory: a penalised target counts what its text has") {
  Source const source = open_source("penalised:p=\"1,1\",q=\"2,1\",frequency=1/2,counts=2");
  PairTables const& tables = source.tables;
  CHECK(tables.contexts().states == 10);  // counts of 0 to 2 of two tokens, and without memory
  CHECK(tables.beginning() == 0u);
  CHECK(source.rounding.exact());
  CHECK(p_at(source, 0) == RowOfP{.5, .5});
  std::uint32_t row = tables.contexts().after(0, 0);
  CHECK(p_at(source, row)[0] == Approx(1. / 3));
  row = tables.contexts().after(row, 0);
  CHECK(p_at(source, row) == RowOfP{.2, .8});
  CHECK(tables.contexts().after(row, 0) == row);  // counted twice at most
  CHECK(p_at(source, tables.contexts().after(row, 1))[0] == Approx(1. / 3));
  CHECK(p_at(source, tables.contexts().without_memory(row)) == RowOfP{.5, .5});
  CHECK(tables.draft_probabilities(row)[0] == Approx(2. / 3));

  Source const processed = open_source("penalised:p=\"1,1\",q=\"2,1\",frequency=1/2,counts=2,draft=processed");
  CHECK(processed.tables.draft_probabilities(tables.contexts().after(0, 0)) == RowOfP{.5, .5});
  Source const presence = open_source("penalised:p=\"1,1\",q=\"1,1\",presence=1/4");
  CHECK(presence.tables.contexts().states == 5);
  CHECK(p_at(presence, presence.tables.contexts().after(0, 1)) == RowOfP{.8, .2});
}

TEST_CASE("memory: a repetition penalty takes roots of weights above 1 and powers of others") {
  Source const exact = open_source("penalised:p=\"4,1/2\",q=\"1,1\",repetition=2");
  CHECK(exact.rounding.exact());
  CHECK(p_at(exact, exact.tables.contexts().after(0, 0)) == RowOfP{.8, .2});
  CHECK(p_at(exact, exact.tables.contexts().after(0, 1))[1] == Approx(1. / 17));
  Source const rounded = open_source("penalised:p=\"3,1/2\",q=\"1,1\",repetition=2");
  CHECK_FALSE(rounded.rounding.exact());
  CHECK(p_at(rounded, rounded.tables.contexts().after(0, 0))[0] == Approx(std::sqrt(3) / (std::sqrt(3) + .5)));
}

TEST_CASE("memory: a minimum length bars the end, and nothing follows it") {
  Source const source = open_source("min-length:p=\"1,3,2\",q=\"3,1,2\",end=2,tokens=2");
  Contexts const contexts = source.tables.contexts();
  CHECK(contexts.states == 4);
  CHECK(p_at(source, 0) == RowOfP{.25, .75, 0});
  std::uint32_t const two = contexts.after(contexts.after(0, 0), 1);
  CHECK(p_at(source, two)[2] == Approx(1. / 3));
  std::uint32_t const ended = contexts.after(two, 2);
  CHECK(p_at(source, ended) == RowOfP{0, 0, 1});
  CHECK(source.tables.draft_probabilities(ended) == RowOfP{0, 0, 1});
  CHECK(contexts.after(ended, 0) == ended);
  CHECK(source.tables.telling_tokens() == 4);
  CHECK(open_source("min-length:p=\"1,1\",q=\"1,1\",end=1,tokens=5").tables.telling_tokens() == 7);
}

TEST_CASE("memory: a grammar is an automaton in a file") {
  TemporaryFile const file(".json", "{\"next\": [[1, null, null], [1, 2, null], [0, null, 0]]}");
  std::string const text = "grammar:p=\"3,2,1\",q=\"1,1,1\",automaton=" + file.path();
  Source const source = open_source(text);
  Contexts const contexts = source.tables.contexts();
  CHECK(contexts.states == 4);
  CHECK(p_at(source, 0) == RowOfP{1, 0, 0});
  CHECK(p_at(source, contexts.after(0, 0)) == RowOfP{.6, .4, 0});
  CHECK(contexts.after(0, 1) == 0);  // not allowed
  CHECK(source.inputs.size() == 1);
  CHECK(source.identity().find("automaton=sha256:") != std::string::npos);
  CHECK(open_source(source.description).description == source.description);

  TemporaryFile const second(".json", "{\"start\": 1, \"end\": 1, \"next\": [[null, 0], [0, null]]}");
  Source const other = open_source("grammar:p=\"1,1\",q=\"1,1\",automaton=" + second.path());
  CHECK(p_at(other, 0) == RowOfP{1, 0});
  CHECK(p_at(other, other.tables.contexts().after(0, 0)) == RowOfP{0, 1});
}

TEST_CASE("memory: hostile automata are refused, and what is wrong is named") {
  auto const refused = [](std::string const& json) {
    TemporaryFile const file(".json", json);
    std::string const message = memory_refusal("grammar:p=\"1,1\",q=\"1,1\",automaton=" + file.path());
    return message.substr(message.find(file.path()) == 0 ? file.path().size() + 2 : 0);
  };
  std::string const hint = " write {\"next\": [[1, null], [0, 1]]}, optionally with \"start\" and \"end\"";
  CHECK(refused("[]") == "it has no \"next\" (it lists what follows each state)" + hint);
  CHECK(refused("{\"next\": [[0, 1]], \"more\": 1}") ==
        "there is no key \"more\" (known are next, start and end)" + hint);
  CHECK(refused("{\"next\": []}") == "\"next\" is no list of states (each state is a list)" + hint);
  CHECK(refused("{\"next\": [[0]]}") ==
        "state 0 does not list 2 tokens (each token leads to a state or is null)" + hint);
  CHECK(refused("{\"next\": [[0, 1]]}") == "state 0, token 1 is 1 (a whole number from 0 to 0)" + hint);
  CHECK(refused("{\"next\": [[0, -1]]}") == "state 0, token 1 is -1 (a whole number from 0 to 0)" + hint);
  CHECK(refused("{\"next\": [[0, 1e99]]}") == "state 0, token 1 is 1e+99 (a whole number from 0 to 0)" + hint);
  CHECK(refused("{\"next\": [[0, 0]], \"start\": 5}") == "\"start\" is 5 (a whole number from 0 to 0)" + hint);
  CHECK(refused("{\"next\": [[0, 0]], \"end\": 2}") == "\"end\" is 2 (a whole number from 0 to 1)" + hint);
  CHECK(refused("{\"next\": [[0, 0]").find("JSON") != std::string::npos);
  CHECK(refused("{\"next\": [[null, 1], [null, null]]}") ==
        "grammar: a text comes to state 1 in context 0, where no token has weight (a token has to follow) allow one "
        "there, or name the token that ends a text");
}

TEST_CASE("memory: on Markov pairs and n-gram models, and on no contexts of another kind") {
  Source const markov = open_source("penalised:base=\"markov:vocab=3,seed=7\",presence=1/2");
  Contexts const contexts = markov.tables.contexts();
  CHECK(contexts.rows == 3 * 9);
  CHECK_FALSE(markov.tables.beginning());
  Simulation const simulation(task("token", 2), markov.tables, 1);
  CHECK(simulation.starts() == std::vector<std::uint32_t>{0, 9, 18});
  CHECK(markov.description ==
        "penalised:base=\"markov:vocab=3,concentration=1/2,noise=1,seed=7\",frequency=1,presence=1/2,repetition=1,"
        "counts=8,draft=raw");
  CHECK(
      memory_refusal("penalised:base=dirichlet") ==
      "penalised: 'base' has 16 i.i.d. contexts (a memory follows the text, and so must contexts) take one context, "
      "a Markov pair or an automaton");
  CHECK(memory_refusal("penalised:base=\"penalised:p=\"\"1,1\"\",q=\"\"1,1\"\"\"") ==
        "penalised: 'base' has a memory already (a source has one) take a source without");
}

TEST_CASE("memory: what a source leaves out or gives twice is said") {
  CHECK(memory_refusal("penalised:presence=1/2") ==
        "penalised: neither 'base' nor 'p' and 'q' are given (p and q must come from somewhere) give base=SOURCE, or "
        "p=\"…\" and q=\"…\" of one context");
  CHECK(memory_refusal("penalised:p=\"1,1\"") == "penalised: 'q' is not given (a context has a p and a q) add q=");
  CHECK(memory_refusal("penalised:p=\"1,1\",q=\"1,1,1\"") ==
        "penalised: 'p' has 2 tokens and 'q' has 3 (both are over one vocabulary) list as many weights in both");
  CHECK(memory_refusal("penalised:p=\"1,-1\",q=\"1,1\"") ==
        "penalised: 'p' has the weight -1 (none is below 0) list the weights of all tokens");
  CHECK(memory_refusal("penalised:p=\"0,0\",q=\"1,1\"") ==
        "penalised: 'p' has no weight above 0 (a token has to follow) list the weights of all tokens");
  CHECK(
      memory_refusal("penalised:base=\"markov:vocab=64\",frequency=1/2") ==
      "penalised: 64 tokens that are counted up to 8 have more than 1048576 states (each is a row of p and q) take a "
      "smaller vocab or counts");
  CHECK(memory_refusal("min-length:p=\"1,1\",q=\"1,1\",end=2") ==
        "min-length: 'end' is token 2 (p and q have the tokens 0 to 1) name one of these");
  CHECK(
      memory_refusal("min-length:p=\"0,1\",q=\"1,1\",end=1") ==
      "min-length: a text comes to state 0 in context 0, where no token has weight (a token has to follow) allow one "
      "there, or name the token that ends a text");
  CHECK(memory_refusal("biased:p=\"1,1\",q=\"1,1\",factors=\"2:1\"") ==
        "biased: 'factors' has the entry '2:1' (p and q have the tokens 0 to 1) write TOKEN:FACTOR, as in "
        "factors=\"2:1/2,5:3\"");
  CHECK(memory_refusal("biased:p=\"1,1\",q=\"1,1\",factors=\"1:2,1:3\"") ==
        "biased: 'factors' has the entry '1:3' (the token stands twice) write TOKEN:FACTOR, as in "
        "factors=\"2:1/2,5:3\"");
}

TEST_CASE("memory: a bias changes p alike at every place") {
  Source const source = open_source("biased:p=\"1,1\",q=\"1,1\",factors=\"1:3\"");
  CHECK(p_at(source, 0) == RowOfP{.25, .75});
  CHECK(p_at(source, source.tables.contexts().without_memory(0)) == RowOfP{.5, .5});
}

TEST_CASE("memory: threads and vectors play the same as one trial after another") {
  for (std::string const text : {"penalised:p=\"4,2,1\",q=\"1,2,3\",frequency=1/2,counts=3",
                                 "min-length:p=\"1,3,2\",q=\"3,1,2\",end=2,tokens=3,draft=processed"})
    for (std::string const rule : {"token", "block", "faulty/state-frozen", "faulty/state-last-only",
                                   "faulty/state-of-drafts", "faulty/past-the-end"}) {
      CAPTURE(text, rule);
      Source const source = open_source(text);
      Task asked = task(rule, 3);
      asked.gram = 3;
      asked.rounds_per_trial = 8;
      Simulation const simulation(asked, source.tables, 5);
      Played const serial = simulate(simulation, {0, 500}, serial_backend(), 1);
      Played const threads = simulate(simulation, {0, 500}, cpu_backend(), 2);
      CHECK(std::ranges::equal(serial.tally.counts(), threads.tally.counts()));
    }
}
