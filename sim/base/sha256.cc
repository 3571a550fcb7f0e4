#include "sim/base/sha256.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <new>
#include <stdexcept>

#include "sim/base/mapped_file.h"

namespace draftgauge {
namespace {

void require(int done) {
  if (done != 1) throw std::runtime_error("OpenSSL has no SHA-256");
}

}  // namespace

void Sha256::Free::operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  if (!context_) throw std::bad_alloc();
  require(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr));
}

void Sha256::update(std::span<std::uint8_t const> bytes) {
  require(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()));
}

void Sha256::update(std::string_view text) {
  require(EVP_DigestUpdate(context_.get(), text.data(), text.size()));
}

std::string Sha256::hex() const {
  Sha256 ended;
  require(EVP_MD_CTX_copy_ex(ended.context_.get(), context_.get()));
  std::array<std::uint8_t, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  require(EVP_DigestFinal_ex(ended.context_.get(), digest.data(), &size));
  std::string text;
  for (unsigned i = 0; i < size; ++i)
    for (int const shift : {4, 0}) text += "0123456789abcdef"[digest[i] >> shift & 15];
  return text;
}

std::string sha256_hex(std::string_view text) {
  Sha256 hash;
  hash.update(text);
  return hash.hex();
}

std::string sha256_of_file(std::filesystem::path const& path) {
  MappedFile const file(path);
  Sha256 hash;
  constexpr std::size_t piece = std::size_t{1} << 20;
  for (std::span<std::uint8_t const> rest = file.bytes(); !rest.empty();) {
    std::span<std::uint8_t const> const part = rest.first(std::min(piece, rest.size()));
    hash.update(part);
    file.put_aside(part);
    rest = rest.subspan(part.size());
  }
  return hash.hex();
}

}  // namespace draftgauge
