"""An engine in NumPy that keeps the state of its processors by itself: the right way, or one of those that were met."""

import numpy as np


class Engine:
    """fault: as in faulty/state-…; None keeps the history of the text, drafts included on the path that is looked at."""

    def __init__(self, processors, fault=None):
        self.processors, self.fault, self.end = processors, fault, getattr(processors, "end", None)
        self.states = {}

    def law(self, history, weights):
        weights = weights if history is None else np.asarray(self.processors(history, weights), float)
        return weights / weights.sum()

    def view(self, state, drafts, place, last):
        """The history by which a place is verified; None: raw."""
        if self.fault == "state-lost" or (self.fault == "state-bonus-only" and not last):
            return None
        if self.fault == "state-frozen":
            return state
        return state + drafts[:max(place - 1, 0) if self.fault == "state-late" else place]

    def round(self, b, row, state):
        drafts, gamma = tuple(b.drafts[row].tolist()), b.drafts.shape[1]
        for place in range(gamma + 1):
            at = place
            if place and drafts[place - 1] == self.end:
                if self.fault != "past-the-end":
                    return drafts[:place], False
                at = place - 1  # as if the text had not ended
            p = self.law(self.view(state, drafts, at, place == gamma), b.p[row, at])
            if at < place or place == gamma:
                return (*drafts[:place], int(b.rng.choice(len(p), p=p))), False
            q, x = b.q[row, place], drafts[place]
            if b.rng.random() * q[x] >= p[x]:
                owed = np.maximum(p - q, 0)
                return (*drafts[:place], int(b.rng.choice(len(p), p=owed / owed.sum()))), True

    def commit(self, state, drafts, emitted, rejected):
        if self.end in drafts:
            drafts = drafts[:drafts.index(self.end) + 1]  # nothing is drafted behind it
        if self.fault == "state-last-only":
            return (*state, emitted[-1])
        if self.fault == "state-of-drafts":
            return (*state, *drafts, emitted[-1])
        return state + (drafts if self.fault == "state-of-rejected" and rejected else emitted)

    def __call__(self, b):
        out = np.full((len(b.drafts), b.drafts.shape[1] + 1), -1)
        for row, text in enumerate(b.texts.tolist()):
            if self.end is not None and self.end in b.histories[row]:
                out[row, 0] = self.end
                continue
            state = self.states.get(text, ()) if b.positions[row, 0] > 1 else ()
            emitted, rejected = self.round(b, row, state)
            out[row, :len(emitted)] = emitted
            self.states[text] = self.commit(state, tuple(b.drafts[row].tolist()), emitted, rejected)
        return out
