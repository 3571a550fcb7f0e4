#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/fraction.h"
#include "sim/chance/chance.h"
#include "sim/model/pair_tables.h"
#include "sim/model/quantise.h"
#include "sim/sources/card.h"

namespace draftgauge {

/// A file that laws were read from, and the SHA-256 of the bytes that were read.
struct InputFile {
  std::string path;
  std::string sha256;
};

/// What a recording says beside its laws.
struct Recording {
  std::vector<Token> tokens;             ///< [rows] the token that followed; empty where none were recorded
  std::vector<std::uint32_t> sequences;  ///< lengths of the runs of rows that follow each other in the text
  std::optional<double> temperature;     ///< at which the text was sampled, where the file says so
};

/// A context as someone wrote it: weights, of which each law is its own divided by their sum.
struct WrittenRow {
  std::vector<Fraction> p, q;
};

/// PairTables, and all that a result has to say about where they come from.
struct Source {
  /// Text that open_source takes, in one spelling with nothing left to defaults, and that gives these laws again with
  /// the same SourceOptions. Of source_of_row: words of the command line, for readers.
  std::string description;
  PairTables tables;
  Rounding rounding;  ///< what the integers did to the laws
  std::vector<InputFile> inputs = {};
  std::optional<Recording> recording = {};
  std::string by_content = {};  ///< the description with sha256:HEX for a file's path; empty where no file was read
  /// The rows as fractions, where every entry is one but the integers are not exactly the laws; else empty.
  std::vector<WrittenRow> written = {};

  /// Names the laws by what was read, not by where it lies: equal for equal content. Valid UTF-8.
  std::string const& identity() const { return by_content.empty() ? description : by_content; }
  /// What an enumeration leaves rounded that takes the rows as written where they are kept.
  Rounding rounding_of_written() const { return written.empty() ? rounding : Rounding{}; }
};

/// How the contexts follow each other, for readers: "one context", "24 i.i.d. contexts", "Markov pair",
/// "automaton of 90 contexts", "24 sequential contexts".
std::string contexts_text(Contexts const& contexts);

/// What the command line says about sources apart from their text. The words are values of the keys of those names of
/// sources that read files, for texts that leave the key out; empty: not given.
struct SourceOptions {
  std::string contexts = {};
  std::string temperature = {};
  std::string target_key = {};
  std::string draft_key = {};
  std::string rows = {};
  bool normalise = false;                               ///< divide laws by their sums instead of refusing other sums
  std::uint64_t memory_limit = std::uint64_t{4} << 30;  ///< bytes that the laws may take (tables_bytes)
  int threads = 1;                                      ///< that make them, ≥ 1; the laws do not depend on it
};

/// The laws of `name:key=value,…` or of a file (.json, .safetensors, .npz; short for json:file=… and so on).
/// Throws UsageError where the text makes no sense, InputError where a file or its laws are bad.
Source open_source(std::string_view text, SourceOptions const& options = {});

/// The one context whose laws are these lists, kept exactly where their least common total is at most 2^53.
Source source_of_row(std::span<Fraction const> p, std::span<Fraction const> q, SourceOptions const& options = {});

}  // namespace draftgauge
