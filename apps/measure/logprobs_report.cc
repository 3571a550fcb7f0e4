#include "apps/measure/logprobs_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "analysis/audit/engine_logprobs.h"
#include "analysis/recordings/logprobs/logprobs.h"
#include "analysis/recordings/score_rows.h"
#include "analysis/stats/counted.h"
#include "apps/measure/floor_report.h"
#include "apps/options/recording_options.h"
#include "sim/base/error.h"
#include "sim/base/mapped_file.h"

namespace draftgauge {
namespace {

constexpr double tolerance_without_floor = .05;  // nats: what half precision and another batch leave

std::string_view words_of(LogprobFault fault) {
  switch (fault) {
    case LogprobFault::zero: return "0 in place of the log-probability";
    case LogprobFault::draft: return "the draft model's in place of the target's";
    case LogprobFault::raw: return "those before temperature and truncation";
    case LogprobFault::no_temperature: return "those at temperature 1, truncated";
    case LogprobFault::no_truncation: return "those before truncation";
    case LogprobFault::early: return "each that of the token after it";
    case LogprobFault::late: break;
  }
  return "each that of the token before it";
}

TextLogprobs log_p_of(TokenTrace const& trace) {
  TextLogprobs all;
  for (TextTrace const& text : trace.texts) all.push_back(text.log_p);
  return all;
}

/// The engine's, over the recording's texts: in its order, or by name where it names the same.
TextLogprobs engine_logprobs(TokenTrace const& scored, ModelRecording const& engine) {
  if (engine.texts.size() != scored.texts.size())
    throw InputError(fmt::format("{}: it holds {}, and {} {} (the engine's are held against scored ones of the same)",
                                 engine.file, counted(engine.texts.size(), "text"), scored.name, scored.texts.size()),
                     "score the texts that the engine wrote");
  TextLogprobs all;
  for (std::size_t t = 0; t < scored.texts.size(); ++t) {
    TextTrace const& text = scored.texts[t];
    auto const named = std::ranges::find(engine.texts, text.name, &ModelText::name);
    ModelText const& its = text.name.empty() || named == engine.texts.end() ? engine.texts[t] : *named;
    if (its.tokens.size() != text.size())
      throw InputError(fmt::format("{}: it has {} of the text, and {} {}", its.place,
                                   counted(its.tokens.size(), "token"), scored.name, text.size()),
                       "score the whole text that the engine wrote, without its prompt");
    all.emplace_back();
    for (std::size_t i = 0; i < text.size(); ++i) {
      std::string const& name = its.tokens[i].name;
      std::int64_t id = 0;
      bool const read = std::from_chars(name.data(), name.data() + name.size(), id).ec == std::errc();
      if (engine.ids && read && !text.tokens.empty() && id != text.tokens[i])
        throw InputError(fmt::format("{}: its token {} is {}, and {} has {} there", its.place, i + 1, id, scored.name,
                                     text.tokens[i]),
                         "score the text that the engine wrote");
      all.back().push_back(its.tokens[i].log_prob);
    }
  }
  return all;
}

/// What full rows say of the same tokens where temperature or truncation is left out.
std::vector<LogprobAlternative> alternatives_of(Invocation const& args, Recorded const& recorded) {
  std::vector<LogprobAlternative> all;
  if (!recorded.rows || !recorded.target) return all;
  SamplingParameters const set = *recorded.target;
  auto const add = [&](LogprobFault fault, SamplingParameters const& other) {
    RowPairs rows = recorded.rows();
    all.push_back({fault, log_p_of(score_rows(rows, other, other, args.threads()))});
  };
  SamplingParameters uncut{.temperature = set.temperature}, untempered = set;
  untempered.temperature = 1;
  bool const tempered = set.temperature != 1, cut = set.truncates();
  if (tempered || cut) add(LogprobFault::raw, {});
  if (tempered && cut) add(LogprobFault::no_temperature, untempered);
  if (tempered && cut) add(LogprobFault::no_truncation, uncut);
  return all;
}

std::string verdict(EngineLogprobs const& found, bool floor) {
  if (found.right())
    return fmt::format("The engine's log-probabilities are the target's: {} within {:.3g} nats. ",
                       counted(found.tokens, "token"), found.tolerance);
  if (found.fault)
    return fmt::format("BROKEN log-probabilities: the engine reports {}, at {} of {}. ", words_of(*found.fault),
                       found.differing, counted(found.tokens, "token"));
  return fmt::format(
      "The engine's log-probabilities differ from the target's by up to {:.3g} nats, at {} of {}; no "
      "fault that we know explains it{}. ",
      found.largest, found.differing, counted(found.tokens, "token"), floor ? "" : " (--floor tells noise)");
}

}  // namespace

OptionGroup logprobs_options() {
  return {"An engine's log-probabilities",
          {{.name = "--logprobs",
            .kind = Kind::path,
            .summary = "the engine's responses with log-probabilities of this text: are they the target's?"}}};
}

std::string add_logprobs(Result& result, MeasureReport& report, Invocation const& args, MeasuredRecording const& one) {
  TokenTrace const& scored = one.recorded.trace;
  if (!all_have(scored, &TextTrace::log_p))
    throw InputError(scored.name + ": it has no log-probabilities of its tokens (the engine's are held against them)",
                     "record rows with their tokens, or two log-probabilities a token");
  std::string const& file = args.text("--logprobs");
  MappedFile const mapped(file);
  ModelRecording const engine = read_logprobs(
      file, mapped.text(), {.prompt_tokens = {}, .temperature = temperature_of(one.recorded), .as_given = true});
  TextLogprobs const reported = engine_logprobs(scored, engine);
  bool const floor = args.has("--floor");
  double tolerance = tolerance_without_floor;
  if (floor) {
    TokenTrace const twice = self_trace(args, one.recorded, args.text("--floor"));
    TextLogprobs again;
    for (TextTrace const& text : twice.texts) again.push_back(text.log_q);
    tolerance = largest_difference(log_p_of(twice), again);
  }
  EngineLogprobs const found =
      check_engine_logprobs(scored, reported, alternatives_of(args, one.recorded), tolerance);
  report.logprobs = LogprobsReport{engine.format, found, floor, {}};
  if (found.first) report.logprobs->first_text = scored.texts[found.first->text].name;
  Section section{.heading = "The engine's log-probabilities",
                  .table = Table{{"quantity", "quantity", Align::left}, {"value", "value"}}};
  section.table.add({"tokens compared", static_cast<std::int64_t>(found.tokens)});
  section.table.add(
      {fmt::format("differ by more than {:.3g} nats", found.tolerance), static_cast<std::int64_t>(found.differing)});
  section.table.add({"largest difference, nats", Number{found.largest, 4}});
  section.table.add({"mean importance ratio, p scored / p reported", Number{found.mean_ratio, 4}});
  if (found.first) {
    std::string const& name = scored.texts[found.first->text].name;
    section.paragraphs.push_back(fmt::format("First at text {}, token {}: the engine says {:.4g}, scored {:.4g}.",
                                             name.empty() ? std::to_string(found.first->text) : name,
                                             found.first->token + 1, found.first->engine, found.first->scored));
    if (found.fault)
      section.paragraphs.push_back(fmt::format("{} of the {} that differ are {}.", found.explained, found.differing,
                                               words_of(*found.fault)));
    section.paragraphs.push_back(
        fmt::format("As the old policy's of reinforcement learning they give importance ratios of {:.4g} on average. "
                    "Right ones give 1. One ratio is off by a factor of {:.3g}.",
                    found.mean_ratio, std::exp(std::abs(found.largest_log_ratio))));
  }
  section.note(floor ? "The tolerance is the largest difference between two recordings of the target (--floor)."
                     : "The tolerance is a guess at rounding; --floor measures it.");
  result.sections.insert(result.sections.begin(), std::move(section));
  if (found.fault || (!found.right() && floor)) result.status = both(result.status, Status::failed);
  if (!found.right() && !found.fault && !floor) result.status = both(result.status, Status::inconclusive);
  return verdict(found, floor);
}

}  // namespace draftgauge
