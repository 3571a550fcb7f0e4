#include "analysis/load/batch_costs.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/recordings/costs/model_choice.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

bool one_axis(BatchGrid const& grid) {
  std::vector<std::int64_t> const lengths = grid.lengths();
  if (lengths.size() == 1) return lengths.front() == 1;
  std::optional<std::int64_t> only;
  for (std::int64_t const length : lengths)
    for (std::int64_t const batch : grid.batches(length)) {
      if (only && *only != batch) return false;
      only = batch;
    }
  return true;
}

/// All passes as if they were of single tokens.
BatchGrid as_single_tokens(BatchGrid const& grid) {
  BatchGrid all;
  for (std::int64_t const length : grid.lengths())
    for (std::int64_t const batch : grid.batches(length)) all.add(1, length * batch, grid.at(length, batch)->value);
  return all;
}

/// T(1, B) of a draft.
BatchGrid steps(BatchGrid const& grid) { return one_axis(grid) ? as_single_tokens(grid) : grid; }

/// Of a draft's own file: the model of that name, or its only one.
std::string model_of_draft_file(LoadTable const& draft, std::string const& name) {
  if (!name.empty()) return draft_model(draft.file, sizes_of(draft.models), {}, name);
  if (draft.models.size() > 1)
    throw UsageError(fmt::format("{} has the times of {} models (which is the draft would be a guess)", draft.file,
                                 draft.models.size()),
                     "name it with `cost-draft`");
  return draft.models.begin()->first;
}

/// v(n) that was not measured: no less than a shorter pass, or than a plain step.
double guess_of(double pass, double before) { return std::max({pass, before, 1.}); }

[[noreturn]] void refuse_without_steps(std::string const& file, std::string const& model) {
  throw InputError(
      fmt::format("{}: T(1) of {} is missing (a plain step is what rounds are compared with)", file, model),
      "measure steps of one token, too");
}

}  // namespace

BatchCosts::BatchCosts(LoadTable const& table, std::optional<LoadTable> const& draft, Costs const& given,
                       std::string const& target_name, std::string const& draft_name)
    : given_(given), whole_rounds_(table.whole_rounds) {
  std::string const target = target_model(table.file, sizes_of(table.models), target_name);
  target_ = table.models.at(target).ms;
  if (whole_rounds_) {
    if (draft || given.draft > 0 || given.overhead > 0)
      throw UsageError(
          fmt::format("{} has the times of whole rounds (in which all is counted that a round costs)", table.file),
          "leave the draft's cost and the overhead out");
  } else if (draft) {
    if (table.models.size() > 1)
      throw UsageError(fmt::format("{} and {} both say what a draft costs (which of the two counts would be a guess)",
                                   draft->file, table.file),
                       "leave `load-draft` out");
    std::string const name = model_of_draft_file(*draft, draft_name);
    draft_ = steps(draft->models.at(name).ms);
    if (draft_->batches(1).empty()) refuse_without_steps(draft->file, name);
  } else if (table.models.size() > 1) {
    std::string const name = draft_model(table.file, sizes_of(table.models), target, draft_name);
    if (name == target)
      throw UsageError(
          fmt::format("{}: {} is the target and the draft (it would draft for itself)", table.file, name),
          "name another with `cost-draft`");
    draft_ = steps(table.models.at(name).ms);
    if (draft_->batches(1).empty()) refuse_without_steps(table.file, name);
  }
  if (!draft_ && !draft_name.empty())
    throw UsageError(fmt::format("{} has no times of a draft model by itself (of which {} would be the name)",
                                 table.file, draft_name),
                     "leave `cost-draft` out");
  by_tokens_ = !whole_rounds_ && one_axis(target_);
  if (by_tokens_) target_ = as_single_tokens(target_);
  batches_ = target_.batches(1);
  if (batches_.empty() || (by_tokens_ && batches_.front() != 1)) refuse_without_steps(table.file, target);
  if (!by_tokens_) return;
  for (std::int64_t const tokens : batches_) verify_[tokens] = target_.at(1, tokens)->value / target_.at(1, 1)->value;
  // One step alone says nothing of longer passes: n tokens take n of it, the most they can.
  if (verify_.size() == 1) verify_[most_batch] = static_cast<double>(most_batch);
  if (draft_)
    for (std::int64_t const tokens : draft_->batches(1))
      draft_curve_[tokens] = draft_->at(1, tokens)->value / draft_->at(1, 1)->value;
  std::erase_if(batches_, [](std::int64_t batch) { return batch > most_batch; });
}

Costs BatchCosts::at(std::int64_t batch) const {
  double const step = plain_ms(batch).value;
  Costs costs = given_;
  if (draft_) costs.draft = draft_->at(1, batch)->value / step;
  if (by_tokens_) {
    double const draft = costs.draft;  // of the batch already
    costs.verify = verify_;
    costs.draft_curve = draft_curve_;
    Costs together = in_batch(costs, batch);
    together.draft = draft;
    double before = 1;
    for (auto& [tokens, pass] : together.verify) {
      if (tokens > *together.measured) pass = guess_of(pass, before);
      before = pass;
    }
    return together;
  }
  bool known = true;
  double before = 0;
  costs.measured = 0;
  for (std::int64_t const length : target_.lengths()) {
    if (!reaches(length, batch)) continue;
    GridValue const time = *target_.at(length, batch);
    double& pass = costs.verify[length] = time.value / step;
    if (time.guess) pass = guess_of(pass, before);
    before = pass;
    known = known && !time.guess;
    if (known) costs.measured = length;
  }
  std::int64_t const longest = target_.lengths().back();
  if (costs.verify.size() == 1 && longest > 1) costs.verify[longest] = static_cast<double>(longest);
  // What was measured may be less than a plain step; what follows from it may not.
  if (*costs.measured > 0 && costs.verify.at(*costs.measured) < 1) costs.verify.emplace(*costs.measured + 1, 1);
  return costs;
}

bool BatchCosts::reaches(std::int64_t length, std::int64_t batch) const {
  return target_.batches(length).back() >= std::min(batch, batches_.back());
}

bool BatchCosts::only_plain(std::int64_t batch) const {
  return !by_tokens_ && std::ranges::none_of(target_.lengths(), [&](std::int64_t length) {
    return length > 1 && reaches(length, batch);
  });
}

std::optional<std::int64_t> BatchCosts::longest() const {
  if (!whole_rounds_) return std::nullopt;
  return target_.lengths().back() - 1;
}

}  // namespace draftgauge
