#include "sim/sources/memory.h"

#include <algorithm>
#include <utility>

#include "sim/base/lists.h"
#include "sim/sources/by_hand.h"

namespace draftgauge {
namespace {

/// What a memory is put on: contexts that follow each other by tokens.
struct Base {
  std::vector<TokenWeights> p, q;          ///< [contexts]
  std::vector<std::uint32_t> next;         ///< [contexts][vocab]
  std::optional<std::uint32_t> beginning;  ///< none: a text may begin in any context
  std::optional<Source> source;            ///< that it was read from
  std::uint32_t vocab() const { return static_cast<std::uint32_t>(p[0].size()); }
  std::uint32_t contexts() const { return static_cast<std::uint32_t>(p.size()); }
};

TokenWeights listed(Keys const& keys, std::string_view key) {
  TokenWeights weights;
  std::string_view rest = keys.text(key);
  for (bool more = true; more;) {
    std::size_t const comma = rest.find(',');
    try {
      weights.push_back(parse_written(rest.substr(0, comma)));
    } catch (Error const& e) {
      throw keys.error(Error(key, e));
    }
    if (weights.back().value < 0)
      throw keys.error("'" + std::string(key) + "' has the weight " + weights.back().text() + " (none is below 0)",
                       "list the weights of all tokens");
    more = comma != rest.npos;
    if (more) rest.remove_prefix(comma + 1);
  }
  if (std::ranges::all_of(weights, [](WrittenNumber const& w) { return w.value == 0; }))
    throw keys.error("'" + std::string(key) + "' has no weight above 0 (a token has to follow)",
                     "list the weights of all tokens");
  return weights;
}

Base base_by_hand(Keys const& keys) {
  Base base{{listed(keys, "p")}, {listed(keys, "q")}, {}, 0, {}};
  if (base.p[0].size() != base.q[0].size())
    throw keys.error("'p' has " + std::to_string(base.p[0].size()) + " tokens and 'q' has " +
                         std::to_string(base.q[0].size()) + " (both are over one vocabulary)",
                     "list as many weights in both");
  base.next.assign(base.vocab(), 0);
  return base;
}

/// A row of a source: as it was written, else its integers.
TokenWeights row_of(std::span<std::uint64_t const> row, std::uint64_t total, std::vector<Fraction> const* written) {
  TokenWeights weights;
  for (std::size_t x = 0; x < row.size(); ++x) {
    Fraction const exact =
        written ? (*written)[x] : Fraction(static_cast<std::int64_t>(row[x]), static_cast<std::int64_t>(total));
    weights.push_back({exact.to_double(), exact});
  }
  return weights;
}

Base base_of(Keys const& keys, SourceOptions const& options) {
  bool const by_hand = !keys.text("p").empty() || !keys.text("q").empty();
  bool const named = !keys.text("base").empty();
  if (by_hand == named)
    throw keys.error(by_hand ? "'base' and 'p' cannot be given together (both say what p and q are)"
                             : "neither 'base' nor 'p' and 'q' are given (p and q must come from somewhere)",
                     "give base=SOURCE, or p=\"…\" and q=\"…\" of one context");
  if (by_hand) {
    for (std::string_view const key : {"p", "q"})
      if (keys.text(key).empty())
        throw keys.error("'" + std::string(key) + "' is not given (a context has a p and a q)",
                         "add " + std::string(key) + "=");
    return base_by_hand(keys);
  }
  Source source = open_source(keys.text("base"), options);
  PairTables const& tables = source.tables;
  Contexts const contexts = tables.contexts();
  bool const one = contexts.follow == Follow::independent && contexts.rows == 1;
  if (!one && !is_chain(contexts.follow))
    throw keys.error("'base' has " + contexts_text(contexts) + " (a memory follows the text, and so must contexts)",
                     "take one context, a Markov pair or an automaton");
  if (contexts.states > 1)
    throw keys.error("'base' has a memory already (a source has one)", "take a source without");
  Base base{{}, {}, {}, one ? std::optional<std::uint32_t>(0) : tables.beginning(), {}};
  for (std::uint32_t i = 0; i < contexts.rows; ++i) {
    WrittenRow const* const written = source.written.empty() ? nullptr : &source.written[i];
    base.p.push_back(row_of(tables.p(i), tables.total(i), written ? &written->p : nullptr));
    base.q.push_back(row_of(tables.q(i), tables.total(i), written ? &written->q : nullptr));
    for (Token x = 0; x < contexts.vocab; ++x) base.next.push_back(contexts.after(i, x));
  }
  base.source = std::move(source);
  return base;
}

/// Behind the end of a text: nothing but its last token again, drafted and emitted.
void add_ended(Base& base, Token end) {
  std::uint32_t const ended = base.contexts(), vocab = base.vocab();
  TokenWeights only(vocab, WrittenNumber{0, Fraction(0)});
  only[end] = {1, Fraction(1)};
  base.p.push_back(only);
  base.q.push_back(std::move(only));
  for (std::uint32_t i = 0; i < ended; ++i) base.next[std::size_t{i} * vocab + end] = ended;
  base.next.insert(base.next.end(), vocab, ended);
}

bool is_empty(TokenWeights const& weights) {
  return std::ranges::all_of(weights, [](WrittenNumber const& w) { return w.value == 0; });
}

/// Throws where a text leads to a row that leaves no token. What only drafts lead to, which are not accepted, is p as
/// it was.
void mend_rows(Keys const& keys, std::vector<TokenWeights>& p, std::vector<std::uint32_t> const& next,
               std::uint32_t states, std::optional<std::uint32_t> beginning) {
  std::vector<bool> seen(p.size());
  std::vector<std::uint32_t> open;
  std::uint32_t const vocab = static_cast<std::uint32_t>(p[0].size());
  for (std::uint32_t row = 0; row < p.size(); row += states)
    if (!beginning || *beginning * states == row) open.push_back(row);
  for (std::uint32_t const row : open) seen[row] = true;
  while (!open.empty()) {
    std::uint32_t const row = open.back();
    open.pop_back();
    if (is_empty(p[row]))
      throw InputError(std::string(keys.source()) + ": a text comes to state " + std::to_string(row % states) +
                           " in context " + std::to_string(row / states) +
                           ", where no token has weight (a token has to follow)",
                       "allow one there, or name the token that ends a text");
    for (Token x = 0; x < vocab; ++x) {
      std::uint32_t const to = next[std::size_t{row} * vocab + x];
      if (p[row][x].value == 0 || seen[to]) continue;
      seen[to] = true;
      open.push_back(to);
    }
  }
  for (std::uint32_t row = 0; row < p.size(); ++row)
    if (is_empty(p[row])) p[row] = p[row - row % states + states - 1];
}

}  // namespace

WrittenNumber product(WrittenNumber const& weight, WrittenNumber const& factor) {
  WrittenNumber result{weight.value * factor.value};
  try {
    if (weight.exact && factor.exact) result.exact = *weight.exact * *factor.exact;
  } catch (DoesNotFit const&) {
  }
  return result;
}

std::vector<KeyCard> memory_keys(std::vector<KeyCard> own) {
  using enum KeyCard::Kind;
  std::vector<KeyCard> keys = {
      {.name = "base",
       .kind = text,
       .meaning = "the source of p and q, in double quotes where it has a comma; one context, a Markov pair or an "
                  "automaton"},
      {.name = "p",
       .kind = text,
       .meaning = "in place of base: weights exp(logit) of one context's tokens, \"2,1,1\""},
      {.name = "q", .kind = text, .meaning = "the draft's weights beside p"}};
  keys.insert(keys.end(), own.begin(), own.end());
  keys.push_back({.name = "draft",
                  .kind = choice,
                  .meaning = "raw: the draft is q; processed: q is changed as p is",
                  .standard = "raw",
                  .choices = {"raw", "processed"}});
  return keys;
}

KeyCard end_key(bool required) {
  return {.name = "end",
          .kind = KeyCard::Kind::count,
          .meaning = "the token that ends a text; behind it only itself follows",
          .least = 0,
          .most = max_vocab - 1,
          .required = required};
}

Token token_of(Keys const& keys, std::string_view key, std::uint32_t vocab) {
  if (keys.count(key) >= vocab)
    throw keys.error("'" + std::string(key) + "' is token " + keys.text(key) + " (p and q have the tokens 0 to " +
                         std::to_string(vocab - 1) + ")",
                     "name one of these");
  return keys.count32(key);
}

Source source_with_memory(Keys const& keys, SourceOptions const& options,
                          std::function<Memory(std::uint32_t vocab)> const& memory_over) {
  Base base = base_of(keys, options);
  std::uint32_t const vocab = base.vocab();
  Memory const memory = memory_over(vocab);
  std::uint32_t const remembered = static_cast<std::uint32_t>(memory.next.size() / vocab), states = remembered + 1;
  std::uint32_t const alive = base.contexts();
  if (memory.end) add_ended(base, *memory.end);
  check_memory(std::uint64_t{base.contexts()} * states, vocab, options.memory_limit,
               "take a smaller memory or vocab");

  TablesByHand tables;
  std::vector<std::uint32_t> next;
  bool const processed = keys.text("draft") == "processed";
  for (std::uint32_t context = 0; context < base.contexts(); ++context)
    for (std::uint32_t state = 0; state < states; ++state) {
      bool const plain = context >= alive || state == remembered;
      tables.p.push_back(base.p[context]);
      tables.q.push_back(base.q[context]);
      if (!plain) memory.process(state, tables.p.back());
      if (!plain && processed) memory.process(state, tables.q.back());
      for (Token x = 0; x < vocab; ++x)
        next.push_back(base.next[std::size_t{context} * vocab + x] * states +
                       (plain ? state : memory.next[std::size_t{state} * vocab + x]));
    }
  mend_rows(keys, tables.p, next, states, base.beginning);
  for (std::uint32_t row = 0; row < tables.q.size(); ++row)
    if (is_empty(tables.q[row])) tables.q[row] = base.q[row / states];

  SourceOptions by_weight = options;
  by_weight.normalise = true;
  std::string const name(keys.source());
  RowList rows = rows_by_hand(tables, {name + ": p", name + ": q"}, by_weight);
  PairTables made(rows.take(), std::move(next), options.threads);
  made.set_memory(states, memory.tokens);
  if (base.beginning) made.set_beginning(*base.beginning * states);
  Source source{.description = keys.description(),
                .tables = std::move(made),
                .rounding = rows.rounding(),
                .written = written_rows(tables, rows)};
  std::vector<Keys::Pair> spelt, read;
  if (base.source) {
    spelt.emplace_back("base", base.source->description);
    read.emplace_back("base", base.source->identity());
    source.inputs = base.source->inputs;
  }
  if (memory.file) {
    read.emplace_back(memory.file->key, "sha256:" + memory.file->input.sha256);
    source.inputs.push_back(memory.file->input);
  }
  source.description = keys.description_with(spelt);
  if (!source.inputs.empty()) source.by_content = keys.description_with(read);
  return source;
}

}  // namespace draftgauge
