#include "sim/recordings/row_labels.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "sim/error.h"
#include "sim/recordings/row_pairs.h"
#include "tests/sim/recordings/row_files.h"

namespace draftgauge {
namespace {

using Tokens = std::vector<std::int64_t>;
using Lengths = std::vector<std::uint32_t>;

/// A safetensors file of arrays: "name": dtype, shape, bytes.
struct Array {
  std::string name, dtype, shape, bytes;
};
std::string tensors(std::vector<Array> const& arrays) {
  std::string header = "{", data;
  for (Array const& each : arrays) {
    std::size_t const begin = data.size();
    data += each.bytes;
    header += (header.size() > 1 ? "," : "") + ("\"" + each.name + "\":{\"dtype\":\"") + each.dtype +
              "\",\"shape\":[" + each.shape + "],\"data_offsets\":[" + std::to_string(begin) + "," +
              std::to_string(data.size()) + "]}";
  }
  return tensor_bytes(header + "}", data);
}

/// Rows of 3 tokens whose first logit is the row's number.
std::string numbered(int rows, int vocab = 3) {
  std::string bytes;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < vocab; ++j) bytes += raw({j == 0 ? static_cast<float>(i) : 0.f});
  return bytes;
}
std::vector<double> first_logits(RowBytes& rows, std::uint64_t step) {
  std::vector<double> const all = all_rows(rows, step);
  std::vector<double> first;
  for (std::size_t i = 0; i < all.size(); i += rows.layout().vocab) first.push_back(all[i]);
  return first;
}

struct Batch {
  std::vector<Array> labels;
  RowOptions options = {};
  std::string shape = "2,3,3";

  std::string bytes() const {
    std::vector<Array> all = labels;
    all.push_back({"target_logits", "F32", shape, numbered(6)});
    all.push_back({"draft_logits", "F32", shape, numbered(6)});
    return tensors(all);
  }
  /// Tokens, the rows that are left, and the texts.
  void check(Tokens const& tokens, std::vector<double> const& rows, Lengths const& lengths) const {
    TemporaryFile const file(".safetensors", bytes());
    RowPairs const pairs = open_row_pairs(file.path(), "", options);
    CHECK(pairs.tokens == tokens);
    CHECK(pairs.sequences == lengths);
    for (std::uint64_t const step : {1, 2, 5}) {
      CHECK(first_logits(*pairs.target, step) == rows);
      CHECK(first_logits(*pairs.draft, step) == rows);
    }
  }
  std::vector<std::string> notes() const {
    TemporaryFile const file(".safetensors", bytes());
    std::vector<std::string> all = reading_notes(file.path(), "", options);
    for (std::string& note : all) note = behind_path(note, file.path());
    return all;
  }
  std::string refused() const {
    TemporaryFile const file(".safetensors", bytes());
    return behind_path(message_of<InputError>([&] { open_row_pairs(file.path(), "", options); }), file.path());
  }
};

std::string const six = raw<std::int64_t>({0, 1, 2, 2, 1, 0}), eight = raw<std::int64_t>({0, 1, 2, 0, 2, 1, 0, 1});

TEST_CASE("each sequence of a batch is a text of its own") {
  Batch const plain{{}};
  plain.check({}, {0, 1, 2, 3, 4, 5}, {3, 3});
  CHECK(plain.notes().empty());
  Batch{{{"tokens", "I64", "2,3", six}}}.check({0, 1, 2, 2, 1, 0}, {0, 1, 2, 3, 4, 5}, {3, 3});
  Batch{{{"tokens", "I64", "6", six}}}.check({0, 1, 2, 2, 1, 0}, {0, 1, 2, 3, 4, 5}, {3, 3});
  // Rows of one text that say of themselves which it is.
  Batch{{{"sequence", "I64", "2,3", raw<std::int64_t>({7, 7, 8, 8, 8, 8})}}}.check({}, {0, 1, 2, 3, 4, 5}, {2, 4});
}

TEST_CASE("padding is left out, on either side") {
  Batch const left_and_right{
      {{"tokens", "I64", "2,3", six}, {"attention_mask", "I64", "2,3", raw<std::int64_t>({0, 1, 1, 1, 1, 0})}}};
  left_and_right.check({1, 2, 2, 1}, {1, 2, 3, 4}, {2, 2});
  CHECK(left_and_right.notes() ==
        std::vector<std::string>{"2 of 6 rows are padding or have no token that they predict; they are left out."});
  Batch{{{"lengths", "I64", "2", raw<std::int64_t>({1, 3})}}}.check({}, {0, 3, 4, 5}, {1, 3});
  Batch{{{"lengths", "I64", "2", raw<std::int64_t>({1, 3})}}, {.rows = "0..4"}}.check({}, {0, 3}, {1, 1});
}

TEST_CASE("tokens are shifted as their array's name and length say") {
  // transformers: logits[i] predicts input_ids[i + 1].
  Batch const ids{{{"input_ids", "I64", "2,3", six}}};
  ids.check({1, 2, 1, 0}, {0, 1, 3, 4}, {2, 2});
  CHECK(ids.notes() ==
        std::vector<std::string>{"row i is taken to predict input_ids[i + 1].",
                                 "2 of 6 rows are padding or have no token that they predict; they are left out."});
  Batch{{{"labels", "I64", "2,3", raw<std::int64_t>({-100, 1, 2, 2, -100, 0})}}}.check({1, 2, 0}, {0, 1, 4}, {2, 1});
  Batch{{{"tokens", "I64", "2,4", eight}}}.check({1, 2, 0, 1, 0, 1}, {0, 1, 2, 3, 4, 5}, {3, 3});
  Batch{{{"tokens", "I64", "2,3", six}}, {.shift = 1}}.check({1, 2, 1, 0}, {0, 1, 3, 4}, {2, 2});
  Batch{{{"input_ids", "I64", "2,3", six}}, {.shift = 0}}.check({0, 1, 2, 2, 1, 0}, {0, 1, 2, 3, 4, 5}, {3, 3});
  Batch{{{"input_ids", "I64", "2,3", six}, {"attention_mask", "I64", "2,3", raw<std::int64_t>({1, 1, 1, 1, 1, 0})}}}
      .check({1, 2, 1}, {0, 1, 3}, {2, 1});
  // A shift does not go from one text into the next.
  Batch{{{"input_ids", "I64", "6", six}, {"sequence", "I64", "6", raw<std::int64_t>({0, 0, 0, 0, 1, 1})}}, {}, "6,3"}
      .check({1, 2, 2, 0}, {0, 1, 2, 4}, {3, 1});
}

TEST_CASE("labels that do not fit are refused") {
  CHECK(Batch{{{"tokens", "I64", "2,2", raw<std::int64_t>({0, 1, 2, 2})}}}.refused() ==
        "tokens is I64 [2, 2] (it should hold a whole number for each of the 6 rows, or one more for each sequence) "
        "write it as I64 [6]");
  CHECK(
      Batch{{{"attention_mask", "I64", "6", six}, {"tokens", "F32", "6", numbered(2)}}}.refused() ==
      "tokens is F32 [6] (it should hold a whole number for each of the 6 rows, or one more for each sequence) write "
      "it as I64 [6]");
  CHECK(Batch{{{"attention_mask", "I64", "3,2", six}}}.refused() ==
        "attention_mask is I64 [3, 2] (it should say of each row, by 1 or 0, whether it is one) write it as I64 [2, "
        "3]");
  CHECK(Batch{{{"lengths", "I64", "6", six}}}.refused() ==
        "lengths is I64 [6] (it should hold the length of each sequence) write it as I64 [2]");
  CHECK(
      Batch{{{"attention_mask", "I64", "2,3", raw<std::int64_t>({0, 0, 0, 0, 0, 0})}}}.refused() ==
      "none of its 6 rows has a token that it predicts (all are padding, or at the end of their sequence) check its "
      "mask, its lengths and the shift of its tokens");
}

/// A target of 3 tokens and a draft of 5, of which the last two have the logit given.
std::string padded(float logit, std::string const& tokens) {
  std::string wide;
  for (int i = 0; i < 2; ++i) wide += raw({0.f, 0.f, 0.f, logit, logit});
  return tensors({{"target_logits", "F32", "2,3", numbered(2)},
                  {"draft_logits", "F32", "2,5", wide},
                  {"tokens", "I64", "2", tokens}});
}

TEST_CASE("a vocabulary's padding is left out, and said") {
  std::string const tokens = raw<std::int64_t>({0, 2});
  for (float const logit : {-INFINITY, -1000.f, -8.f}) {
    TemporaryFile const file(".safetensors", padded(logit, tokens));
    RowPairs const pairs = open_row_pairs(file.path(), "");
    CHECK(pairs.draft->layout().vocab == 3);
    CHECK(all_rows(*pairs.draft) == std::vector<double>(6, 0));
    CHECK(all_rows(*pairs.draft, 2) == std::vector<double>(6, 0));
    auto const notes = reading_notes(file.path(), "");
    REQUIRE(notes.size() == 1);
    CHECK(behind_path(notes[0], file.path()) ==
          "draft_logits: its tokens 3 to 4, which " + file.path() +
              ": target_logits lacks, are taken for padding and left out; they have a share of " +
              (logit == -8.f ? "0.00022." : "0."));
  }
  TemporaryFile const other(".safetensors", padded(-1, tokens)),
      outside(".safetensors", padded(-99, six.substr(0, 16)));
  CHECK(behind_path(message_of<InputError>([&] { open_row_pairs(other.path(), ""); }), other.path()) ==
        "draft_logits is [2, 5] but " + other.path() +
            ": target_logits is [2, 3] (padding has no mass, and its tokens 3 to 4 have a share of 0.2: the "
            "vocabularies differ) record both with one tokenizer");
  CHECK_NOTHROW(open_row_pairs(outside.path(), ""));
}

}  // namespace
}  // namespace draftgauge
