#include "analysis/recordings/score_rows.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/recordings/text_file.h"
#include "sim/base/error.h"
#include "sim/base/for_rows.h"
#include "sim/base/lists.h"
#include "sim/recordings/row_statistics.h"

namespace draftgauge {
namespace {

/// Bytes of one side that are looked at together: enough for threads to be worth starting, far less than memory.
constexpr std::uint64_t stretch_bytes = std::uint64_t{8} << 20;

/// Figures by the definition, for folds that the fused pass does not know.
std::optional<UnsoundRow> figures_of_truncated(EncodedPairs const& pairs, SamplingParameters const& target,
                                               SamplingParameters const& draft, std::span<RowStatistics> out) {
  std::vector<double> p(pairs.target.vocab), q(pairs.draft.vocab);
  bool const greedy = target.temperature == 0 && draft.temperature == 0;
  for (std::uint64_t i = 0; i < out.size(); ++i) {
    auto const row = [&](RowLayout const& layout, std::uint8_t const* bytes) {
      return std::span(bytes + i * layout.row_bytes(), layout.row_bytes());
    };
    decode_row(pairs.target, row(pairs.target, pairs.target_bytes), p);
    if (auto const unsound = unsound_logit(p)) return UnsoundRow{i, false, *unsound};
    decode_row(pairs.draft, row(pairs.draft, pairs.draft_bytes), q);
    if (auto const unsound = unsound_logit(q)) return UnsoundRow{i, true, *unsound};
    std::optional<std::int64_t> const x = pairs.tokens ? std::optional(pairs.tokens[i]) : std::nullopt;
    if (greedy) {  // by the logits, so that ranks say more than "not the first"
      out[i] = figures_of_logits(p, q, 0, x);
      continue;
    }
    truncate(target, p, p);
    truncate(draft, q, q);
    out[i] = figures_of_tables(p, q, x);
  }
  return {};
}

/// A stretch's figures, by parts of it in threads. The first row that is no law, whichever thread met it.
std::optional<UnsoundRow> figures_of(EncodedPairs const& pairs, SamplingParameters const& target,
                                     SamplingParameters const& draft, int threads, std::span<RowStatistics> out) {
  bool const fused =
      !target.truncates() && !draft.truncates() && target.temperature > 0 && target.temperature == draft.temperature;
  VectorTarget const instructions = vector_target();
  std::uint64_t const parts = std::clamp<std::uint64_t>(out.size(), 1, static_cast<std::uint64_t>(threads));
  std::vector<std::optional<UnsoundRow>> unsound(parts);
  auto const work = [&](std::uint64_t part) {
    std::uint64_t const begin = part * out.size() / parts, end = (part + 1) * out.size() / parts;
    EncodedPairs some = pairs;
    some.target_bytes += begin * pairs.target.row_bytes();
    some.draft_bytes += begin * pairs.draft.row_bytes();
    if (some.tokens) some.tokens += begin;
    std::span<RowStatistics> const share = out.subspan(begin, end - begin);
    unsound[part] = fused ? statistics_of_rows(some, target.temperature, share, instructions)
                          : figures_of_truncated(some, target, draft, share);
    if (unsound[part]) unsound[part]->row += begin;
  };
  for_rows(parts, threads, [&] { return work; });
  for (auto const& found : unsound)
    if (found) return found;
  return {};
}

[[noreturn]] void refuse(RowPairs const& rows, UnsoundRow const& unsound) {
  std::string const file = rows.files.empty() ? "rows" : unsound.in_draft ? rows.files.back() : rows.files.front();
  RowBytes const& model = unsound.in_draft ? *rows.draft : *rows.target;
  throw InputError(file + ": row " + std::to_string(model.file_row(unsound.row)) + " of the " +
                       (unsound.in_draft ? "draft" : "target") + ": " + unsound.logit.text() +
                       " (no distribution has such a logarithm)",
                   "record it again, or leave the row out");
}

void append(TextTrace& text, RowStatistics const& f, std::optional<std::int64_t> x) {
  text.beta.push_back(f.beta);
  text.entropy_p.push_back(f.entropy_p);
  text.entropy_q.push_back(f.entropy_q);
  text.kl_pq.push_back(f.kl_pq);
  text.kl_qp.push_back(f.kl_qp);
  text.max_p.push_back(f.max_p);
  text.max_q.push_back(f.max_q);
  text.agree.push_back(f.argmax_p == f.argmax_q);
  text.p_of_argmax_q.push_back(f.p_of_argmax_q);
  if (!x) return;
  text.tokens.push_back(*x);
  text.log_p.push_back(f.log_p);
  text.log_q.push_back(f.log_q);
  text.top.push_back(*x == f.argmax_p);
  text.argmax_match.push_back(*x == f.argmax_q);
  text.rank_q.push_back(f.rank_q);
}

std::string name_of(RowPairs const& rows) {
  return joined(rows.files, [](std::string const& file) { return file_name(file); });
}

}  // namespace

TokenTrace score_rows(RowPairs& rows, SamplingParameters const& target, SamplingParameters const& draft, int threads,
                      std::function<void(std::uint64_t)> const& done) {
  target.check();
  draft.check();
  RowLayout const &p = rows.target->layout(), &q = rows.draft->layout();
  TokenTrace trace;
  trace.name = name_of(rows);
  trace.temperature = rows.temperature;
  trace.top_k = rows.top_k;
  trace.top_p = rows.top_p;
  trace.files = rows.files;
  trace.estimated_as = "full rows";
  std::uint64_t const stretch = std::max<std::uint64_t>(static_cast<std::uint64_t>(threads),
                                                        stretch_bytes / std::max(p.row_bytes(), q.row_bytes()));
  std::vector<RowStatistics> figures;
  std::size_t sequence = 0;
  std::uint64_t left = 0;  // rows of the text in hand that are still to come
  for (std::uint64_t begin = 0; begin < p.rows; begin += stretch) {
    std::uint64_t const count = std::min(stretch, p.rows - begin);
    figures.resize(count);
    bool const recorded = !rows.tokens.empty();
    EncodedPairs const pairs{p, q, rows.target->rows(begin, count).data(), rows.draft->rows(begin, count).data(),
                             recorded ? rows.tokens.data() + begin : nullptr};
    if (auto unsound = figures_of(pairs, target, draft, threads, figures)) {
      unsound->row += begin;
      refuse(rows, *unsound);
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      for (; left == 0; ++sequence) {
        left = rows.sequences[sequence];
        if (left > 0) trace.texts.emplace_back().name = std::to_string(rows.names[sequence]);
      }
      --left;
      append(trace.texts.back(), figures[i], recorded ? std::optional(rows.tokens[begin + i]) : std::nullopt);
    }
    if (done) done(begin + count);
  }
  return trace;
}

}  // namespace draftgauge
