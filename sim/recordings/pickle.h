#pragma once
#include <cstdint>
#include <span>
#include <string>

namespace draftgauge {

/// Whether these bytes begin a pickle of protocol 2 to 5, as pickle.dump and older torch.save write it.
bool begins_pickle(std::span<std::uint8_t const> bytes);

/// Whether the file's name is one that is usual for pickles: .pt, .pth, .bin, .pkl, .pickle.
bool named_as_pickle(std::string const& file);

/// Throws the InputError for a pickle, which is a program and is not run; it ends with the Python that makes a
/// .safetensors of it.
[[noreturn]] void refuse_pickle(std::string const& file);

}  // namespace draftgauge
