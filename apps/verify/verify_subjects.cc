#include "apps/verify/verify_subjects.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "analysis/proof/counterexample.h"
#include "apps/options/source_options.h"
#include "apps/simulate/crew_of_ranks.h"
#include "apps/task/rule_options.h"
#include "sim/base/error.h"
#include "sim/task/suits.h"

namespace draftgauge {
namespace {

/// Whether a rule suits a subject's drafts, in even trees or in what --tree names.
bool suits_subject(Invocation const& args, Subject const& subject, std::string const& rule) {
  return std::ranges::all_of(subject.gammas, [&](std::int64_t gamma) {
    Task task = task_from(args, rule, gamma);
    if (!args.has("--tree")) task.shape.branching = static_cast<int>(subject.branching);
    return suits(task);
  });
}

/// What is verified when nothing is named: every kind of source, every kind of rule.
std::vector<Subject> standard_subjects() {
  return {{"exact-alpha:vocab=3,alpha=0.7", right_rules({{.shape = {.gamma = 2}}}), {2}, 1},
          {"exact-alpha:vocab=4,alpha=0.6", right_rules({{.shape = {.gamma = 1, .branching = 2}}}), {1}, 2},
          {"exact-alpha:vocab=32,alpha=0.8", {"token"}, {5, 8}, 1},
          {"exact-alpha:vocab=32,alpha=0.04", {"token"}, {3}, 1},
          {"exact-alpha:vocab=32,alpha=0.8", {"block"}, {5}, 1},
          {"exact-alpha:vocab=8,alpha=0.6", {"recursive", "recursive-without"}, {3}, 2},
          {"dirichlet:vocab=16,contexts=8", {"token", "block"}, {4}, 1},
          {"zipf:vocab=1000", {"token"}, {5}, 1},
          {"noisy-softmax:vocab=64,contexts=16", {"token"}, {5}, 1},
          {"markov:vocab=6", {"token", "block"}, {3}, 1}};
}

}  // namespace

std::vector<Subject> subjects_from(Invocation const& args) {
  std::vector<Subject> subjects;
  bool const unnamed = !args.has("--p") && !args.has("--q") && !args.has("SOURCE");
  if (unnamed && args.text("--rule").starts_with("faulty/")) {
    if (args.has("--tree"))
      throw UsageError(
          "--tree has no meaning for faulty rules by themselves (each plays on its own table, with its own drafts)",
          "name a SOURCE, or leave --tree out");
    for (std::string const& rule : rules_from(args)) {
      Counterexample::Test const& test = rule_card(rule).counterexample->shows;
      subjects.push_back({{}, {rule}, {test.gamma}, test.branching, test});
    }
    return subjects;
  }
  bool const all = args.text("--rule") == "all";
  if (args.has("--p") || args.has("--q")) {
    subjects.push_back({});
  } else if (args.has("SOURCE")) {
    for (std::string const& text : args.texts("SOURCE")) subjects.push_back({text, {}, {}, 0});
  } else {
    subjects = standard_subjects();
  }
  for (Subject& subject : subjects) {
    if (subject.rules.empty() || (args.has("--rule") && !all)) subject.rules = rules_from(args);
    bool const tree = args.has("--tree");
    if (subject.gammas.empty() || args.has("--gamma") || tree) subject.gammas = gammas_from(args);
    if (subject.branching == 0 || args.has("--candidates") || tree) subject.branching = children_from(args);
    subject.all = all || (unnamed && !args.has("--rule"));
  }
  // What goes through all kinds of laws by itself has rules that do not take the tree that was asked for,
  if (unnamed && args.has("--tree") && children_from(args) > 1 && (!args.has("--rule") || all)) {
    for (Subject& subject : subjects)
      std::erase_if(subject.rules, [&](std::string const& rule) { return !suits_subject(args, subject, rule); });
    std::erase_if(subjects, [](Subject const& subject) { return subject.rules.empty(); });
  }
  // and trees of drafts that a rule or policy that was asked for may not take.
  if (unnamed && !args.has("--candidates") && !args.has("--tree"))
    std::erase_if(subjects, [&](Subject const& subject) {
      auto const unsuited = [&](std::string const& rule) { return !suits_subject(args, subject, rule); };
      return subject.branching > 1 && (std::ranges::any_of(subject.rules, unsuited) ||
                                       (args.has("--policy") && policy_card(args.text("--policy")).watches));
    });
  return subjects;
}

Source source_of(Invocation const& args, Subject const& subject) {
  if (subject.counterexample) return counterexample_source(*subject.counterexample);
  return subject.source.empty() ? source_from(args) : source_named(args, subject.source);
}

Given source_words_of(Invocation const& args, Subject const& subject) {
  if (subject.counterexample && args.ranks().size() > 1)
    throw UsageError("--mpi plays no faulty rules on tables of their own (those are small)",
                     "name a SOURCE, or leave --mpi out");
  Given words = source_text(args);
  if (!subject.source.empty()) words["SOURCE"] = {subject.source};
  return words;
}

std::string short_name(Subject const& subject, Source const& source) {
  if (subject.counterexample) return table_text(*subject.counterexample);
  if (subject.source.empty()) return "--p, --q";
  if (source.inputs.empty()) return subject.source;
  std::string const contexts = contexts_text(source.tables.contexts());
  return std::filesystem::path(source.inputs.front().path).filename().string() + ", " +
         contexts.substr(0, contexts.find(' '));
}

}  // namespace draftgauge
