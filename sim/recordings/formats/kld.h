#pragma once
#include <cstdint>
#include <span>
#include <string>

namespace draftgauge {

/// What `llama-perplexity --kl-divergence-base FILE` writes (llama.cpp, tools/perplexity/perplexity.cpp): a text cut
/// into chunks, and for the second half of each chunk's places the law of the token that follows.
struct Kld {
  std::uint64_t n_ctx = 0;  ///< tokens of a chunk
  std::uint64_t n_vocab = 0;
  std::uint64_t n_chunk = 0;
  std::span<std::uint8_t const> tokens;  ///< [n_chunk][n_ctx] of 32 bits
  std::span<std::uint8_t const> rows;    ///< [n_chunk][rows_per_chunk()], each as Encoding::kld has it

  /// Place in a chunk of the first token whose successor has a row.
  std::uint64_t first() const { return n_ctx / 2; }
  std::uint64_t rows_per_chunk() const { return n_ctx - 1 - first(); }
  /// Token i of chunk c.
  std::int32_t token(std::uint64_t c, std::uint64_t i) const;
  /// The token that row r of chunk c is the law of: it stands at first() + r + 1.
  std::int32_t predicted(std::uint64_t c, std::uint64_t r) const { return token(c, first() + r + 1); }
};

/// Throws InputError that begins with `file` unless the bytes are such a file, whole, with tokens below n_vocab.
Kld read_kld(std::string const& file, std::span<std::uint8_t const> bytes);

/// Throws InputError that says where two files of one text differ: in n_ctx, n_vocab, n_chunk or a token.
void check_same_text(std::string const& file_a, Kld const& a, std::string const& file_b, Kld const& b);

}  // namespace draftgauge
