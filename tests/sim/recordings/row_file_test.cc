#include "sim/recordings/row_file.h"

#include <catch2/catch.hpp>

#include "sim/base/error.h"
#include "sim/recordings/row_pairs.h"
#include "tests/sim/recordings/row_files.h"

namespace draftgauge {
namespace {

constexpr std::uint64_t letters = 4;

/// Rows that are converted when they are asked for: a letter is a logit, 'a' is 0.
class LetterRows : public RowBytes {
 public:
  LetterRows(std::uint64_t begin, std::uint64_t end, std::shared_ptr<MappedFile const> file)
      : RowBytes({Encoding::f32, end - begin, letters}, begin), file_(std::move(file)) {}

  std::span<std::uint8_t const> rows(std::uint64_t begin, std::uint64_t count) override {
    converted_.clear();
    for (char const c : file_->text().substr(file_row(begin) * letters, count * letters))
      converted_.push_back(static_cast<float>(c - 'a'));
    return {reinterpret_cast<std::uint8_t const*>(converted_.data()), 4 * converted_.size()};
  }

 private:
  std::shared_ptr<MappedFile const> file_;
  std::vector<float> converted_;
};

/// A format that nothing else knows: letters, four a row, and a row's first one is the token that followed.
class LetterFile : public RowFile {
 public:
  using RowFile::RowFile;

  RowModel model(ModelRole const& /*role*/, std::string const& /*asked*/, bool /*alone*/) const override {
    std::uint64_t const rows = bytes().size() / letters;
    return {.field = "letters",
            .shape = "[" + std::to_string(rows) + ", 4]",
            .layout = {Encoding::f32, rows, letters},
            .grid = {1, rows},
            .open = [file = mapped()](std::uint64_t begin, std::uint64_t end) -> std::unique_ptr<RowBytes> {
              return std::make_unique<LetterRows>(begin, end, file);
            }};
  }
  RowLabels labels(RowGrid const& grid, std::optional<std::uint64_t> /*shift*/) const override {
    RowLabels labels;
    for (std::uint64_t row = 0; row < grid.rows(); ++row) labels.tokens.push_back(bytes()[row * letters] - 'a');
    return labels;
  }
};

constexpr RowFileCard letter_card(bool one_model) {
  return {
      .name = ".letters",
      .summary = "of this test",
      .one_model = one_model,
      .begins = [](auto) { return false; },
      .open = [](MappedRows const& file) -> std::unique_ptr<RowFile> { return std::make_unique<LetterFile>(file); }};
}
constexpr RowFileCard of_one = letter_card(true), of_two = letter_card(false);

TEST_CASE("a format is its card and what it says of a file: no reader of rows knows more of it") {
  TemporaryFile const target("", "abcdbadcaaba"), draft("", "aaaabbbbacca"), empty("", "abc");
  RowPairs const pairs = open_row_pairs(target.path(), draft.path(), {.rows = "1..3", .assumed = &of_one});
  CHECK(all_rows(*pairs.target, 2) == std::vector<double>{1, 0, 3, 2, 0, 0, 1, 0});
  CHECK(all_rows(*pairs.draft) == std::vector<double>{1, 1, 1, 1, 0, 2, 2, 0});
  CHECK((pairs.tokens == std::vector<std::int64_t>{1, 0} && pairs.sequences == std::vector<std::uint32_t>{2}));
  CHECK(pairs.draft_name == draft.path() + ": letters");
  // With a file of another format, and as both models' file.
  TemporaryFile const other(".npy", npy_of("<f4", "3, 4", std::string(48, '\0')));
  CHECK(open_row_pairs(target.path(), other.path(), {.assumed = &of_one}).tokens.size() == 3);
  CHECK(open_row_pairs(target.path(), "", {.assumed = &of_two}).draft->layout().rows == 3);

  CHECK(pair_error<Error>(target.path(), "", {.assumed = &of_one}) ==
        target.path() +
            ": it holds one model's rows (both models' over one text are needed) give the other's, too: "
            "draftgauge measure TARGET DRAFT, or draft=FILE in a source");
  CHECK(pair_error<Error>(target.path(), draft.path(), {.shift = 1, .assumed = &of_one}) ==
        "a shift is asked of " + target.path() + " (its format says which token each row belongs to) leave it out");
  CHECK(pair_error<Error>(empty.path(), draft.path(), {.assumed = &of_one}) ==
        empty.path() +
            ": letters is [0, 4] (1 to 4194304 tokens and at least one row can be handled) record it again");
}

TEST_CASE("what a file's head says is there for programs and for people, and of a list of arrays there is the list") {
  auto const kld = open_row_file(row_file("real_draft.kld"));
  RowFileHead const head = kld->head();
  CHECK(kld->arrays() == nullptr);
  CHECK(
      (head.numbers.size() == 3 && head.numbers[1] == std::pair<std::string_view, std::uint64_t>("n_vocab", 49152)));
  CHECK((head.lines.size() == 2 && head.lines[1].second == "3 × 49152"));
  auto const npz = open_row_file(row_file("pair.npz"));
  CHECK((npz->arrays() != nullptr && npz->arrays()->find("target_logits") != nullptr && npz->head().lines.empty()));
}

}  // namespace
}  // namespace draftgauge
