#include <catch2/catch.hpp>

#include "tests/apps/answers.h"
#include "tests/sim/temporary_file.h"

namespace draftgauge {
namespace {

/// What a library says of its own insides, or what nobody expected: nothing for a user.
void check_text(std::string const& line) {
  INFO(line);
  Run const got = run_line(line);
  INFO(got.err);
  CHECK(got.status != 0);
  for (char const* leak : {"json.exception", "[json", "parse_error", "std::", "filesystem error", "terminate",
                           "CLI::", "mistake in draftgauge", "basic_string", "bad_", "vector"})
    CHECK(got.err.find(leak) == std::string::npos);
}

TEST_CASE("what is wrong with a file is said in words of the file, not of a library") {
  auto const tensors = [](std::string const& header) { return tensor_bytes(header, ""); };
  std::pair<char const*, std::string> const files[] = {
      {".json", "x"},
      {".json", R"({"p": [[1e999]], "q": [[1]]})"},
      {".json", "{\"p\": [[\"\xff\"]], \"q\": [[1]]}"},
      {".json", R"({"p": [["1/0"]], "q": [[1]]})"},
      {".json", R"({"p": [[1], "q": [[1]]})"},
      {".json", "[1,2"},
      {".json", R"([{"logp": -1, "logq": 1e999}])"},
      {".jsonl", "{\"logp\": -1, \"logq\": -2, \"x\": \"\xff\"}\n{"},
      {".jsonl", R"({"model": 5, "n_tokens": 1, "median_ms": 1e999})"},
      {".jsonl", R"({"model": 5, "n_tokens": 1, "median_ms": 1})"},
      {".jsonl", R"({"prompt_logprobs": [null, {"x": {"logprob": "a"}}]})"},
      {".jsonl", R"({"start": 1e300, "emitted": -1})"},
      {".json", R"({"rows": 5})"},
      {".csv.gz", std::string("\x1f\x8b\x08\0\0\0", 6)},
      {".safetensors", tensors(R"({"a": })")},
      {".safetensors", tensors(R"({"a": 1e999})")},
      {".safetensors", tensors("{\"\xff\": 1}")},
      {".safetensors", tensors(R"({"a": {"dtype": "F32", "shape": [1e5], "data_offsets": [-1, 0]}})")},
      {".npz", "PK\3\4"},
      {".npy", "\x93NUMPY\1"},
      {".kld", "_logits_"},
  };
  for (auto const& [extension, bytes] : files) {
    TemporaryFile const file(extension, bytes);
    for (std::string const& line :
         {"inspect " + file.path(), "measure " + file.path(), "verify " + file.path() + " --gamma 1 --rounds 100",
          "gamma --alpha .8 --cost " + file.path(), "gamma --alpha .8 --cost .1 --verify-cost " + file.path(),
          "measure " DRAFTGAUGE_SOURCE_DIR "/data/smollm2/prune2_T1.tsv --log " + file.path(),
          "figure survival " + file.path(), "table recording " + file.path(), "report " + file.path(),
          "simulate exact-alpha:vocab=8,alpha=.6 --gamma 1 --rounds 100 --store " + file.path()})
      check_text(line);
  }
}

TEST_CASE("options of rows that cannot act on a file are refused by name, with the status of usage or of input") {
  std::string const rows = DRAFTGAUGE_SOURCE_DIR "/tests/data/rows/";
  check_refusal("measure " + rows + "real_target.kld " + rows + "real_draft.kld --shift 1", 2,
                "a shift is asked of " + rows +
                    "real_target.kld (in a .kld each row belongs to the token behind it)\nhint: leave it out");
  // transformers' layout: the last row predicts a token that is not there.
  std::string const header = R"({"input_ids":{"dtype":"I64","shape":[2],"data_offsets":[0,16]},)"
                             R"("target_logits":{"dtype":"F32","shape":[2,2],"data_offsets":[16,32]},)"
                             R"("draft_logits":{"dtype":"F32","shape":[2,2],"data_offsets":[32,48]}})";
  TemporaryFile const file(".safetensors", tensor_bytes(header, std::string(48, '\0')));
  check_refusal("measure " + file.path() + " --rows 1..2", 3,
                file.path() +
                    ": rows 1..2 have no token that they predict (each is padding, or at the end of its "
                    "sequence)\nhint: take other rows, or record them again");
}

TEST_CASE("words that the grammar of options refuses are named in its own words") {
  for (char const* line :
       {"gamma --quiet=5", "gamma --", "gamma -- x", "gamma --=x", "gamma -=", "gamma -", "gamma -o", "gamma -h=3",
        "gamma --alpha=", "gamma --alpha --cost", "gamma -Z", "gamma -oo -o", "gamma {}", "gamma --alpha {",
        "gamma --alpha=[1,2]", "gamma --no-quiet", "gamma ++", "gamma --gamma 1 2 3 --bogus", "inspect a b c d e"})
    check_text(line);
  std::string const long_word(5000, 'a');
  for (std::string const& line :
       {"inspect " + long_word, "measure " + long_word, "gamma --alpha .8 --cost " + long_word,
        "gamma --alpha .8 -o " + long_word, "gamma --accepted " + long_word, "figure survival " + long_word,
        "measure x --log " + long_word, "verify " + long_word + ".json --gamma 1"})
    check_text(line);
}

}  // namespace
}  // namespace draftgauge
