#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "sim/base/error.h"
#include "sim/sources/source.h"
#include "tests/message.h"
#include "tests/sim/temporary_file.h"

namespace draftgauge {
namespace {

/// A recording of two rows over three tokens, of which a test changes what it is about.
struct Small {
  std::string dtype = "F32", target_name = "target_logits", draft_name = "draft_logits";
  std::string target_shape = "2,3", draft_shape = "2,3";
  std::vector<float> target{0, 0, 0, 1, 2, 3}, draft{0, 0, 0, 3, 2, 1};
  std::string metadata;
  std::vector<std::int32_t> tokens, sequence, position;

  std::string bytes() const {
    std::string header = "{\"__metadata__\":{" + metadata + "}", data;
    auto const add = [&](std::string const& name, std::string const& type, std::string const& shape,
                         auto const& values) {
      std::size_t const begin = data.size();
      data.append(reinterpret_cast<char const*>(values.data()), values.size() * sizeof values[0]);
      header += ",\"" + name + "\":{\"dtype\":\"" + type + "\",\"shape\":[" + shape + "],\"data_offsets\":[" +
                std::to_string(begin) + "," + std::to_string(data.size()) + "]}";
    };
    add(target_name, dtype, target_shape, target);
    add(draft_name, dtype, draft_shape, draft);
    for (auto const& [name, values] :
         {std::pair("tokens", &tokens), {"sequence", &sequence}, {"position", &position}})
      if (!values->empty()) add(name, "I32", std::to_string(values->size()), *values);
    return tensor_bytes(header + "}", data);
  }
};

Source open_small(Small const& small, SourceOptions const& options = {}) {
  TemporaryFile const file(".safetensors", small.bytes());
  return open_source(file.path(), options);
}

std::string recording_error(Small const& small, SourceOptions const& options = {}) {
  TemporaryFile const file(".safetensors", small.bytes());
  std::string const message = testing::message<InputError>([&] { open_source(file.path(), options); });
  return message.starts_with(file.path() + ": ") ? message.substr(file.path().size() + 2) : "not named: " + message;
}

TEST_CASE("logits become distributions by softmax at the temperature asked for") {
  for (auto const& [text, t] : {std::pair("", 1.0), {"2", 2.0}, {"1/2", .5}}) {
    Source const source = open_small({}, {.temperature = text});
    double const a = std::exp(1 / t), b = std::exp(2 / t);
    CHECK(source.tables.target_probability(1, 1) == Approx(a / (1 + a + b)).epsilon(1e-12));
    CHECK(source.tables.draft_probability(1, 0) == Approx(b / (1 + a + b)).epsilon(1e-12));
    CHECK(source.rounding.max_tv < 1e-13);
  }
  Source const cold = open_small({}, {.temperature = "0"});
  CHECK(cold.tables.p(0)[0] == cold.tables.total(0));
  CHECK(cold.tables.p(1)[2] == cold.tables.total(1));
  CHECK(cold.tables.beta(1) == 0);
  Small half;
  half.dtype = "F16";
  half.target_shape = half.draft_shape = "2,6";
  CHECK(open_small(half).tables.vocab() == 6);
}

TEST_CASE("a recording feeds rounds as a bag or along its sequences") {
  Small small;
  small.target_shape = small.draft_shape = "6,1";
  CHECK(contexts_text(open_small(small).tables.contexts()) == "6 i.i.d. contexts");
  auto const reaches = [&] {
    Source const source = open_small(small, {.contexts = "path"});
    std::vector<std::uint32_t> out;
    for (std::uint32_t i = 0; i < source.tables.rows(); ++i) out.push_back(source.tables.reach(i));
    return out;
  };
  using Reaches = std::vector<std::uint32_t>;
  CHECK(reaches() == Reaches{6, 5, 4, 3, 2, 1});
  small.sequence = {7, 7, 7, 8, 8, 8};
  CHECK(reaches() == Reaches{3, 2, 1, 3, 2, 1});
  small.position = {4, 5, 9, 10, 11, INT32_MAX};
  CHECK(reaches() == Reaches{2, 1, 1, 2, 1, 1});
  small.sequence = {};
  CHECK(reaches() == Reaches{2, 1, 3, 2, 1, 1});
  Source const part = open_small(small, {.contexts = "path", .rows = "1..4"});
  CHECK(part.recording->sequences == Reaches{1, 2});
  CHECK(contexts_text(part.tables.contexts()) == "3 sequential contexts");
}

TEST_CASE("tokens and the temperature of the text are kept") {
  Small small;
  small.tokens = {2, 0};
  small.metadata = "\"temperature_of_text\":\"0.6\"";
  Source const source = open_small(small);
  CHECK(source.recording->tokens == std::vector<Token>{2, 0});
  CHECK(source.recording->temperature == .6);
  small.metadata = "\"temperature\":\"warm\"";
  CHECK(recording_error(small) ==
        "metadata temperature is 'warm' (a temperature is a number of 0 or more) write it again, or leave it out");
  small.metadata.clear();
  small.tokens = {2, 3};
  CHECK(recording_error(small) == "tokens, row 1 is 3 (the rows have the tokens 0 to 2) record the file again");
  small.tokens = {-1, 0};
  CHECK(recording_error(small) == "tokens, row 0 is -1 (the rows have the tokens 0 to 2) record the file again");
  small.tokens = {1, 1, 1, 1};
  CHECK(
      recording_error(small) ==
      "tokens is I32 [4] (it should hold a whole number for each of the 2 rows, or one more for each sequence) write "
      "it as I64 [2]");
}

TEST_CASE("rows that are no logits are refused by tensor, row and column") {
  Small small;
  small.target[4] = NAN;
  CHECK(recording_error(small) ==
        "target_logits, row 1, column 1 is NaN (a logit is a number, or -inf for probability 0) "
        "record the row again");
  CHECK(open_small(small, {.rows = "0..1"}).tables.rows() == 1);
  small = {};
  small.draft[0] = INFINITY;
  CHECK(recording_error(small) ==
        "draft_logits, row 0, column 0 is +inf (a logit is a number, or -inf for probability 0) "
        "record the row again");
  small.draft = {-INFINITY, -INFINITY, -INFINITY, 0, 0, 0};
  CHECK(recording_error(small) ==
        "draft_logits, row 0 is -inf throughout (no token could ever be drawn) record the row again");
  small.draft[1] = -1e30f;
  Source const source = open_small(small);
  CHECK(source.tables.q(0)[0] == 0);
  CHECK(source.tables.q(0)[1] == source.tables.total(0));
}

TEST_CASE("rows are numbered as in their file, whatever is left out before them") {
  Small small;
  small.target_shape = small.draft_shape = "6,3";
  small.target.assign(18, 0);
  small.draft.assign(18, 0);
  small.tokens = {-100, 0, -100, -100, 1, 2};
  // A row of three tokens takes 192 bytes.
  TemporaryFile const file(".safetensors", small.bytes());
  CHECK(testing::message<InputError>([&] { open_source(file.path(), {.memory_limit = 400}); }) ==
        "3 rows of 3 tokens need 576 bytes (the limit is 400 bytes, which holds 2) take a part of them with "
        "rows=1..5, or raise it with `memory`");
  CHECK(open_source(file.path(), {.rows = "1..5", .memory_limit = 400}).tables.rows() == 2);
  small.draft[5 * 3] = INFINITY;
  CHECK(
      recording_error(small) ==
      "draft_logits, row 5, column 0 is +inf (a logit is a number, or -inf for probability 0) record the row again");
  small.target[4 * 3 + 1] = NAN;
  for (char const* range : {"", "2..6"})
    CHECK(recording_error(small, {.rows = range}) ==
          "target_logits, row 4, column 1 is NaN (a logit is a number, or -inf for probability 0) record the row "
          "again");
}

TEST_CASE("a recording read on threads is the same, and so is what is said of the first bad row") {
  Source const one = open_small({}), three = open_small({}, {.threads = 3});
  CHECK(std::ranges::equal(one.tables.arrays().p, three.tables.arrays().p));
  CHECK(std::ranges::equal(one.tables.arrays().q, three.tables.arrays().q));
  CHECK(one.rounding.mean_tv == three.rounding.mean_tv);
  CHECK(one.identity() == three.identity());
  CHECK(one.inputs.at(0).sha256 == three.inputs.at(0).sha256);
  Small small;
  small.target[4] = small.target[1] = NAN;
  CHECK(recording_error(small, {.threads = 3}).starts_with("target_logits, row 0, column 1 is NaN"));
}

TEST_CASE("tensors that do not fit each other or the task are refused") {
  Small small;
  small.draft_shape = "3,2";
  CHECK(recording_error(small) ==
        "target_logits is [2, 3] but draft_logits is [3, 2] (rows and tokens of the two must be the "
        "same) record both on one text with one tokenizer");
  small = {};
  small.target_shape = "6";
  CHECK(recording_error(small) ==
        "target_logits is F32 [6] (logits are F16, BF16, F32 or F64 of the shape [rows, vocab] or [batch, rows, "
        "vocab]) name "
        "another with `target-key` NAME (target-key=NAME in a source)");
  small = {};
  small.dtype = "I32";
  CHECK(recording_error(small).starts_with("target_logits is I32 [2, 3] (logits are F16,"));
  small = {};
  small.target_shape = small.draft_shape = "2,0";
  small.target = small.draft = {};
  CHECK(recording_error(small) ==
        "target_logits is [2, 0] (1 to 4194304 tokens and at least one row can be handled) record "
        "it again");
  small.target_shape = small.draft_shape = "0,2";
  CHECK(recording_error(small).starts_with("target_logits is [0, 2] (1 to"));
}

TEST_CASE("tensors are found by the names asked for or by the usual ones") {
  Small small;
  small.target_name = "big";
  CHECK(recording_error(small) ==
        "there is no tensor 'target_logits' (it holds big, draft_logits) name one with `target-key` NAME "
        "(target-key=NAME in a source)");
  CHECK(open_small(small, {.target_key = "big"}).tables.rows() == 2);
  CHECK(recording_error(small, {.target_key = "bog"})
            .starts_with("there is no tensor 'bog' (it holds big, draft_logits)"));
  small.target_name = "p_logits";
  small.draft_name = "q_logits";
  CHECK(open_small(small).tables.rows() == 2);
}

TEST_CASE("ranges of rows stay within the recording") {
  CHECK(open_small({}, {.rows = "1..2"}).tables.rows() == 1);
  for (char const* rows : {"1..1", "0..3", "2..1"}) {
    CHECK(recording_error({}, {.rows = rows}) ==
          "it has no rows " + std::string(rows) + " (it holds 0..2, the last not included) ask for rows within");
  }
  for (char const* rows : {"1", "..", "a..b", "0..1..2", "-1..2", "0..9999999999999999999"}) {
    CHECK(testing::message<UsageError>([&] { open_small({}, {.rows = rows}); }) ==
          "safetensors: rows=" + std::string(rows) +
              " is not a range (rows are numbered from 0) write it like 0..24");
  }
  // A row of three tokens: 3 tables of 4 entries of 12 bytes, 2·3 weights of 8.
  std::string const raise = ", or raise it with `memory`";
  auto const refusal = [](SourceOptions const& options) {
    return testing::message<InputError>([&] { open_small({}, options); });
  };
  CHECK(refusal({.memory_limit = 384}) == "(no error)");
  CHECK(
      refusal({.memory_limit = 383}) ==
      "2 rows of 3 tokens need 384 bytes (the limit is 383 bytes, which holds 1) take a part of them with rows=0..1" +
          raise);
  CHECK(
      refusal({.rows = "1..2", .memory_limit = 100}) ==
      "1 rows of 3 tokens need 192 bytes (the limit is 100 bytes, which holds 0) take a recording over fewer tokens" +
          raise);
}

/// A table of figures computed elsewhere: the column of that name.
std::vector<double> column(std::string const& path, std::string const& name) {
  std::ifstream file(path);
  std::string line, cell;
  REQUIRE(std::getline(file, line));
  std::istringstream names(line);
  std::size_t index = 0;
  for (; std::getline(names, cell, '\t') && cell != name;) ++index;
  REQUIRE(cell == name);
  std::vector<double> values;
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    for (std::size_t i = 0; i <= index; ++i) std::getline(cells, cell, '\t');
    values.push_back(std::stod(cell));
  }
  return values;
}

/// Compares each row's β, log p and log q of the token with the figures in the .tsv beside the recording.
void compare(std::string const& stem) {
  Source const source = open_source(stem + ".safetensors");
  auto const beta = column(stem + ".tsv", "beta_f16");
  auto const log_p = column(stem + ".tsv", "logp_f16");
  auto const log_q = column(stem + ".tsv", "logq_f16");
  REQUIRE(source.tables.rows() == beta.size());
  for (std::uint32_t row = 0; row < source.tables.rows(); ++row) {
    INFO(stem << " row " << row);
    Token const token = source.recording->tokens.at(row);
    CHECK(std::abs(source.tables.beta(row) - beta[row]) < 1e-6);
    CHECK(std::abs(std::log(source.tables.target_probability(row, token)) - log_p[row]) < 1e-6);
    CHECK(std::abs(std::log(source.tables.draft_probability(row, token)) - log_q[row]) < 1e-6);
  }
  CHECK(source.rounding.max_tv < 1e-9);
  CHECK(source.recording->temperature == 1);
}

TEST_CASE("the recording in data/ has the β that another program computed") {
  std::string const stem = DRAFTGAUGE_SOURCE_DIR "/data/smollm2_prune2_24";
  compare(stem);
  Source const path = open_source(stem + ".safetensors", {.contexts = "path"});
  CHECK(path.tables.reach(0) == 24);
  CHECK(path.inputs.at(0).sha256 == "755ac8dea7c20764f1daf45cc9b8f2d80c80eadc5af01a2e34861f06ba263565");
}

}  // namespace
}  // namespace draftgauge
