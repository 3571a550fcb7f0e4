#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "sim/recordings/tensor.h"

namespace draftgauge {

/// Whether the bytes begin as a whole .safetensors does, which has no number of its own to know it by: a length that
/// fits, and a JSON object.
bool begins_safetensors(std::span<std::uint8_t const> bytes);

/// What a file in the format safetensors holds: 8 bytes of header length, a JSON header, the tensors' bytes
/// (https://github.com/huggingface/safetensors#format), read as its reference reader reads it: names once, every
/// byte of the data in exactly one tensor. Throws InputError that begins with `file`, for the first thing that is not
/// as the format demands. No length, count or offset is believed before it is compared with the bytes that are there.
TensorList read_safetensors(std::string const& file, std::span<std::uint8_t const> bytes);

}  // namespace draftgauge
