#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace draftgauge {

class ArrayFile;

/// How the rows of an array lie: `batch` sequences of `length` rows, padded to one length where they differ.
struct RowGrid {
  std::uint64_t batch = 1, length = 0;
  std::uint64_t rows() const { return batch * length; }
};

/// What a file says beside a model's rows, for all of its rows; empty: nothing.
struct RowLabels {
  std::vector<std::int64_t> tokens, sequence, position;
  std::vector<std::uint8_t> kept =
      {};  ///< 0: the row is padding, or the token that it predicts is not there; empty: all
  std::optional<double> temperature = {};
  std::uint32_t top_k = 0;
  double top_p = 1;
  std::vector<std::string> notes = {};  ///< what of this is not as it is written
  /// Why RowOptions::shift moves none of the tokens; empty: it has moved them.
  std::string why_no_shift = "its format says which token each row belongs to";
};

/// Of a file of arrays. Tokens are `tokens`, which stand beside the rows that predict them, or one more in front, or as
/// language models take and return them, `input_ids` or `labels`: row i then predicts token i + 1, and -100 is no token.
/// `shift` says otherwise: row i predicts token i + shift of its text, which ends where `sequence` changes or `position`
/// does not go up by one. A row whose token is beyond the end is left out, as is one that `attention_mask` or
/// `lengths` (one of each sequence) say is padding. Throws InputError that begins with the file's path for arrays of
/// other shapes, and where no row is left.
RowLabels labels_of_arrays(ArrayFile const& file, RowGrid const& grid, std::optional<std::uint64_t> shift);

/// The target's labels, and from the draft's file what the target's lacks; a row is left where both keep it. How
/// the text's law was cut, its top-k and top-p, is the draft's to say only where the target says nothing of that law.
/// `target`, `draft`: the files' paths. Throws InputError where a token that is left is another in each.
RowLabels joined(std::string const& target, RowLabels from_target, std::string const& draft, RowLabels from_draft);

/// Throws InputError: `what` is another number in each of two files whose rows must be about one text.
[[noreturn]] void refuse_other_text(std::string const& what, std::string const& file_a, std::int64_t in_a,
                                    std::string const& file_b, std::int64_t in_b, std::string const& hint);

/// Splits the rows begin … end − 1 that are kept into runs in which the sequence stays the same and the position goes
/// up by one, where there are such labels: their lengths, and the sequence of each.
void find_runs(RowLabels const& labels, std::uint64_t begin, std::uint64_t end, std::vector<std::uint32_t>& lengths,
               std::vector<std::int64_t>& names);

}  // namespace draftgauge
