#include "sim/recordings/kld.h"

#include <string_view>
#include <utility>

#include "sim/base/error.h"
#include "sim/model/pair_tables.h"
#include "sim/recordings/numbers.h"
#include "sim/recordings/rows.h"

namespace draftgauge {
namespace {

constexpr std::string_view kld_magic = "_logits_";
constexpr std::uint64_t header_size = 20;

[[noreturn]] void refuse_kld(std::string const& file, std::string const& problem, std::string const& why) {
  throw InputError(file + ": " + problem + " (" + why + ")",
                   "write it again with llama-perplexity --kl-divergence-base");
}

}  // namespace

std::int32_t Kld::token(std::uint64_t c, std::uint64_t i) const {
  return load<std::int32_t>(tokens, 4 * (c * n_ctx + i));
}

Kld read_kld(std::string const& file, std::span<std::uint8_t const> bytes) {
  std::string const why = "a .kld begins with _logits_, n_ctx, n_vocab and n_chunk";
  if (bytes.size() < header_size) refuse_kld(file, "it has " + std::to_string(bytes.size()) + " bytes", why);
  if (!std::string_view(reinterpret_cast<char const*>(bytes.data()), bytes.size()).starts_with(kld_magic))
    refuse_kld(file, "it does not begin with _logits_", why);
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

void refuse_other_text(std::string const& what, std::string const& file_a, std::int64_t in_a,
                       std::string const& file_b, std::int64_t in_b, std::string const& hint) {
  throw InputError(file_a + ": " + what + " is " + std::to_string(in_a) + ", but in " + file_b + " it is " +
                       std::to_string(in_b) + " (rows of the two must be about the same places of one text)",
                   hint);
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
