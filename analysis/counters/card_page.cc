#include "analysis/counters/card_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "analysis/cards/read_print.h"
#include "analysis/counters/metric_counts.h"
#include "analysis/counters/prometheus.h"
#include "analysis/recordings/text_file.h"

namespace draftgauge {
namespace {

/// The samples of a place: of a metric, or of those with a whole number in place of its *, by these numbers from the first on.
std::vector<MetricSample> samples_at(Card const& card, std::string const& file, std::string_view text,
                                     std::string const& place) {
  std::size_t const star = place.find('*');
  std::vector<MetricSample> all = read_metrics(file, text, std::string_view(place).substr(0, star));
  if (star == place.npos) {
    std::erase_if(all, [&](MetricSample const& sample) { return sample.name != place; });
    return all;
  }
  std::string_view const behind = std::string_view(place).substr(star + 1);
  auto const number = [&](MetricSample const& sample) -> std::int64_t {
    std::string_view name = sample.name;
    if (name.size() <= star + behind.size() || !name.ends_with(behind)) return -1;
    name.remove_prefix(star);
    name.remove_suffix(behind.size());
    return parse_integer(name).value_or(-1);
  };
  std::erase_if(all, [&](MetricSample const& sample) { return number(sample) < card.first_index; });
  std::ranges::stable_sort(all, {}, number);
  return all;
}

}  // namespace

PrintedRecord page_record(Card const& card, std::string const& file, std::string_view text, EngineCounters& counters) {
  PrintedRecord record{.place = file};
  std::set<PrintedQuantity> several;
  auto const take = [&](PrintedQuantity quantity, MetricSample const& sample, bool is_of_list) {
    require_one_model(file, counters.model, sample);
    auto const number = [&] {
      return printed_number(card, quantity, file, sample.name, fmt::format("{}", sample.value));
    };
    if (is_of_list) {
      std::vector<PrintedNumber>& list = record.lists[quantity];
      if (!list.empty() && list.back().word == sample.name) several.insert(quantity);
      list.push_back(number());
    } else if (quantity_card(quantity).is_list) {
      std::vector<std::int64_t> at;
      add_position(counters, at, file, sample, card.position);
      std::vector<PrintedNumber>& list = record.lists[quantity];
      list.resize(std::max(list.size(), at.size()));
      list[at.size() - 1].value += static_cast<double>(at.back());
      list[at.size() - 1].word = sample.name;
    } else if (is_count(quantity) && quantity != draft_length) {
      std::int64_t count = 0;
      add_count(counters, count, file, sample);
      record.numbers[quantity].value += static_cast<double>(count);
    } else if (!record.numbers.try_emplace(quantity, number()).second) {
      several.insert(quantity);
    }
  };
  for (PrintedField const& field : card.fields)
    for (std::string const& place : field.places)
      for (MetricSample const& sample : samples_at(card, file, text, place))
        if (!std::isnan(sample.value) || is_count(field.quantity))
          take(field.quantity, sample, place.find('*') != place.npos);
  for (PrintedQuantity const quantity : several) {
    record.numbers.erase(quantity);
    record.lists.erase(quantity);
  }
  if (record.numbers.empty() && record.lists.empty())
    refuse_page(file, "are no counters of " + card.name, "start the server with speculation");
  for (std::string const& name : card.recognise.front()) add_start(counters, file, text, name);
  return record;
}

}  // namespace draftgauge
