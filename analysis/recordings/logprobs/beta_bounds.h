#pragma once
#include <string>
#include <vector>

namespace draftgauge {

/// A token that a server listed, with its probability's natural logarithm. The name is its id in decimal, or its bytes
/// where the server gave no id.
struct ListedToken {
  std::string name;
  double log_prob = 0;
};

/// What is known of one law: the listed tokens, sorted by name, each once.
struct ListedLaw {
  std::vector<ListedToken> tokens;
  double most_unlisted = 1;  ///< no token that is not listed is likelier than this

  /// Probability that is not listed: 1 − Σ listed, at least 0.
  double unlisted() const;
};

struct Bounds {
  double low = 0, high = 1;
};

/// Bounds of β = Σ min(p, q) over all tokens, where only some tokens of each law are known. Let A and B be the tokens
/// listed of p and q, m_p and m_q the probability that is not listed, c_p and c_q the most that an unlisted token can
/// have.
///
/// Low: Σ_{A∩B} min(p, q), since no other token adds less than 0.
///
/// High: let s = Σ_{A∖B} q and t = Σ_{B∖A} p be what the unlisted parts give to tokens that the other law lists. Tokens
/// of A∖B add at most s, tokens of B∖A at most t, and the rest, listed nowhere, at most min(m_p − t, m_q − s). So
///
///     β − low ≤ s + t + min(m_p − t, m_q − s) = min(m_p + s, m_q + t),
///
/// which grows with s and t. What A∖B adds is at most Σ_{A∖B} min(p, c_q), and q beyond that there adds nothing: s may
/// be taken as at most min(Σ_{A∖B} min(p, c_q), m_q), and t likewise. (The two unlisted masses alone are no bound: with
/// p = (.9, .1) of which the first token is listed and q = (.5, .5) of which the second is, β = .6, low = 0 and the
/// smaller mass is .1.)
///
/// Both are exact up to rounding of the numbers given; high ≤ 1, high ≥ low.
Bounds beta_bounds(ListedLaw const& p, ListedLaw const& q);

}  // namespace draftgauge
