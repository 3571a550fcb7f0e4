#include "sim/recordings/row_pairs.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "sim/base/error.h"
#include "sim/sources/source.h"
#include "tests/content.h"
#include "tests/message.h"
#include "tests/sim/recordings/row_files.h"

namespace draftgauge {
namespace {

using Tokens = std::vector<std::int64_t>;
using Lengths = std::vector<std::uint32_t>;

constexpr auto one_model =
    ": it holds one model's rows (both models' over one text are needed) give the other's, too: draftgauge measure "
    "TARGET DRAFT, or draft=FILE in a source";

TEST_CASE("files of NumPy's and safetensors' own give the rows that were written") {
  for (auto const& [target, draft] : {std::pair("pair.npz", ""),
                                      {"packed.npz", ""},
                                      {"piped.npz", ""},
                                      {"mixed.npz", ""},
                                      {"target_f8.npy", "draft_f4.npy"},
                                      {"target_bf16.npy", "draft.safetensors"},
                                      {"target.safetensors", "draft.safetensors"},
                                      {"target_f2.npy", "alone.npz"},
                                      {"batch_f4.npy", "packed.npz"},
                                      {"packed.npz", "draft_f4.npy"}}) {
    INFO(target << " " << draft);
    for (std::uint64_t step : {1, 2, 5}) {
      RowPairs const pairs = open_row_pairs(row_file(target), *draft ? row_file(draft) : "");
      CHECK(all_rows(*pairs.target, step) == written_target());
      CHECK(all_rows(*pairs.draft, step) == written_draft());
      CHECK(all_rows(*pairs.draft, step) == written_draft());  // from the first row again
    }
  }
}

TEST_CASE("tokens, runs of rows and the temperature of the text are read where a file has them") {
  for (char const* name : {"pair.npz", "packed.npz", "target.safetensors"}) {
    INFO(name);
    ModelRows const model =
        open_model_rows(row_file(name), std::string(name).ends_with("npz") ? "target_logits" : "");
    CHECK(model.tokens == Tokens{6, 0, 3, 3, 1});
    CHECK(model.sequences == Lengths{3, 2});
    CHECK(model.names == Tokens{4, 9});
    CHECK(model.temperature == .5);
    CHECK(all_rows(*model.rows) == written_target());
  }
  ModelRows const alone = open_model_rows(row_file("alone.npz"), "", "2..4");
  CHECK((alone.tokens.empty() && alone.sequences == Lengths{1, 1} && alone.names == Tokens{4, 9}));
  CHECK((alone.rows->file_row(1) == 3 && alone.name == row_file("alone.npz") + ": my_array" && !alone.temperature));
  std::vector<double> const all = written_draft();
  CHECK(all_rows(*alone.rows) == std::vector(all.begin() + 14, all.begin() + 28));
  ModelRows const plain = open_model_rows(row_file("target_f4.npy"));
  CHECK((plain.sequences == Lengths{5} && plain.names == Tokens{0}));

  RowPairs const pairs = open_row_pairs(row_file("packed.npz"), "", {.rows = "1..5"});
  CHECK((pairs.draft->file_row(3) == 4 && pairs.tokens == Tokens{0, 3, 3, 1} && pairs.sequences == Lengths{2, 2}));
  CHECK(all_rows(*pairs.target) == [] {
    auto const rows = written_target();
    return std::vector(rows.begin() + 7, rows.end());
  }());
  CHECK((pairs.files.size() == 1 && pairs.bytes[0].size() == std::filesystem::file_size(pairs.files[0])));
  CHECK(pairs.draft_name == row_file("packed.npz") + ": draft_logits");
  // What the target's file lacks, the draft's may have.
  RowPairs const two = open_row_pairs(row_file("target_f4.npy"), row_file("packed.npz"));
  CHECK((two.tokens == Tokens{6, 0, 3, 3, 1} && two.sequences == Lengths{3, 2} && two.temperature == .5));
}

TEST_CASE("how the text's distribution was cut is read where metadata says it in numbers") {
  auto const pairs = [](std::string const& metadata) {
    TemporaryFile const file(
        ".safetensors", tensor_bytes(R"({"__metadata__":{)" + metadata +
                                         R"(},"target_logits":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]},)"
                                         R"("draft_logits":{"dtype":"F32","shape":[1,1],"data_offsets":[4,8]}})",
                                     raw({1.f, 2.f})));
    return open_row_pairs(file.path(), "");
  };
  RowPairs const cut = pairs(R"("temperature_of_text":"0.6","top_k_of_text":"40","top_p_of_text":"0.9")");
  CHECK((cut.temperature == .6 && cut.top_k == 40 && cut.top_p == .9));
  for (char const* nothing : {"", R"("top_k_of_text":"-1","top_p_of_text":"0")",
                              R"("top_k_of_text":"all","top_p_of_text":"1.5")", R"("top_k_of_text":"1.5")"}) {
    INFO(nothing);
    RowPairs const whole = pairs(nothing);
    CHECK((whole.top_k == 0 && whole.top_p == 1));
  }
}

TEST_CASE("a file's kind is in its first bytes, or in its name where they say nothing") {
  auto const kind_of = [](std::string const& path) {
    RowFileCard const* const card = row_file_kind(path);
    return card ? card->name : "none";
  };
  for (auto const& [name, kind] : {std::pair("pair.npz", ".npz"),
                                   {"target_v3.npy", ".npy"},
                                   {"real_draft.kld", ".kld"},
                                   {"draft.safetensors", ".safetensors"}})
    CHECK(kind_of(row_file(name)) == kind);
  for (RowFileCard const& card : row_file_cards()) {
    CAPTURE(card.name);
    CHECK(row_file_kind(TemporaryFile(std::string(card.name), "garbage").path()) == &card);
    CHECK(row_file_named(card.name) == &card);
    CHECK(row_file_names().find(card.name) != std::string::npos);
  }
  CHECK(row_file_named(".txt") == nullptr);
  CHECK(kind_of(TemporaryFile(".kld", content(row_file("pair.npz"))).path()) == ".npz");
  CHECK(kind_of(TemporaryFile("", tensor_bytes("{}", "")).path()) == ".safetensors");
  CHECK(kind_of(TemporaryFile(".txt", "garbage").path()) == "none");
  CHECK(kind_of(TemporaryFile("", "").path()) == "none");
  // 640 is a header's length here; its first two bytes begin a pickle of protocol 2 elsewhere.
  CHECK(kind_of(TemporaryFile("", tensor_bytes("{}" + std::string(638, ' '), "")).path()) == ".safetensors");
  CHECK(kind_of(TemporaryFile(".bin", tensor_bytes("{}", "")).path()) == ".safetensors");
  std::string const cut = tensor_bytes("{}" + std::string(638, ' '), "").substr(0, 100);
  CHECK(kind_of(TemporaryFile(".safetensors", cut).path()) == ".safetensors");
  TemporaryFile const text(".txt", "garbage");
  CHECK(pair_error(text.path()) == text.path() +
                                       ": neither its first bytes nor its name say what it is (rows are read from " +
                                       row_file_names() + ") check the path");
}

TEST_CASE("pickles are refused whatever they are called, with the Python that converts them") {
  auto const message = [](std::string const& path, std::string const& to) {
    return path + ": it is a pickle (reading one runs the program in it) convert it with Python: import torch, " +
           "safetensors.torch; x = torch.load(\"" + path + "\", map_location=\"cpu\", weights_only=True); " +
           "safetensors.torch.save_file({k: v.contiguous() for k, v in x.items()}, \"" + to + "\")";
  };
  for (char const* stem : {"protocol2", "protocol5"})
    CHECK(pair_error(row_file(stem + std::string(".pkl"))) ==
          message(row_file(stem + std::string(".pkl")), row_file(stem + std::string(".safetensors"))));
  CHECK(pair_error(row_file("torch.npz")) == message(row_file("torch.npz"), row_file("torch.safetensors")));
  for (char const* ending : {".pt", ".pth", ".bin", ".pkl", ".pickle"}) {
    TemporaryFile const file(ending, "(lp0\n.");  // protocol 0 begins like any text
    CHECK_THROWS_WITH(row_file_kind(file.path()), Catch::Contains(": it is a pickle ("));
  }
  // A name alone makes none.
  for (char const* bytes : {"logp\tlogq\n-1\t-2\n", "Not one.", "hello", "\x80", "(lp0\n", ""}) {
    TemporaryFile const file(".bin", bytes);
    CAPTURE(bytes);
    CHECK_FALSE(row_file_kind(file.path()));
    CHECK_THROWS_WITH(open_source(file.path()), Catch::Contains(": its name does not say what it holds ("));
  }
  TemporaryFile const quoted("a\"b\\.pt", "(lp0\n.");
  CHECK_THROWS_WITH(open_source(quoted.path()), Catch::Contains("a\\\"b\\\\.pt\", map_location"));
  CHECK(testing::message<InputError>([] { open_source("nowhere.pt"); }) ==
        "nowhere.pt: there is no such file (distributions and recordings are read from files and pipes) check the "
        "path");
  std::string const zip = content(row_file("torch.npz"));
  TemporaryFile const broken(".pt", zip.substr(0, zip.size() / 2));
  CHECK(testing::message<InputError>([&] { row_file_kind(broken.path()); }) ==
        broken.path() +
            ": it is the beginning of a zip archive with a pickle's name, as torch.save writes, and not a whole one "
            "(the "
            "file was cut short or damaged) copy it again, then convert it with Python");
  CHECK_THROWS_WITH(open_row_file(TemporaryFile(".pt", zip).path()), Catch::Contains(": it is a pickle ("));
  CHECK(testing::message<InputError>([] { open_source("npz:file=" + row_file("torch.npz")); }) ==
        message(row_file("torch.npz"), row_file("torch.safetensors")));
}

TEST_CASE("the array that is meant is found, or the message says what is there") {
  TemporaryFile const two(".safetensors", [] {
    std::string const shape = "\"dtype\":\"F32\",\"shape\":[1,1],";
    return tensor_bytes("{\"a\":{" + shape + "\"data_offsets\":[0,4]},\"b\":{" + shape + "\"data_offsets\":[4,8]}}",
                        raw({1.f, 2.f}));
  }());
  CHECK(pair_error(two.path()) == two.path() +
                                      ": there is no tensor 'target_logits' (it holds a, b) name one with "
                                      "`target-key` NAME (target-key=NAME in a source)");
  CHECK(pair_error(two.path(), "", {.target_key = "a"}) ==
        two.path() +
            ": there is no tensor 'draft_logits' (it holds a, b) name one with `draft-key` NAME (draft-key=NAME in a "
            "source)");
  CHECK(pair_error(two.path(), "", {.target_key = "a", .draft_key = "b"}) == "(no error)");
  CHECK(rows_error(two.path()) ==
        two.path() +
            ": there is no tensor 'logits' (it holds a, b) name one with `target-key` NAME (target-key=NAME in a "
            "source)");
  CHECK(all_rows(*open_model_rows(two.path(), "b").rows) == std::vector{2.});
  CHECK(pair_error(row_file("target.safetensors")) == row_file("target.safetensors") + one_model);
  TemporaryFile const zip(".npz", "PK\5\6" + std::string(18, '\0'));
  CHECK(pair_error(zip.path()) == zip.path() +
                                      ": it is a zip archive without .npy arrays (rows are read from arrays) "
                                      "unpack it, and give what was in it");
  CHECK(pair_error(row_file("mixed.npz"), "", {.draft_key = "notes"}) ==
        row_file("mixed.npz") +
            ": notes has the type '<U17' (arrays of f2, f4, f8, bfloat16 and integers are read) save " +
            "x.astype('<f4')");
  CHECK(pair_error(row_file("fortran.npy"), row_file("draft_f4.npy")).find(": array is in Fortran order") !=
        std::string::npos);
  CHECK(pair_error(row_file("integers.npy"), row_file("draft_f4.npy")) ==
        row_file("integers.npy") +
            ": array is I64 [2, 3] (logits are F16, BF16, F32 or F64 of the shape [rows, vocab] or [batch, rows, "
            "vocab]) " +
            "name another with `target-key` NAME (target-key=NAME in a source)");
  CHECK(pair_error(row_file("empty.npy"), row_file("draft_f4.npy")) ==
        row_file("empty.npy") +
            ": array is [0, 3] (1 to 4194304 tokens and at least one row can be handled) record " + "it again");
  CHECK(pair_error(row_file("bzip2.npz")).find("its member 'logits.npy' is packed by method 12") !=
        std::string::npos);
}

TEST_CASE("one model's file alone, or two that do not fit, are refused") {
  for (char const* name : {"target_f4.npy", "real_target.kld"}) {
    CHECK(pair_error(row_file(name)) == row_file(name) + one_model);
  }
  CHECK(
      pair_error(row_file("target_f4.npy"), row_file("real_draft.kld")) ==
      row_file("target_f4.npy") + ": array is [5, 7] but " + row_file("real_draft.kld") +
          ": log-probabilities is [3, 49152] (rows and tokens of the two must be the same) record both on one text " +
          "with one tokenizer");
  std::string const arrays = "\"logits\":{\"dtype\":\"F32\",\"shape\":[5,7],\"data_offsets\":[40,180]},";
  auto const labelled = [&](std::int64_t third) {
    return tensor_bytes("{" + arrays + "\"tokens\":{\"dtype\":\"I64\",\"shape\":[5],\"data_offsets\":[0,40]}}",
                        raw<std::int64_t>({6, 0, third, 3, 1}) + std::string(140, '\0'));
  };
  TemporaryFile const same(".safetensors", labelled(3)), other(".safetensors", labelled(2)),
      outside(".safetensors", labelled(7));
  CHECK(pair_error(row_file("pair.npz"), same.path()) == "(no error)");
  CHECK(pair_error(row_file("pair.npz"), other.path()) ==
        row_file("pair.npz") + ": tokens, row 2 is 3, but in " + other.path() +
            " it is 2 (rows of the two must be about the same places of one text) record both on one text");
  CHECK(pair_error(row_file("target_f4.npy"), outside.path()) ==
        outside.path() + ": tokens, row 2 is 7 (the rows have the tokens 0 to 6) record the file again");
}

TEST_CASE("a temperature must be one") {
  auto const with = [](std::string const& dtype, std::string const& data) {
    std::string const rows = "\"logits\":{\"dtype\":\"F32\",\"shape\":[1,1],\"data_offsets\":[0,4]},";
    return TemporaryFile(".safetensors", tensor_bytes("{" + rows + "\"temperature\":{\"dtype\":\"" + dtype +
                                                          "\",\"shape\":[],\"data_offsets\":[4," +
                                                          std::to_string(4 + data.size()) + "]}}",
                                                      std::string(4, '\0') + data));
  };
  CHECK(open_model_rows(with("I64", raw<std::int64_t>({2})).path()).temperature == 2.);
  TemporaryFile const bad = with("F64", raw({-1.}));
  CHECK(rows_error(bad.path()) ==
        bad.path() +
            ": temperature is -1.000000 (a temperature is a number of 0 or more) write it again, or leave it " +
            "out");
  TemporaryFile const truth = with("BOOL", "\1");
  CHECK(
      rows_error(truth.path()) ==
      truth.path() +
          ": temperature is BOOL [] (numbers are read of U8, I8, I16, U16, F16, BF16, I32, U32, F32, I64, U64, F64) "
          "write it as F32");
}

TEST_CASE("a damaged member is noticed by the time its rows have been read") {
  for (char const* name : {"pair.npz", "packed.npz"}) {
    std::string const bytes = content(row_file(name));
    std::size_t damaged = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      std::string broken = bytes;
      broken[i] = static_cast<char>(broken[i] ^ 0x10);
      TemporaryFile const copy(".npz", broken);
      try {
        RowPairs const pairs = open_row_pairs(copy.path(), "");
        // What is changed without notice is a field that nothing here depends on: a date, an attribute, a version.
        auto const target = all_rows(*pairs.target), draft = all_rows(*pairs.draft);
        bool const same = target == written_target() && draft == written_draft();
        if (!same) FAIL("byte " << i << " of " << name << " changed a distribution");
      } catch (InputError const&) {
        ++damaged;
      }
    }
    CHECK(damaged > bytes.size() / 2);
  }
}

TEST_CASE("sources of every format give the same distributions") {
  Source const reference =
      open_source("safetensors:file=" + row_file("target.safetensors") + ",draft=" + row_file("draft.safetensors"));
  CHECK(reference.inputs.size() == 2);
  CHECK(reference.by_content == "safetensors:file=sha256:" + reference.inputs[0].sha256 +
                                    ",draft=sha256:" + reference.inputs[1].sha256 + ",contexts=bag,temperature=1");
  for (std::string const& text : {row_file("packed.npz"), "npz:file=" + row_file("pair.npz"),
                                  "npy:target=" + row_file("target_f2.npy") + ",draft=" + row_file("draft_f4.npy"),
                                  "npy:target=" + row_file("target_bf16.npy") + ",draft=" + row_file("packed.npz")}) {
    INFO(text);
    Source const source = open_source(text);
    CHECK(open_source(source.description).description == source.description);
    REQUIRE(source.tables.rows() == 5);
    for (std::uint32_t row = 0; row < 5; ++row) {
      CHECK(std::ranges::equal(source.tables.p(row), reference.tables.p(row)));
      CHECK(std::ranges::equal(source.tables.q(row), reference.tables.q(row)));
    }
  }
  CHECK(open_source(row_file("packed.npz"), {.contexts = "path"}).recording->sequences == Lengths{3, 2});
  CHECK(open_source("npz:file=" + row_file("packed.npz") + ",rows=2..3").tables.rows() == 1);
}

TEST_CASE("a bare file of one model says how the pair is named") {
  CHECK(testing::message<UsageError>([] { open_source("x.npy"); }) ==
        "x.npy: a .npy holds the rows of one model (distributions are pairs of p and q) name both: "
        "npy:target=FILE,draft=FILE");
  CHECK(testing::message<UsageError>([] { open_source("x.kld"); }) ==
        "x.kld: a .kld holds the rows of one model (distributions are pairs of p and q) name both: "
        "kld:target=FILE,draft=FILE");
  CHECK(testing::message<UsageError>([] { open_source("kld:target=x.kld"); }) ==
        "kld: 'draft' is not given (file of the draft, of any format) add draft=");
}

}  // namespace
}  // namespace draftgauge
