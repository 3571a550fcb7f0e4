#include "analysis/counters/card_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "analysis/cards/read_print.h"
#include "analysis/counters/metric_counts.h"
#include "analysis/counters/prometheus.h"

namespace draftgauge {
namespace {

/// The metrics of a place: itself, or with each number in place of its * that the page has, from the first on.
std::vector<std::string> metrics_at(Card const& card, std::string_view text, std::string const& place) {
  std::size_t const star = place.find('*');
  if (star == place.npos) return {place};
  std::vector<std::string> all;
  for (std::size_t i = 0; i < most_positions; ++i) {
    std::string name = fmt::format("{}{}{}", place.substr(0, star), static_cast<std::size_t>(card.first_index) + i,
                                   place.substr(star + 1));
    if (!has_metric(text, name)) break;
    all.push_back(std::move(name));
  }
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
      for (std::string const& metric : metrics_at(card, text, place))
        for (MetricSample const& sample : read_metrics(file, text, metric))
          if (sample.name == metric) take(field.quantity, sample, metric != place);
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
