#include "sim/recordings/formats/kld.h"

#include <cmath>
#include <string_view>
#include <utility>

#include "sim/base/error.h"
#include "sim/model/pair_tables.h"
#include "sim/recordings/numbers.h"
#include "sim/recordings/row_file.h"
#include "sim/recordings/wake.h"

namespace draftgauge {
namespace {

constexpr std::string_view kld_magic = "_logits_";
constexpr std::uint64_t header_size = 20;

bool begins_kld(std::span<std::uint8_t const> bytes) {
  return std::string_view(reinterpret_cast<char const*>(bytes.data()), bytes.size()).starts_with(kld_magic);
}

[[noreturn]] void refuse_kld(std::string const& file, std::string const& problem, std::string const& why) {
  throw InputError(file + ": " + problem + " (" + why + ")",
                   "write it again with llama-perplexity --kl-divergence-base");
}

/// The rows of a .kld, whose scales and least numbers are looked at when their rows are asked for: looking at all of
/// them first would fetch every page of a file that may be larger than memory.
class KldRows : public RowBytes {
 public:
  KldRows(RowLayout const& layout, std::uint64_t first, std::string path, Kld const& kld,
          std::shared_ptr<MappedFile const> file)
      : RowBytes(layout, first), path_(std::move(path)), kld_(kld), wake_(std::move(file)) {}

  std::span<std::uint8_t const> rows(std::uint64_t begin, std::uint64_t count) override {
    std::uint64_t const size = layout().row_bytes();
    auto const rows = kld_.rows.subspan(file_row(begin) * size, count * size);
    wake_.reach(rows);
    for (std::uint64_t i = 0; i < count; ++i) check(file_row(begin + i), rows.subspan(i * size, size));
    return rows;
  }

 private:
  void check(std::uint64_t number, std::span<std::uint8_t const> row) const {
    auto const scale = load<float>(row, 0), least = load<float>(row, 4);
    if (std::isfinite(scale) && scale >= 0 && std::isfinite(least)) return;
    refuse_kld(path_,
               "row " + std::to_string(number % kld_.rows_per_chunk()) + " of chunk " +
                   std::to_string(number / kld_.rows_per_chunk()) + " has the scale " + std::to_string(scale) +
                   " and the least log-probability " + std::to_string(least),
               "they are finite, the scale not below 0");
  }

  std::string path_;
  Kld kld_;
  Wake wake_;
};

class KldFile : public RowFile {
 public:
  explicit KldFile(MappedRows const& file) : RowFile(file), kld_(read_kld(path(), bytes())) {}

  RowModel model(ModelRole const& /*role*/, std::string const& /*asked*/, bool /*alone*/) const override {
    RowLayout const layout{Encoding::kld, kld_.n_chunk * kld_.rows_per_chunk(), kld_.n_vocab};
    return {.field = "log-probabilities",
            .shape = "[" + std::to_string(layout.rows) + ", " + std::to_string(layout.vocab) + "]",
            .layout = layout,
            .grid = {1, layout.rows},
            .open = [layout, path = path(), kld = kld_, file = mapped()](
                        std::uint64_t begin, std::uint64_t end) -> std::unique_ptr<RowBytes> {
              return std::make_unique<KldRows>(RowLayout{layout.encoding, end - begin, layout.vocab}, begin, path,
                                               kld, file);
            }};
  }

  RowLabels labels(RowGrid const& /*grid*/, std::optional<std::uint64_t> /*shift*/) const override {
    RowLabels labels;
    for (std::uint64_t c = 0; c < kld_.n_chunk; ++c)
      for (std::uint64_t r = 0; r < kld_.rows_per_chunk(); ++r) {
        labels.tokens.push_back(kld_.predicted(c, r));
        labels.sequence.push_back(static_cast<std::int64_t>(c));
      }
    labels.why_no_shift = "in a .kld each row belongs to the token behind it";
    return labels;
  }

  void check_same_text(RowFile const& draft) const override {
    if (auto const* const other = dynamic_cast<KldFile const*>(&draft))
      draftgauge::check_same_text(path(), kld_, other->path(), other->kld_);
  }

  RowFileHead head() const override {
    auto const product = [](std::uint64_t a, std::uint64_t b) {
      return std::to_string(a) + " × " + std::to_string(b);
    };
    return {.title = "llama.cpp, --kl-divergence-base",
            .numbers = {{"n_ctx", kld_.n_ctx}, {"n_vocab", kld_.n_vocab}, {"n_chunk", kld_.n_chunk}},
            .lines = {{"chunks × tokens", product(kld_.n_chunk, kld_.n_ctx)},
                      {"rows × vocabulary", product(kld_.n_chunk * kld_.rows_per_chunk(), kld_.n_vocab)}}};
  }

 private:
  Kld kld_;
};

}  // namespace

RowFileCard kld_rows() {
  return {.name = ".kld",
          .summary = "two files of llama-perplexity --kl-divergence-base",
          .tables =
              "p, q ∝ exp((least + scale·code)/T), row by row: small probabilities were raised to a floor when "
              "the file was written",
          .one_model = true,
          .begins = begins_kld,
          .open = [](MappedRows const& file) -> std::unique_ptr<RowFile> { return std::make_unique<KldFile>(file); }};
}

std::int32_t Kld::token(std::uint64_t c, std::uint64_t i) const {
  return load<std::int32_t>(tokens, 4 * (c * n_ctx + i));
}

Kld read_kld(std::string const& file, std::span<std::uint8_t const> bytes) {
  std::string const why = "a .kld begins with _logits_, n_ctx, n_vocab and n_chunk";
  if (bytes.size() < header_size) refuse_kld(file, "it has " + std::to_string(bytes.size()) + " bytes", why);
  if (!begins_kld(bytes)) refuse_kld(file, "it does not begin with _logits_", why);
  Kld kld;
  std::uint64_t at = kld_magic.size();
  for (auto const& [name, number, least, most] : {std::tuple("n_ctx", &kld.n_ctx, 3, INT32_MAX),
                                                  {"n_vocab", &kld.n_vocab, 1, static_cast<int>(max_vocab)},
                                                  {"n_chunk", &kld.n_chunk, 1, INT32_MAX}}) {
    auto const value = load<std::int32_t>(bytes, at);
    if (value < least || value > most) {
      refuse_kld(file, std::string(name) + " is " + std::to_string(value),
                 "it is a number from " + std::to_string(least) + " to " + std::to_string(most));
    }
    *number = static_cast<std::uint64_t>(value);
    at += 4;
  }
  // Products of numbers below 2^31, of which a row's bytes are below 2^24: only the last one could pass 2^64.
  std::uint64_t const tokens = 4 * kld.n_ctx * kld.n_chunk;
  RowLayout const layout{Encoding::kld, kld.n_chunk * kld.rows_per_chunk(), kld.n_vocab};
  std::uint64_t rows = 0, expected = 0;
  bool const overflow = __builtin_mul_overflow(layout.rows, layout.row_bytes(), &rows) ||
                        __builtin_add_overflow(rows, header_size + tokens, &expected);
  if (overflow || bytes.size() != expected) {
    refuse_kld(file, "it has " + std::to_string(bytes.size()) + " bytes",
               std::to_string(kld.n_chunk) + " chunks of " + std::to_string(kld.n_ctx) + " tokens out of " +
                   std::to_string(kld.n_vocab) + " take " + (overflow ? "more than 2^64" : std::to_string(expected)));
  }
  kld.tokens = bytes.subspan(header_size, tokens);
  kld.rows = bytes.subspan(header_size + tokens);
  for (std::uint64_t c = 0; c < kld.n_chunk; ++c)
    for (std::uint64_t i = 0; i < kld.n_ctx; ++i) {
      std::int32_t const token = kld.token(c, i);
      if (token >= 0 && static_cast<std::uint64_t>(token) < kld.n_vocab) continue;
      refuse_kld(file,
                 "token " + std::to_string(i) + " of chunk " + std::to_string(c) + " is " + std::to_string(token),
                 "the tokens are 0 to " + std::to_string(kld.n_vocab - 1));
    }
  return kld;
}

void check_same_text(std::string const& file_a, Kld const& a, std::string const& file_b, Kld const& b) {
  auto const compare = [&](std::string const& what, auto in_a, auto in_b) {
    if (in_a == in_b) return;
    refuse_other_text(what, file_a, in_a, file_b, in_b,
                      "write both with the same -f, -c and --chunks, from models of one tokenizer");
  };
  compare("n_ctx", a.n_ctx, b.n_ctx);
  compare("n_vocab", a.n_vocab, b.n_vocab);
  compare("n_chunk", a.n_chunk, b.n_chunk);
  for (std::uint64_t c = 0; c < a.n_chunk; ++c)
    for (std::uint64_t i = 0; i < a.n_ctx; ++i)
      compare("token " + std::to_string(i) + " of chunk " + std::to_string(c), a.token(c, i), b.token(c, i));
}

}  // namespace draftgauge
