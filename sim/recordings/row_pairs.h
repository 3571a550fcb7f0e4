#pragma once
#include <optional>
#include <string>

#include "sim/recordings/row_file.h"
#include "sim/recordings/rows.h"

namespace draftgauge {

/// Which rows of files are wanted.
struct RowOptions {
  std::string target_key = {}, draft_key = {};  ///< names of arrays; empty: the usual ones
  std::string rows = {};                        ///< "A..B": rows A to B − 1, numbered from 0; empty: all
  /// Row i of a sequence predicts its token i + shift; empty: as the array's name and length say (row_labels.h)
  std::optional<std::uint64_t> shift = {};
  RowFileCard const* assumed = nullptr;  ///< the format of a file of which neither first bytes nor name tell
};

/// Rows of two models: both in one .safetensors or .npz (draft_file empty), or one in each of two files of any kind.
///
/// An array of rows is F16, BF16, F32 or F64 of the shape [rows, vocab] or [batch, rows, vocab], each of the batch a
/// text. Where one model's rows have more tokens than the other's, these are left out if they have no mass to speak of,
/// as padding. Without a key it is the
/// one named target_logits, p_logits, target or target_logprobs (draft_logits, q_logits, …); in a file of one model
/// also logits, logprobs, or the only array that could be one. Beside it may stand, with a whole number per row,
/// tokens (or input_ids, labels: row_labels.h), sequence or seq, position or pos; rows follow each other while the
/// sequence stays the same and the position goes up by one. The text's temperature is metadata temperature_of_text or
/// temperature, or an array of one number; how its law was cut, metadata top_k_of_text and top_p_of_text. Of a .kld
/// each chunk is a sequence, and the temperature of its text is unknown. Tokens that both files have must agree; of
/// sequences, positions and the temperature the target's count where it has any.
///
/// Row r is the law of tokens[r]. Throws InputError that begins with a file's path for what is missing or does not
/// fit, UsageError where `rows` is no range or `shift` has no tokens to act on. RowBytes::rows, too, throws
/// InputError: where packed bytes are damaged, where an .npz array that was read in order to its end has another CRC
/// than the file says, and for scales of a .kld that are no numbers.
RowPairs open_row_pairs(std::string const& target_file, std::string const& draft_file,
                        RowOptions const& options = {});

/// What of such rows is not read as it is written, in sentences: shifted tokens, padding that is left out.
std::vector<std::string> reading_notes(std::string const& target_file, std::string const& draft_file,
                                       RowOptions const& options = {});

/// Rows of the one model in a file, or of the one that `key` names.
ModelRows open_model_rows(std::string const& file, std::string const& key = {}, std::string const& rows = {});

}  // namespace draftgauge
