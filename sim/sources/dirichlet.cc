#include "sim/sources/families.h"
#include "sim/sources/keys.h"
#include "sim/sources/source.h"

namespace draftgauge {
namespace {

Source build(Keys const& keys, SourceOptions const& options) {
  std::uint32_t const vocab = keys.count32("vocab");
  std::uint32_t const contexts = keys.count32("contexts");
  check_memory(contexts, vocab, options.memory_limit, "take fewer contexts or a smaller vocab");
  RowList rows;
  for (std::uint32_t row = 0; row < contexts; ++row) {
    auto const draw = [&](std::uint32_t stream) {
      auto law = log_gamma_variables(vocab, keys.number("concentration"), {keys.count("seed"), row, stream});
      softmax(law, 1);
      return law;
    };
    rows.add(draw(0), draw(1));
  }
  return {keys.description(), Laws(rows.rows(), Follow::independent), rows.rounding()};
}

}  // namespace

SourceCard dirichlet_source() {
  return {.name = "dirichlet",
          .summary = "contexts whose p and q are drawn independently from a symmetric Dirichlet law",
          .laws = "p, q ~ Dirichlet(concentration, …, concentration)",
          .keys = {vocab_key("10"),
                   {.name = "concentration",
                    .kind = KeyCard::Kind::number,
                    .meaning = "small: a few tokens have all the mass; large: laws near uniform",
                    .standard = "1",
                    .least = {1, 1000},
                    .most = 1'000'000},
                   contexts_key(),
                   seed_key()},
          .build = build};
}

}  // namespace draftgauge
