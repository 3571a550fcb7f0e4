#include "analysis/report/tokens.h"

namespace draftgauge {
namespace {

using At = TokenReport const&;

/// The token's number of a column; nothing where the recording does not have the column.
template <class Of, class T>
auto of_column(std::vector<T> Of::* column, Of const& (*holder)(At)) {
  return [=](At row) {
    std::vector<T> const& numbers = holder(row).*column;
    return numbers.empty() ? std::nullopt : std::optional<T>(numbers[row.position]);
  };
}
template <class T>
auto of_text(std::vector<T> TextTrace::* column) {
  return of_column(column, +[](At row) -> TextTrace const& { return row.text; });
}
auto said(std::vector<double> TextAcceptance::* column) {
  return of_column(column, +[](At row) -> TextAcceptance const& { return row.says; });
}

/// A member that is left out where the recording does not have its column.
template <class T>
Field<TokenReport> known(char const* key, std::vector<T> TextTrace::* column, FieldForm form = {}) {
  form.optional = true;
  return {key, of_text(column), std::move(form)};
}

}  // namespace

Described<TokenReport> const& describe(TokenReport const* /*token*/) {
  FieldForm const share{.least = 0, .most = 1}, positive{.least = 0};
  auto const tv = [](At row) { return given(!row.says.beta.empty(), row.says.beta.empty() ? 0 : 1 - row.says.beta[row.position]); };
  static Described<TokenReport> const all(
      {.name = "TokenOfText", .says = "One token of a recording, with what is known of it."},
      {{"text", [](At row) { return row.text.name; }},
       {"position", [](At row) { return row.position; }, {.says = "In its text, from 0.", .least = 0}},
       {"token", of_text(&TextTrace::tokens), {.says = "Its number in the vocabulary."}},
       {"beta", said(&TextAcceptance::beta), {.says = "Σ min(p, q), the acceptance rate of its context."}},
       {"a", said(&TextAcceptance::a), {.says = "min(1, q/p) at the token."}},
       {"tv", tv, {.optional = true, .says = "1 − β."}},
       known("beta_low", &TextTrace::beta_low, share),
       known("beta_high", &TextTrace::beta_high, share),
       known("log_p", &TextTrace::log_p, {.says = "ln p of the token; null: p excludes it.", .endless = true}),
       known("log_q", &TextTrace::log_q, {.endless = true}),
       known("rank_q", &TextTrace::rank_q, {.says = "1 + the number of tokens that q finds likelier.", .least = 1}),
       known("lower_q", &TextTrace::lower_q, {.says = "q of the tokens whose p/q is lower.", .least = 0, .most = 1}),
       known("entropy_p", &TextTrace::entropy_p, {.says = "In nats, as the others.", .least = 0}),
       known("entropy_q", &TextTrace::entropy_q, positive),
       known("kl_pq", &TextTrace::kl_pq, {.says = "KL(p ‖ q); null: infinite.", .endless = true}),
       known("kl_qp", &TextTrace::kl_qp, {.endless = true}),
       known("argmax_agreement", &TextTrace::agree, {.says = "1: argmax p = argmax q.", .least = 0, .most = 1}),
       known("argmax_p_hit", &TextTrace::top, {.says = "1: the token is argmax p.", .least = 0, .most = 1}),
       known("argmax_q_hit", &TextTrace::argmax_match, {.says = "1: the token is argmax q.", .least = 0, .most = 1}),
       known("max_p", &TextTrace::max_p, share),
       known("max_q", &TextTrace::max_q, share),
       known("p_of_argmax_q", &TextTrace::p_of_argmax_q, share)});
  return all;
}

std::vector<TokenReport> token_reports(Study const& study) {
  std::vector<TokenReport> all;
  std::vector<TextTrace> const& texts = study.recorded.trace.texts;
  for (std::size_t i = 0; i < texts.size(); ++i)
    for (std::size_t t = 0; t < texts[i].size(); ++t) all.push_back({texts[i], study.estimates.acceptance()[i], t});
  return all;
}

}  // namespace draftgauge
