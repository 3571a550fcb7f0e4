#include "apps/cli/former_words.h"

namespace draftgauge {
namespace {

struct FormerOption {
  std::string_view was, is;
};
constexpr FormerOption options[] = {{"--museum", "--faulty"}};

/// A value, or the beginning of one up to a slash, behind an option or as the one word of a command.
struct FormerValue {
  std::string_view of, was, is;
};
constexpr FormerValue values[] = {
    {"list", "museum", "faulty"}, {"--rule", "wrong/", "faulty/"}, {"--drafter", "wrong/", "faulty/"}};

std::string present_value(std::string_view of, std::string_view value) {
  for (FormerValue const& former : values)
    if (former.of == of && (value == former.was || (former.was.ends_with('/') && value.starts_with(former.was))))
      return std::string(former.is) + std::string(value.substr(former.was.size()));
  return std::string(value);
}

}  // namespace

std::vector<std::string> in_present_text(std::span<std::string_view const> words) {
  std::vector<std::string> present;
  std::string_view before;
  for (std::string_view const word : words) {
    if (word.starts_with("--")) {
      std::string_view option = word.substr(0, word.find('='));
      for (FormerOption const& former : options)
        if (former.was == option) option = former.is;
      bool const has_value = word.find('=') != std::string_view::npos;
      present.push_back(std::string(option) +
                        (has_value ? "=" + present_value(option, word.substr(word.find('=') + 1)) : ""));
    } else {
      present.push_back(present_value(before, word));
    }
    before = word;
  }
  return present;
}

}  // namespace draftgauge
