#include "sim/recordings/row_labels.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <tuple>

#include "sim/base/error.h"
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
    return behind_path(pair_error(file.path(), "", options), file.path());
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
  // Nor where positions alone tell packed texts apart, in one line of rows or in each row of a batch.
  Array const packed{"position", "I64", "6", raw<std::int64_t>({0, 1, 2, 0, 1, 2})};
  Batch{{{"input_ids", "I64", "6", six}, packed}, {}, "6,3"}.check({1, 2, 1, 0}, {0, 1, 3, 4}, {2, 2});
  Batch{{{"input_ids", "I64", "6", six}, packed}, {.shift = 2}, "6,3"}.check({2, 0}, {0, 3}, {1, 1});
  Batch{{{"input_ids", "I64", "2,3", six}, {"position", "I64", "2,3", raw<std::int64_t>({0, 1, 0, 5, 6, 7})}}}.check(
      {1, 1, 0}, {0, 3, 4}, {1, 2});
  // The token behind the last row is that row's, and positions as far apart as 64 bits go are two texts.
  Batch{{{"tokens", "I64", "7", raw<std::int64_t>({0, 1, 2, 0, 2, 1, 0})}, packed}, {}, "6,3"}.check(
      {1, 2, 2, 1, 0}, {0, 1, 3, 4, 5}, {2, 3});
  Array const ends{"position", "I64", "6", raw<std::int64_t>({INT64_MIN, INT64_MAX, 0, INT64_MIN, 0, 1})};
  Batch{{{"input_ids", "I64", "6", six}, ends}, {}, "6,3"}.check({0}, {4}, {1});
}

TEST_CASE("rows of which none has a token are refused where a range or a second file leaves none") {
  auto const padding = [](std::initializer_list<std::int64_t> mask) {
    return Array{"attention_mask", "I64", "6", raw<std::int64_t>(mask)};
  };
  std::string const padded = " have no token that they predict (each is padding, or at the end of its sequence";
  std::string const advice = ") take other rows, or record them again";
  Batch const last{{{"input_ids", "I64", "6", six}}, {.rows = "5..6"}, "6,3"};
  CHECK(last.refused() == "rows 5..6" + padded + advice);
  Batch{last.labels, {.rows = "4..6"}, "6,3"}.check({0}, {4}, {1});
  TemporaryFile const one(".safetensors", tensors({{"logits", "F32", "6,3", numbered(6)}, {last.labels[0]}}));
  CHECK(behind_path(rows_error(one.path(), "5..6"), one.path()) == "rows 5..6" + padded + advice);
  auto const half = [&](std::initializer_list<std::int64_t> mask) {
    return tensors({{"logits", "F32", "6,3", numbered(6)}, padding(mask)});
  };
  TemporaryFile const first(".safetensors", half({1, 1, 1, 0, 0, 0})),
      second(".safetensors", half({0, 0, 0, 1, 1, 1})), both(".safetensors", half({0, 0, 1, 1, 1, 1}));
  CHECK(behind_path(pair_error(first.path(), second.path()), first.path()) ==
        "rows 0..6" + padded + ", here or in " + second.path() + advice);
  CHECK(first_logits(*open_row_pairs(first.path(), both.path()).target, 1) == std::vector<double>{2});
}

TEST_CASE("a shift that no tokens take is refused and not passed over") {
  auto const refused = [](std::string const& target, std::string const& draft = "") {
    return pair_error<UsageError>(target, draft, {.shift = 1});
  };
  TemporaryFile const bare(".safetensors", Batch{{}}.bytes());
  CHECK(refused(bare.path()) == "a shift is asked of " + bare.path() + " (it has no array of tokens) leave it out");
  std::string const target = row_file("real_target.kld"), draft = row_file("real_draft.kld");
  CHECK(refused(target, draft) ==
        "a shift is asked of " + target + " (in a .kld each row belongs to the token behind it) leave it out");
  // One of two files that has tokens is enough.
  CHECK(refused(row_file("target_f4.npy"), row_file("alone.npz")) != "(no error)");
  CHECK(refused(row_file("target_f4.npy"), row_file("packed.npz")) == "(no error)");
}

TEST_CASE("a cut of the text's distribution that the target's file gives is not undone by what the draft's says") {
  auto const file = [](std::string const& metadata) {
    return tensor_bytes(
        R"({"__metadata__":{)" + metadata + R"(},"logits":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]}})",
        raw({1.f}));
  };
  TemporaryFile const draft(".safetensors",
                            file(R"("temperature_of_text":"0.6","top_k_of_text":"40","top_p_of_text":"0.5")"));
  auto const of_text = [&](std::string const& metadata) {
    TemporaryFile const target(".safetensors", file(metadata));
    RowPairs const pairs = open_row_pairs(target.path(), draft.path());
    return std::tuple(pairs.temperature, pairs.top_k, pairs.top_p);
  };
  CHECK(of_text("") == std::tuple(.6, 40u, .5));
  CHECK(of_text(R"("top_p_of_text":"0.9")") == std::tuple(.6, 0u, .9));
  CHECK(of_text(R"("top_k_of_text":"7")") == std::tuple(.6, 7u, 1.));
  CHECK(of_text(R"("temperature_of_text":"1")") == std::tuple(1., 0u, 1.));
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
  CHECK(behind_path(pair_error(other.path()), other.path()) ==
        "draft_logits is [2, 5] but " + other.path() +
            ": target_logits is [2, 3] (padding has no mass, and its tokens 3 to 4 have a share of 0.2: the "
            "vocabularies differ) record both with one tokenizer");
  CHECK_NOTHROW(open_row_pairs(outside.path(), ""));
  // Of rows that are no logits no share is known, and none is said.
  TemporaryFile const unknown(".safetensors", padded(NAN, tokens));
  auto const notes = reading_notes(unknown.path(), "");
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].ends_with(": target_logits lacks, are taken for padding and left out."));
}

}  // namespace
}  // namespace draftgauge
