#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "sim/base/written_number.h"
#include "sim/sources/keys.h"
#include "sim/sources/source.h"

namespace draftgauge {

/// p's weights of the tokens at a place: exp(logit), not normalised.
using TokenWeights = std::vector<WrittenNumber>;
/// A weight times a factor, exact where both are and the product fits.
WrittenNumber product(WrittenNumber const& weight, WrittenNumber const& factor);

/// What a target remembers of the text that it emitted: a finite automaton over tokens, whose state 0 is that of an
/// empty text, and what a state does to p.
struct Memory {
  std::vector<std::uint32_t> next;                                          ///< [states][vocab]
  std::function<void(std::uint32_t state, TokenWeights& weights)> process;  ///< changes the weights
  std::optional<Token> end = {};                                            ///< behind it the text has ended
  int tokens = 4;  ///< of a text that show an engine's wrong state
  struct File {
    std::string_view key;
    InputFile input;
  };
  std::optional<File> file = {};  ///< that it was read from
};

/// The keys of a source with a memory: what it is put on, then its own.
std::vector<KeyCard> memory_keys(std::vector<KeyCard> own);
/// The key of the token behind which a text has ended.
KeyCard end_key(bool required);
/// The token that is the value of a key. Throws UsageError where the vocabulary has not so many.
Token token_of(Keys const& keys, std::string_view key, std::uint32_t vocab);

/// The source that the keys name, with a memory for its vocabulary: a row for each of its contexts and each state, the
/// last of them with p as it was. A token of no weight leads on as any other does. Throws UsageError for contexts that
/// do not follow from the text, InputError where a state that a text can reach leaves no token.
Source source_with_memory(Keys const& keys, SourceOptions const& options,
                          std::function<Memory(std::uint32_t vocab)> const& memory_over);

}  // namespace draftgauge
