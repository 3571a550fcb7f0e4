#pragma once
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/families/prompt_trees.h"
#include "analysis/load/batch_costs.h"
#include "analysis/stats/token_trace.h"
#include "analysis/table.h"
#include "analysis/texts/text_estimates.h"
#include "analysis/theory/cost.h"
#include "analysis/trees/text_ranks.h"
#include "sim/draft/tree_shape.h"
#include "sim/recordings/rows.h"

/// Figures as data: each is defined once, as a Vega-Lite specification with its numbers inside, from which the static
/// file, the page and what a person edits are all made.
namespace draftgauge {

/// A recording that figures are drawn of.
struct FigureRecording {
  std::string name;  ///< as a reader should see it: the file's name and its temperature
  TokenTrace trace;
  TextEstimates estimates;
  Costs costs;
  std::function<RowPairs()> rows = {};  ///< opens its full rows; empty: it has none
  bool rejected = false;                ///< the target would not write its text at its laws: captions say so
  std::string caveat = {};              ///< what must be said before any number of its rounds, in sentences
  /// Acceptance by rank at each of its tokens. Throws InputError where it does not say; empty: nobody can tell.
  std::function<TextRanks(RankDrafts, int ranks)> ranks = {};
};

/// Of which draft trees, and of what is accepted of them, figures of trees are drawn.
struct FigureTrees {
  std::string of = {};             ///< what P_1, P_2, … are of, for captions; empty: a recording is asked
  std::vector<double> ranks = {};  ///< P_1, P_2, … of any node (analysis/trees/sequoia.h)
  /// [nodes] P(the accepted path passes it) of this tree's rounds, where that is not Π P_rank.
  std::function<std::vector<double>(TreeShape const&)> reach = {};
  std::optional<TreeShape> tree = {};  ///< none: the best within these limits
  RankDrafts drafts = RankDrafts::without;
  int nodes = 64;  ///< the most, with the root
  int branching = 16;
  std::optional<int> depth = {};
  double near_optimal = .01;        ///< sizes count as near the best with S at most this share below
  std::optional<Costs> costs = {};  ///< of a round; none: the recording's own
  bool mark_round = false;          ///< what one round accepts is marked
  /// E[τ] that no lossless rule exceeds on drafts of this tree; none where they are too many to enumerate. Empty:
  /// nobody asks.
  std::function<std::optional<double>(TreeShape const&)> ceiling = {};
};

/// Of which guesses figures of parallel prompt decoding are drawn.
struct FigurePrompts {
  std::string of = {};  ///< for captions; empty: those of Vicuna-7B that PPD's repository ships
  PromptAccuracies accuracies = {};
  int nodes = 109;  ///< tokens of the largest pass; so many has Table 1 of Vicuna-7B
};

/// Of which times by batch size figures of batches are drawn.
struct FigureLoad {
  std::string of = {};                   ///< for captions
  std::optional<BatchCosts> costs = {};  ///< none: a standard one
};

/// What a figure may be asked to show. Figures of theory need none of it; where nothing is given they show what the
/// paper shows.
struct FigureInput {
  std::vector<FigureRecording> recordings = {};
  /// The recordings were asked for: each is drawn, or the figure is refused. Else a figure takes one that fits.
  bool draw_each = false;
  std::vector<double> alphas = {};  ///< each in [0, 1]
  std::vector<double> costs = {};   ///< c, each ≥ 0
  std::vector<int> gammas = {};     ///< each ≥ 1
  FigureTrees trees = {};
  FigurePrompts prompts = {};
  FigureLoad load = {};
  double confidence = .95;
  std::uint64_t seed = 0;  ///< of what is simulated for the figure
  int threads = 1;         ///< for that; no figure depends on it
  /// Told how much is done of what takes long, from any thread; empty: nobody asks.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress = {};
};

struct Figure {
  std::string name;     ///< that of its card
  std::string title;    ///< what a reader should see in it
  std::string caption;  ///< a sentence or two: what is drawn, of which data, and by which formula (with its source)
  /// A Vega-Lite 6 specification, complete but for its looks: no config, no colours but by named scheme or role.
  nlohmann::ordered_json spec;
  /// The numbers that are drawn, intervals with them: what `-o x.csv` writes and a page shows as text.
  Table data;
};

enum class FigureStyle { paper, slides, dark };

/// The specification with the style's fonts, sizes and colours (Okabe & Ito's, which colour-blind readers tell apart).
nlohmann::ordered_json styled(Figure const& figure, FigureStyle style);

/// What of its input a figure shows: a program refuses options that no figure named shows.
struct FigureShows {
  bool alphas = false;
  bool gammas = false;
  bool costs = false;        ///< FigureInput's
  bool round_costs = false;  ///< a recording's, or those of FigureTrees
  bool batches = false;      ///< times by batch size
  bool bonus = false;        ///< rounds with and without the bonus token differ
  bool intervals = false;    ///< of a confidence; of a recording with too little text the picture says so
  bool trees = false;        ///< FigureTrees, but for the next two
  bool one_tree = false;     ///< a tree that is given, or rounds on it
  bool mark_round = false;
  bool prompts = false;  ///< FigurePrompts
};

/// Which of a page's numbers a figure shows where the page is of no recording.
enum class OnTheoryPage {
  nothing,   ///< it is not there
  settings,  ///< their cost and their best γ
  plane,     ///< none: it is of all α and c
  ranks,     ///< acceptance by rank, where that is given, and more than these numbers themselves
};

/// One figure of the list.
struct FigureCard {
  std::string_view name;     ///< "expected-tokens"
  std::string_view summary;  ///< a line
  std::string_view source;   ///< "Leviathan et al. 2023, Figure 2"; empty: our own
  bool needs_recording;
  FigureShows shows;
  /// The figure of this name. Throws InputError where the input lacks what it needs, such as a recording, and UsageError
  /// where it has several and the figure shows one.
  Figure (*draw)(FigureInput const&, std::string_view name);
  OnTheoryPage on_theory_page = OnTheoryPage::nothing;

  Figure make(FigureInput const& input) const { return draw(input, name); }
};

/// Every figure, in the order of the gallery.
std::span<FigureCard const> figure_cards();

}  // namespace draftgauge
