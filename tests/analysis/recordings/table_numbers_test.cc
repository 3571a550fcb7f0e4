#include "analysis/recordings/table_numbers.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "analysis/load/load_table.h"
#include "analysis/recordings/columns.h"
#include "analysis/recordings/costs/cost_file.h"
#include "tests/analysis/recordings/fixture.h"
#include "tests/message.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

std::string plain(std::string const& cell, DecimalMark mark) { return plain_number(cell, mark).value_or("none"); }

std::vector<double> log_p(std::string const& text) { return read_columns("x", text).texts.at(0).log_p; }

std::string number_error(std::string const& text) {
  return message<InputError>([&] { read_columns("x", text); });
}

double mean_acceptance(TokenTrace const& trace) {
  double sum = 0;
  for (TextTrace const& text : trace.texts)
    for (std::size_t t = 0; t < text.size(); ++t) sum += text.acceptance(t);
  return sum / static_cast<double>(trace.tokens());
}

}  // namespace

TEST_CASE("numbers of spreadsheets: marks, signs and blanks of several kinds") {
  constexpr auto comma = DecimalMark::comma, point = DecimalMark::point;
  for (auto const& [cell, number] : {std::pair("-1,2043", "-1.2043"),
                                     {"1.234,5", "1234.5"},
                                     {"1.234", "1234"},
                                     {",5", ".5"},
                                     {"1,5e-05", "1.5e-05"},
                                     {"\xe2\x88\x92"
                                      "0,25",
                                      "-0.25"},
                                     {"1\xe2\x80\xaf"
                                      "234\xe2\x80\xaf"
                                      "567,5",
                                      "1234567.5"},
                                     {"1'234,5", "1234.5"},
                                     {"12\xc2\xa0"
                                      "345",
                                      "12345"},
                                     {"+3", "3"},
                                     {"77,8\xc2\xa0%", "77.8%"}})
    CHECK(plain(cell, comma) == number);
  for (auto const& [cell, number] : {std::pair("-1.2043", "-1.2043"),
                                     {"1,234.5", "1234.5"},
                                     {"1,234", "1234"},
                                     {"1\xe2\x80\x89"
                                      "234.5",
                                      "1234.5"},
                                     {"1E-05", "1e-05"},
                                     {"77.8%", "77.8%"}})
    CHECK(plain(cell, point) == number);
  for (char const* cell :
       {"", "-", ".", "1,2,3", "1,23.5", "0,123.5", "1,2345.6", "1e", "--1", "1 2", "a", "1.2.3", "%"})
    CHECK(plain(cell, point) == "none");
  CHECK(plain("-1,2043", point) == "none");
  CHECK(plain("-1.2043", comma) == "none");
  CHECK(plain("1,234", DecimalMark::unclear) == "none");
}

TEST_CASE("columns that a spreadsheet saved with decimal commas are read, a mark and CRLF included") {
  TokenTrace const trace = read_columns("x", text_of("x", fixture_text("spreadsheet.csv")));
  CHECK((trace.tokens() == 500 && trace.texts.size() == 10 && trace.texts[0].log_p[0] == -3.2897));
  CHECK(mean_acceptance(trace) == Approx(.7776).margin(5e-5));
  for (std::string const text : {"logp;logq\n-1,5;-0,25\n-2;-Infinity\n", "logp\tlogq\n-1,5\t-0,25\n-2\t-inf\n",
                                 "logp,logq\n\"-1,5\",\"-0,25\"\n-2,-inf\n",
                                 "logp;logq\n\xe2\x88\x92"
                                 "1,5;-,25\n-2,0;-INF\n",
                                 "# made by x\nlogp;logq\n\n-1.5;-0.25\n# half\n-2;-inf\n"}) {
    CAPTURE(text);
    TextTrace const read = read_columns("x", text).texts.at(0);
    CHECK(read.log_p == std::vector<double>{-1.5, -2});
    CHECK((read.log_q[0] == -.25 && std::isinf(read.log_q[1])));
  }
}

TEST_CASE("a comma before three digits goes by the column, the table and the fields' separator") {
  CHECK(log_p("logp;logq\n-1,234;-1\n") == std::vector{-1.234});
  CHECK(log_p("logp\tlogq\n-1,234\t-1,5\n") == std::vector{-1.234});
  CHECK(log_p("logp,logq\n\"-1,234\",\"-0,5\"\n\"-1,5\",-2\n") == std::vector{-1.234, -1.5});
  CHECK(log_p("logp,logq\n\"-1,234\",\"-0,5\"\n") == std::vector{-1.234});  // the other column has decimal commas
  std::string const hint = " write all numbers with decimal points, and nothing between thousands: 1234.5",
                    expected =
                        " (expected: the natural logarithm of a probability, at most 0; -inf for a token that is "
                        "excluded)";
  CHECK(number_error("logp,logq\n\"-1,234\",-1\n") ==
        "x, line 2: logp is '-1,234', which may be -1.234 or -1234" + expected + hint);
  CHECK(number_error("logp;logq\n-1.5;-1\n-1,2043;-1\n") == "x, line 3: logp is '-1,2043'" + expected + hint);
  CHECK(number_error("logp;logq\n-1.5;-1\n-1,2043;-1\n") == number_error("logp;logq\n-1.25;-1\n-1,2043;-1\n"));
  // Fields between commas and decimal commas without quotes.
  CHECK(number_error("seq,logp,logq\n0,-3,2897,-2,6069\n") ==
        "x, line 2: it has more fields where the header has 3 (which is which would be a guess) if its numbers have "
        "decimal commas, separate the fields by semicolons or tabs");
  // Texts do not count as numbers: the piece has a comma, the logarithms have points.
  TextTrace const text = read_columns("x", "piece\tlogp\tlogq\n0,5\t-1.5\t-1\n,\t-2.5\t-1\n").texts.at(0);
  CHECK((text.log_p == std::vector{-1.5, -2.5} && text.pieces[0] == "0,5"));
  CHECK(number_error("logp;logq\nNaN;-1\n").starts_with("x, line 2: logp is 'NaN' (expected"));
}

TEST_CASE("shares may be written in percent, logarithms may not") {
  TextTrace const text = read_columns("x", "logp;logq;beta;token\n-1,5;-1;77,8 %;50 257\n-1;-1;100%;3\n").texts.at(0);
  CHECK((text.beta[0] == Approx(.778) && text.beta[1] == 1));
  CHECK(text.tokens == std::vector<std::int64_t>{50257, 3});
  CHECK(number_error("logp,logq\n-5%,-1\n").starts_with("x, line 2: logp is '-5%' (expected"));
}

TEST_CASE("tables of times are read with decimal commas, too") {
  for (std::string const text :
       {"phase;batch;tokens;mean_s\ntarget;1;1;0,025\ntarget;1;1.024;0,5\ndraft;1;1;2,5e-03\n",
        "phase,batch,tokens,mean_s\ntarget,1,1,\"0,025\"\ntarget,1,1024,\"0,5\"\ndraft,1,1,\"0,0025\"\n"}) {
    CAPTURE(text);
    CostTable const costs = read_costs("cost.csv", text);
    CHECK((costs.models.at("target").seconds.at(1) == .025 && costs.models.at("target").seconds.at(1024) == .5));
    CHECK(costs.models.at("draft").seconds.at(1) == .0025);
  }
  LoadTable const load = read_load("x.csv", "batch;tokens;ms\n1;1;7,25\n1;4;8,5\n");
  CHECK(load.models.at("model").ms.at(1, 1)->value == 7.25);
  CHECK(
      message<InputError>([] { read_load("x.csv", "batch,tokens,ms\n1,1,\"7,250\"\n"); }) ==
      "x.csv, line 2: ms is '7,250', which may be 7.250 or 7250 (expected: a number) write all numbers with decimal "
      "points, and nothing between thousands: 1234.5");
}

TEST_CASE("a table of a million lines that decide nothing is looked through once") {
  std::string text = "logp;logq\n";
  for (int i = 0; i < 300'000; ++i) text += "-1,234;-1,234\n";
  CHECK(read_columns("x", text).tokens() == 300'000);
}
