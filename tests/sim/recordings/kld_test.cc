#include "sim/recordings/formats/kld.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "sim/base/error.h"
#include "sim/recordings/row_pairs.h"
#include "sim/sources/source.h"
#include "tests/message.h"
#include "tests/sim/recordings/row_files.h"

namespace draftgauge {
namespace {

/// A small file: 2 chunks of 5 tokens, so 2 rows of each chunk, over 3 tokens and one code that fills up.
struct Small {
  std::string magic = "_logits_";
  std::int32_t n_ctx = 5, n_vocab = 3, n_chunk = 2;
  std::vector<std::int32_t> tokens{0, 1, 2, 1, 0, 2, 2, 0, 1, 1};
  float scale = .5f, least = -2;
  std::vector<std::uint16_t> codes{0, 1, 2, 77};
  int rows = 4;
  std::string extra = {};

  std::string bytes() const {
    std::string out = magic + raw({n_ctx, n_vocab, n_chunk});
    for (auto token : tokens) out += raw({token});
    for (int row = 0; row < rows; ++row) {
      out += raw({scale, least});
      for (auto code : codes) out += raw({code});
    }
    return out + extra;
  }
};

std::string kld_error(Small const& small) {
  std::string const bytes = small.bytes();
  std::string const message = testing::message<InputError>([&] { read_kld("x", as_bytes(bytes)); });
  return message == "(no error)" ? message : behind_path(message, "x");
}

std::string kld_error(void (*change)(Small&)) {
  Small small;
  change(small);
  return kld_error(small);
}

std::string const kld_advice = " write it again with llama-perplexity --kl-divergence-base";

TEST_CASE("a .kld's rows are the distributions of the tokens in the second half of each chunk") {
  TemporaryFile const file(".kld", Small{}.bytes());
  ModelRows const model = open_model_rows(file.path());
  CHECK(model.rows->layout().row_bytes() == 16);
  CHECK(all_rows(*model.rows, 3) == std::vector<double>{-2, -1.5, -1, -2, -1.5, -1, -2, -1.5, -1, -2, -1.5, -1});
  // first = 2: row r is about token 3 + r.
  CHECK(model.tokens == std::vector<std::int64_t>{1, 0, 1, 1});
  CHECK(model.sequences == std::vector<std::uint32_t>{2, 2});
  CHECK(model.names == std::vector<std::int64_t>{0, 1});
  CHECK_FALSE(model.temperature);
  ModelRows const part = open_model_rows(file.path(), "", "1..3");
  CHECK(part.tokens == std::vector<std::int64_t>{0, 1});
  CHECK(part.sequences == std::vector<std::uint32_t>{1, 1});
}

TEST_CASE("the floor of a .kld's rows, and what is on it") {
  Small small;
  std::string const bytes = small.bytes();
  Kld const kld = read_kld("x", as_bytes(bytes));
  RowLayout const layout{Encoding::kld, 4, 3};
  FlooredMass const mass = floored_mass(layout, kld.rows.first(16));
  CHECK(mass.tokens == 1);
  CHECK(mass.floored == Approx(std::exp(-2)).epsilon(1e-14));
  CHECK(mass.sum == Approx(std::exp(-2) + std::exp(-1.5) + std::exp(-1)).epsilon(1e-14));
  // All log-probabilities alike: the scale is 0, and nothing was raised.
  small.scale = 0;
  small.codes = {0, 0, 0, 0};
  small.least = static_cast<float>(-std::log(3));
  std::string const even = small.bytes();
  FlooredMass const all = floored_mass(layout, read_kld("x", as_bytes(even)).rows.first(16));
  CHECK((all.tokens == 3 && all.floored == 0 && std::abs(all.sum - 1) < 1e-6));
}

TEST_CASE("a .kld's numbers are compared with its bytes") {
  CHECK(kld_error([](Small&) {}) == "(no error)");
  std::string const why = " (a .kld begins with _logits_, n_ctx, n_vocab and n_chunk)";
  CHECK(kld_error([](Small& s) { s.magic = "_logitz_"; }) == "it does not begin with _logits_" + why + kld_advice);
  CHECK(testing::message<InputError>([] { read_kld("x", {}); }) == "x: it has 0 bytes" + why + kld_advice);
  CHECK(kld_error([](Small& s) { s.n_ctx = 2; }) == "n_ctx is 2 (it is a number from 3 to 2147483647)" + kld_advice);
  CHECK(kld_error([](Small& s) { s.n_ctx = -1; }).starts_with("n_ctx is -1 "));
  CHECK(kld_error([](Small& s) { s.n_vocab = 0; }) == "n_vocab is 0 (it is a number from 1 to 4194304)" + kld_advice);
  CHECK(kld_error([](Small& s) { s.n_vocab = 4194305; }).starts_with("n_vocab is 4194305 "));
  CHECK(kld_error([](Small& s) { s.n_chunk = 0; }) ==
        "n_chunk is 0 (it is a number from 1 to 2147483647)" + kld_advice);
  CHECK(kld_error([](Small& s) { s.extra = "x"; }) ==
        "it has 125 bytes (2 chunks of 5 tokens out of 3 take 124)" + kld_advice);
  CHECK(kld_error([](Small& s) {
          s.n_chunk = 3;
        }).starts_with("it has 124 bytes (3 chunks of 5 tokens out of 3 take "));
  CHECK(kld_error([](Small& s) { s.n_ctx = s.n_chunk = INT32_MAX, s.n_vocab = 1 << 22; }) ==
        "it has 124 bytes (2147483647 chunks of 2147483647 tokens out of 4194304 take more than 2^64)" + kld_advice);
  CHECK(kld_error([](Small& s) { s.tokens[7] = 3; }) ==
        "token 2 of chunk 1 is 3 (the tokens are 0 to 2)" + kld_advice);
  CHECK(kld_error([](Small& s) { s.tokens[0] = -1; }).starts_with("token 0 of chunk 0 is -1 "));
  std::string const whole = Small{}.bytes();
  for (std::size_t length = 0; length < whole.size(); ++length)
    CHECK_THROWS_AS(read_kld("x", as_bytes(whole.substr(0, length))), InputError);
}

TEST_CASE("rows of a .kld with impossible scales are refused when they are read") {
  float const nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  for (auto const& [scale, least, text] :
       {std::tuple(nan, 0.f, "the scale nan and the least log-probability 0.000000"),
        {-1.f, 0.f, "the scale -1.000000 and the least log-probability 0.000000"},
        {1.f, -infinity, "the scale 1.000000 and the least log-probability -inf"}}) {
    Small small;
    small.scale = scale;
    small.least = least;
    TemporaryFile const file(".kld", small.bytes());
    ModelRows const model = open_model_rows(file.path());
    CHECK(testing::message<InputError>([&] { model.rows->rows(3, 1); }) ==
          file.path() + ": row 1 of chunk 1 has " + text + " (they are finite, the scale not below 0)" + kld_advice);
  }
}

TEST_CASE("two .kld files must be of one text, or the message says where they differ") {
  auto const differ = [](void (*change)(Small&)) {
    Small other;
    change(other);
    std::string const bytes_a = Small{}.bytes(), bytes_b = other.bytes();
    Kld const a = read_kld("A", as_bytes(bytes_a)), b = read_kld("B", as_bytes(bytes_b));
    return testing::message<InputError>([&] { check_same_text("A", a, "B", b); });
  };
  std::string const rest =
      " (rows of the two must be about the same places of one text) write both with the same -f, " +
      std::string("-c and --chunks, from models of one tokenizer");
  CHECK(differ([](Small&) {}) == "(no error)");
  CHECK(differ([](Small& s) { s.n_vocab = 4; }) == "A: n_vocab is 3, but in B it is 4" + rest);
  CHECK(differ([](Small& s) { s.n_chunk = 1, s.tokens.resize(5), s.rows = 2; }) ==
        "A: n_chunk is 2, but in B it is 1" + rest);
  CHECK(differ([](Small& s) { s.n_ctx = 4, s.tokens.resize(8), s.rows = 2; }) ==
        "A: n_ctx is 5, but in B it is 4" + rest);
  CHECK(differ([](Small& s) { s.tokens[6] = 1; }) == "A: token 1 of chunk 1 is 2, but in B it is 1" + rest);
  Small other;
  other.tokens[6] = 1;
  TemporaryFile const file_a(".kld", Small{}.bytes()), file_b(".kld", other.bytes());
  CHECK(pair_error(file_a.path(), file_b.path()) ==
        file_a.path() + ": token 1 of chunk 1 is 2, but in " + file_b.path() + " it is 1" + rest);
}

TEST_CASE("rows of two real models as llama.cpp wrote them have the figures that NumPy computes from them") {
  // tests/data/cut_kld.py prints these.
  struct Figures {
    std::int64_t token;
    double sum_p, sum_q, floored_p, floored_q;
    std::uint64_t at_floor_p, at_floor_q;
    double beta_stored, beta, log_p, log_q;
  };
  constexpr Figures rows[] = {{1385, 1.000888749642, 1.000690520606, .001078373814, .000886492582, 34845, 30539,
                               .815669130604, .815020570100, -3.505599439, -4.019589078},
                              {592, 1.002100283193, 1.002090133944, .002263462493, .002336206999, 44960, 43026,
                               .781526612822, .779890630581, -.926948514, -1.701701708},
                              {14510, 1.000507030354, 1.000207864130, .000576197526, .000246002359, 31497, 22157,
                               .634714875385, .634524381907, -5.222521301, -6.118138157}};
  RowPairs const pairs = open_row_pairs(row_file("real_target.kld"), row_file("real_draft.kld"));
  RowLayout const& layout = pairs.target->layout();
  REQUIRE((layout.rows == 3 && layout.vocab == 49152));
  std::vector<double> p(layout.vocab), q(layout.vocab);
  Source const source =
      open_source("kld:target=" + row_file("real_target.kld") + ",draft=" + row_file("real_draft.kld"));
  for (std::uint32_t r = 0; r < 3; ++r) {
    Figures const& f = rows[r];
    auto const bytes_p = pairs.target->rows(r, 1), bytes_q = pairs.draft->rows(r, 1);
    decode_row(layout, bytes_p, p);
    decode_row(layout, bytes_q, q);
    FlooredMass const mass_p = floored_mass(layout, bytes_p), mass_q = floored_mass(layout, bytes_q);
    double beta = 0;
    for (std::size_t x = 0; x < p.size(); ++x) beta += std::exp(std::min(p[x], q[x]));
    auto const token = static_cast<std::size_t>(pairs.tokens[r]);
    CHECK(pairs.tokens[r] == f.token);
    CHECK(mass_p.sum == Approx(f.sum_p).margin(1e-11));
    CHECK(mass_q.sum == Approx(f.sum_q).margin(1e-11));
    CHECK(mass_p.floored == Approx(f.floored_p).margin(1e-11));
    CHECK(mass_q.floored == Approx(f.floored_q).margin(1e-11));
    CHECK((mass_p.tokens == f.at_floor_p && mass_q.tokens == f.at_floor_q));
    CHECK(beta == Approx(f.beta_stored).margin(1e-11));
    CHECK(p[token] == Approx(f.log_p).margin(1e-9));
    CHECK(q[token] == Approx(f.log_q).margin(1e-9));
    CHECK(source.tables.beta(r) == Approx(f.beta).margin(1e-9));
  }
}

}  // namespace
}  // namespace draftgauge
