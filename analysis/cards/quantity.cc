#include "analysis/cards/quantity.h"

#include <algorithm>
#include <cmath>

#include "analysis/recordings/text_file.h"

namespace draftgauge {

std::vector<QuantityCard> const& quantity_cards() {
  using enum PrintedQuantity;
  static std::vector<QuantityCard> const cards = {
      {rounds, "rounds"},
      {drafted, "drafted"},
      {accepted, "accepted"},
      {rejected, "rejected"},
      {verified, "verified"},
      {emitted, "emitted"},
      {requests, "requests"},
      {conversations, "conversations"},
      {each_request, "each_request"},
      {passes, "passes"},
      {plain_steps, "plain_steps"},
      {slots_not_kept, "slots_not_kept"},
      {rejecting, "rejecting"},
      {draft_length, "draft_length"},
      {tokens_per_round, "tokens_per_round"},
      {emitted_per_pass, "emitted_per_pass"},
      {accepted_per_round, "accepted_per_round"},
      {drafted_per_round, "drafted_per_round"},
      {acceptance_rate, "acceptance_rate"},
      {accepted_per_emitted, "accepted_per_emitted"},
      {emitted_per_round, "emitted_per_round"},
      {mean_of_requests, "mean_of_requests"},
      {tokens_per_second, "tokens_per_second"},
      {draft_slots, "draft_slots"},
      {by_position, "by_position", true},
      {conditional, "conditional", true},
      {histogram, "histogram", true},
      {by_draft_length, "by_draft_length", true},
      {tokens_of_passes, "tokens_of_passes", true},
      {drafted_by_position, "drafted_by_position", true},
      {accepted_in_order, "accepted_in_order", true},
      {drafted_in_order, "drafted_in_order", true},
      {temperature, "temperature"},
      {at_once, "at_once"},
      {seconds, "seconds"},
      {draft_seconds, "draft_seconds"},
      {target_seconds, "target_seconds"},
      {draft_call_seconds, "draft_call_seconds"},
      {round_seconds, "round_seconds"},
      {draft_calls, "draft_calls"},
      {token_seconds, "token_seconds"},
      {step_seconds, "step_seconds"},
      {name, "name", false, true},
      {model, "model", false, true},
      {from_draft, "from_draft", false, true},
      {token_number, "token_number"},
      {engine, "engine", false, true},
  };
  return cards;
}

QuantityCard const& quantity_card(PrintedQuantity quantity) {
  return *std::ranges::find(quantity_cards(), quantity, &QuantityCard::quantity);
}

double last_unit(std::string_view digits) {
  std::size_t const exponent = std::min(digits.find_first_of("eE"), digits.size()), point = digits.find('.');
  auto const scale = exponent == digits.size() ? std::nullopt : parse_real(digits.substr(exponent + 1));
  auto const decimals = point == digits.npos ? 0. : static_cast<double>(exponent - point - 1);
  return std::pow(10., scale.value_or(0) - decimals);
}

bool is_count(PrintedQuantity quantity) {
  using enum PrintedQuantity;
  switch (quantity) {
    case rounds:
    case drafted:
    case accepted:
    case rejected:
    case verified:
    case emitted:
    case requests:
    case conversations:
    case draft_slots:
    case passes:
    case plain_steps:
    case slots_not_kept:
    case rejecting:
    case draft_length:
    case draft_calls: return true;
    default: return false;
  }
}

}  // namespace draftgauge
