#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "sim/base/limits.h"
#include "sim/recordings/tensor.h"

namespace draftgauge {

/// The array that a file in NumPy's format .npy, version 1.0, 2.0 or 3.0, says it holds
/// (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html). Its header, a Python dictionary, is read
/// by a grammar of that dictionary alone: nothing is evaluated. `start` is the beginning of the `size` bytes of
/// the file, at least min(size, max_npy_header); `place` begins messages: "a.npy", "a.npz: tokens". The array gets
/// `name`, the size and place of its bytes within the file (at.before, at.size), and a fault where its kind of number
/// or its order is not read: big-endian, Fortran order, objects, text and the like. Throws InputError where header
/// and size are not as the format demands.
Tensor read_npy_header(std::string const& place, std::string const& name, std::span<std::uint8_t const> start,
                       std::uint64_t size);

/// The same for the bytes of a whole file.
TensorList read_npy(std::string const& file, std::span<std::uint8_t const> bytes);

}  // namespace draftgauge
