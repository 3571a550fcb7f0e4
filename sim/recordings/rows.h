#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace draftgauge {

/// How a file writes the numbers of a row.
enum class Encoding : std::uint8_t {
  f16,
  bf16,
  f32,
  f64,
  kld,  ///< llama.cpp: f32 scale, f32 least, then a 16-bit code each: log-probability = least + scale · code
};

/// A matrix of one model's laws in a file: `rows` rows of `vocab` log-probabilities, each row up to a constant of its
/// own (logits).
struct RowLayout {
  Encoding encoding = Encoding::f32;
  std::uint64_t rows = 0;
  std::uint64_t vocab = 0;

  /// Bytes from one row to the next. They need not be aligned.
  std::uint64_t row_bytes() const;
};

/// Rows as the file has them, mapped or unpacked on the way; the recording may be larger than memory.
class RowBytes {
 public:
  /// first: the number in its file of row 0, where these are a part of the file.
  explicit RowBytes(RowLayout const& layout, std::uint64_t first = 0) : layout_(layout), first_(first) {}
  virtual ~RowBytes() = default;
  RowBytes(RowBytes const&) = delete;
  RowBytes& operator=(RowBytes const&) = delete;

  RowLayout const& layout() const { return layout_; }

  /// The bytes of rows begin … begin + count − 1, valid until the next call. Mapped rows are not copied. Packed ones
  /// are unpacked, in order for free, and from the file's begin again where `begin` lies before the last call's end.
  /// The caller keeps within layout().rows. Throws InputError where packed bytes are damaged.
  virtual std::span<std::uint8_t const> rows(std::uint64_t begin, std::uint64_t count) = 0;

  /// The number that row i of these has in its file, which may have more before it: messages name rows by it. Whoever
  /// hands out another's rows asks that one.
  virtual std::uint64_t file_row(std::uint64_t i) const { return first_ + i; }

 private:
  RowLayout layout_;
  std::uint64_t first_;
};

/// The numbers of one encoded row, as doubles, which hold each of them exactly; of kld least + scale · code, computed
/// in doubles. row: layout.row_bytes() bytes; out: layout.vocab numbers.
void decode_row(RowLayout const& layout, std::span<std::uint8_t const> row, std::span<double> out);

/// What a .kld file kept of a row's small probabilities: llama.cpp raises log-probabilities below the largest less 16
/// (ik_llama.cpp: less 24) to that floor, whose code is 0, so that the row's probabilities sum to more than 1.
struct FlooredMass {
  double sum;            ///< Σ exp(least + scale · code) over all tokens, before renormalisation
  double floored;        ///< the part of that sum on tokens of code 0; 0 where scale is 0 and no code says anything
  std::uint64_t tokens;  ///< how many have code 0
};

/// row: a row of Encoding::kld, whose numbers are finite.
FlooredMass floored_mass(RowLayout const& layout, std::span<std::uint8_t const> row);

/// Throws InputError that begins with `where` ("a.npz: target_logits, row 3") unless softmax can make a law of it: no
/// NaN, no +∞, and not −∞ throughout.
void check_logits(std::string const& where, std::span<double const> row);

/// Full rows of one model over a text.
struct ModelRows {
  std::unique_ptr<RowBytes> rows;
  std::string name;                  ///< for messages: "a.npz: target_logits"
  std::vector<std::int64_t> tokens;  ///< as in RowPairs, and so on
  std::vector<std::uint32_t> sequences;
  std::vector<std::int64_t> names;
  std::optional<double> temperature;
};

/// Full rows of two models over one text.
struct RowPairs {
  std::unique_ptr<RowBytes> target, draft;  ///< equal in rows and vocab; encodings may differ
  std::vector<std::int64_t> tokens;         ///< [rows] the token that followed, 0 … vocab − 1; empty: not recorded
  std::vector<std::uint32_t> sequences;     ///< lengths of the runs of rows that follow each other, summing to rows
  std::vector<std::int64_t> names;          ///< [sequences] what the file calls the text that each run is part of
  std::optional<double> temperature;        ///< at which the text was sampled, where the file says so
  std::uint32_t top_k = 0;                  ///< of the sampling that wrote the text, where the file says so; 0: all
  double top_p = 1;                         ///< likewise; 1: all
  std::vector<std::string> files;           ///< the paths that were read
  std::string target_name, draft_name;      ///< for messages: "a.npz: target_logits"
  std::vector<std::span<std::uint8_t const>> bytes;  ///< [files] what was read, there while target and draft are
};

}  // namespace draftgauge
