#pragma once
#include <cstdint>
#include <span>
#include <string>

namespace draftgauge {

/// Whether the file's name is one that is usual for pickles: .pt, .pth, .bin, .pkl, .pickle.
bool named_as_pickle(std::string const& file);

/// Whether these bytes are a pickle of protocol 2 to 5, as pickle.dump and older torch.save write it; in a file of such
/// a name also one of protocol 0 or 1, or a zip archive, as torch.save writes.
bool holds_pickle(std::string const& file, std::span<std::uint8_t const> bytes);

/// Throws the InputError for a pickle, which is a program and is not run; it ends with the Python that makes a
/// .safetensors of it.
[[noreturn]] void refuse_pickle(std::string const& file);

}  // namespace draftgauge
