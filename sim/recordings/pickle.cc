#include "sim/recordings/pickle.h"

#include <filesystem>
#include <string_view>

#include "sim/base/error.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

/// As text in double quotes for Python.
std::string python_text(std::string const& text) {
  std::string out = "\"";
  for (char const c : text) out += c == '"' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
  return out + '"';
}

}  // namespace

bool named_as_pickle(std::string const& file) {
  constexpr std::string_view endings[] = {".pt", ".pth", ".bin", ".pkl", ".pickle"};
  std::string const extension = std::filesystem::path(file).extension().string();
  return contains(endings, extension);
}

bool holds_pickle(std::string const& file, std::span<std::uint8_t const> bytes) {
  // No operation of a pickle has the number 0, which the third byte of a safetensors' length below 65 536 is.
  if (bytes.size() > 2 && bytes[0] == 0x80 && bytes[1] >= 2 && bytes[1] <= 5 && bytes[2] != 0) return true;
  std::string_view const text(reinterpret_cast<char const*>(bytes.data()), bytes.size());
  if (!named_as_pickle(file) || text.empty()) return false;
  // Protocols 0 and 1 have no mark: what makes a list, a dict, a tuple or a class, and STOP at the end.
  constexpr std::string_view first = "()]}c";
  return text.starts_with("PK\3\4") || (text.ends_with('.') && first.find(text.front()) != first.npos);
}

void refuse_pickle(std::string const& file) {
  std::string const to = std::filesystem::path(file).replace_extension(".safetensors").string();
  throw InputError(file + ": it is a pickle (reading one runs the program in it)",
                   "convert it with Python: import torch, safetensors.torch; x = torch.load(" + python_text(file) +
                       ", map_location=\"cpu\", " +
                       "weights_only=True); safetensors.torch.save_file({k: v.contiguous() for k, v in x.items()}, " +
                       python_text(to) + ")");
}

}  // namespace draftgauge
