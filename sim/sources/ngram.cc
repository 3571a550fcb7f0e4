#include <algorithm>
#include <numeric>
#include <string>
#include <unordered_map>
#include <utility>

#include "sim/base/error.h"
#include "sim/base/letters.h"
#include "sim/base/mapped_file.h"
#include "sim/base/sha256.h"
#include "sim/sources/keys.h"
#include "sim/sources/source.h"

namespace draftgauge {
namespace {

constexpr std::uint64_t max_order = 16;

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_word(char c) {  // bytes from 0x80 on are parts of letters in UTF-8
  return is_letter(c) || is_digit(c) || c == '\'' || static_cast<unsigned char>(c) >= 0x80;
}

/// Calls f(token) for each token of the text as the source's card defines them.
template <class F>
void split(std::string_view text, bool words, F&& f) {
  std::string token;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char const c = lower_letter(text[i]);
    if (!words) {
      if (!is_blank(c))
        f(std::string(1, c));
      else if (i == 0 || !is_blank(text[i - 1]))
        f(std::string(1, ' '));
      continue;
    }
    if (is_word(c)) {
      token += c;
      continue;
    }
    if (!token.empty()) f(std::exchange(token, {}));
    if (!is_blank(c)) f(std::string(1, c));
  }
  if (!token.empty()) f(token);
}

/// A text as numbers below `vocab`.
struct NumberedText {
  std::vector<Token> tokens;
  std::uint32_t vocab;
};

/// Numbers the kinds of tokens by how often they occur, the most frequent 0 (of equals the one that sorts first). Of
/// more than `most` kinds the last number stands for all that have none of their own.
NumberedText numbered(std::string_view text, bool words, std::uint32_t most) {
  NumberedText result;
  std::unordered_map<std::string, Token> kinds;
  std::vector<std::pair<std::uint64_t, std::string>> seen;  // how often each kind occurs
  split(text, words, [&](std::string const& token) {
    auto const [kind, is_new] = kinds.try_emplace(token, static_cast<Token>(seen.size()));
    if (is_new) seen.emplace_back(0, token);
    ++seen[kind->second].first;
    result.tokens.push_back(kind->second);
  });
  std::vector<Token> order(seen.size()), number(seen.size());
  std::iota(order.begin(), order.end(), Token{0});
  std::ranges::sort(order, [&](Token a, Token b) {
    return seen[a].first != seen[b].first ? seen[a].first > seen[b].first : seen[a].second < seen[b].second;
  });
  for (Token rank = 0; rank < order.size(); ++rank) number[order[rank]] = std::min(rank, most - 1);
  for (Token& token : result.tokens) token = number[token];
  result.vocab = std::min(static_cast<std::uint32_t>(seen.size()), most);
  return result;
}

/// The runs of up to `longest` tokens that another token follows in a text, and how often which does. Context 0 is
/// the empty run; a context's number is above those of shorter ones.
class ContextTable {
 public:
  ContextTable(NumberedText const& text, std::uint64_t longest, std::uint64_t memory_limit)
      : vocab_(text.vocab), memory_limit_(memory_limit) {
    std::vector<Token> const& x = text.tokens;
    std::vector<std::uint32_t> at(x.size(), add(0));  // the context of the present length that begins at each token
    for (Token token : x) ++counts_[token];
    for (std::uint64_t length = 1; length <= longest; ++length)
      for (std::uint64_t i = 0; i + length < x.size(); ++i) {
        Token const last = x[i + length - 1];
        std::size_t const edge = cell(at[i], last);
        if (next_[edge] == none) {
          // Without its first token it was met one length earlier, from the next place on.
          std::uint32_t const suffix = length == 1 ? 0 : next_[cell(suffix_[at[i]], last)];
          next_[edge] = add(suffix);
        }
        at[i] = next_[edge];
        ++counts_[cell(at[i], x[i + length])];
      }
    link();
  }

  std::uint32_t size() const { return static_cast<std::uint32_t>(suffix_.size()); }
  /// The context's longest suffix (itself included) of fewer than `order` tokens.
  std::uint32_t within(std::uint32_t context, std::uint64_t order) const {
    while (length_[context] >= order) context = suffix_[context];
    return context;
  }
  /// [contexts][vocab] the longest suffix of (context, token) that is a context.
  std::vector<std::uint32_t> take_transitions() { return std::move(next_); }

  /// [contexts][vocab] the law of the token after each context, smoothed with weight κ towards that after its suffix.
  std::vector<double> tables(double kappa) const {
    std::vector<double> law(counts_.size());
    for (std::uint32_t s = 0; s < size(); ++s) {
      double total = 0;
      for (Token x = 0; x < vocab_; ++x) total += static_cast<double>(counts_[cell(s, x)]);
      for (Token x = 0; x < vocab_; ++x) {
        double const shorter = s == 0 ? 1.0 / vocab_ : law[cell(suffix_[s], x)];
        law[cell(s, x)] = (static_cast<double>(counts_[cell(s, x)]) + kappa * shorter) / (total + kappa);
      }
    }
    return law;
  }

 private:
  static constexpr std::uint32_t none = ~0u;

  std::size_t cell(std::uint32_t context, Token token) const { return std::size_t{context} * vocab_ + token; }

  std::uint32_t add(std::uint32_t suffix) {
    std::uint32_t const context = size();
    check_memory(std::uint64_t{context} + 1, vocab_, memory_limit_, remedy_);
    suffix_.push_back(suffix);
    length_.push_back(context == 0 ? 0 : length_[suffix] + 1);
    counts_.resize(counts_.size() + vocab_, 0);
    next_.resize(next_.size() + vocab_, none);
    return context;
  }

  /// Where a context and a token are no context together, their longest suffix that is one: what follows the
  /// context's suffix, which has a smaller number (the goto function of Aho and Corasick, CACM 18, 1975).
  void link() {
    for (std::uint32_t s = 0; s < size(); ++s)
      for (Token x = 0; x < vocab_; ++x)
        if (std::uint32_t& next = next_[cell(s, x)]; next == none) next = s == 0 ? 0 : next_[cell(suffix_[s], x)];
  }

  std::uint32_t vocab_;
  std::uint64_t memory_limit_;
  std::string remedy_ = "take a smaller target, draft or vocab";
  std::vector<std::uint32_t> suffix_, counts_, next_;
  std::vector<std::uint64_t> length_;
};

Source build_ngram(Keys const& keys, SourceOptions const& options) {
  std::string const& file = keys.text("text");
  MappedFile const mapped(file);
  std::string_view const text = mapped.text();
  std::uint64_t const target = keys.count("target"), draft = keys.count("draft");
  // A byte becomes a token of 4 bytes, and a context's number of 4 more while it is counted; counts have 32 bits.
  if (std::uint64_t const most = std::min<std::uint64_t>(options.memory_limit / 16, 0xffffffff); text.size() > most) {
    throw InputError(file + ": it has " + std::to_string(text.size()) + " bytes (all of a text is counted, and " +
                         std::to_string(most) + " can be)",
                     "take a part of it");
  }
  NumberedText const numbers = numbered(text, keys.text("tokens") == "words", keys.count32("vocab"));
  std::uint64_t const order = std::max(target, draft);
  if (numbers.tokens.size() < order) {
    throw InputError(file + ": it has " + std::to_string(numbers.tokens.size()) + " tokens (an order of " +
                         std::to_string(order) + " counts runs of so many)",
                     "take a longer text or smaller orders");
  }
  ContextTable table(numbers, order - 1, options.memory_limit);
  std::vector<double> const tables = table.tables(keys.number("smoothing"));
  auto const law = [&](std::uint32_t context) {
    return std::span(tables).subspan(std::size_t{context} * numbers.vocab, numbers.vocab);
  };
  RowList rows;
  rows.reserve(table.size(), numbers.vocab);
  for (std::uint32_t s = 0; s < table.size(); ++s)
    rows.add(law(table.within(s, target)), law(table.within(s, draft)));
  Sha256 digest;
  digest.update(mapped.bytes());
  return {.description = keys.description(),
          .tables = PairTables(rows.take(), table.take_transitions(), options.threads),
          .rounding = rows.rounding(),
          .inputs = {{file, digest.hex()}},
          .by_content = keys.description_by_content("text", digest.hex())};
}

}  // namespace

SourceCard ngram_source() {
  using enum KeyCard::Kind;
  return {.name = "ngram",
          .summary = "two n-gram models of a text: the next context is what the text has come to",
          .tables =
              "P_n(x|h) = (count(hx) + κ·P_n−1(x|h′)) / (count(h) + κ), h′ = h without its first token, P_0 uniform; "
              "p = P_target, q = P_draft, h the end of what was emitted so far, as far as it is met in the file",
          .keys = {{.name = "text",
                    .kind = text,
                    .meaning = "the file to count in; a name with a comma in double quotes",
                    .required = true},
                   {.name = "target",
                    .kind = count,
                    .meaning = "order n of p, which sees n − 1 tokens",
                    .standard = "5",
                    .least = 1,
                    .most = max_order},
                   {.name = "draft",
                    .kind = count,
                    .meaning = "order n of q",
                    .standard = "2",
                    .least = 1,
                    .most = max_order},
                   {.name = "tokens",
                    .kind = choice,
                    .meaning = "bytes: each byte, but blanks in a row are one space; words: runs of letters, digits "
                               "and ', other bytes by themselves, blanks left out; A-Z count as a-z",
                    .standard = "bytes",
                    .choices = {"bytes", "words"}},
                   {.name = "vocab",
                    .kind = count,
                    .meaning = "V at most, numbered by frequency; of more kinds the last stands for all others",
                    .standard = "64",
                    .least = 1,
                    .most = max_vocab},
                   {.name = "smoothing",
                    .kind = number,
                    .meaning = "κ, the weight of the shorter context's distribution in counts (MacKay and Peto 1995)",
                    .standard = "8",
                    .least = 0,
                    .most = 1'000'000}},
          .build = build_ngram};
}

}  // namespace draftgauge
