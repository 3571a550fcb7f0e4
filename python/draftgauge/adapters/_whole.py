"""Whole models made of one table, for libraries that verify inside of their own loop."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from .._batch import Batch
from .._core import PairTables
from .._errors import UsageError
from .._fields import whole
from .._pair_tables import laws as laws_of
from ._forms import log_rows, padded, table_of
from ._torch import seeded

if TYPE_CHECKING:
    import numpy as np


def pair_of(laws: Any) -> PairTables:
    """Of which models can be made."""
    pair = laws_of(laws)
    if pair.contexts != "Markov pair":
        raise UsageError(f"laws is of {pair.contexts} and no Markov pair (a model made of a table has a row for each token before)")
    return pair


class WholeTexts:
    """A verifier that writes whole texts by models that were made of `laws`, which the audit takes from it. It drafts for itself: the
    audit's own drafts are not used, and what it says of drafts kept is of no account."""

    drafts_itself = True  #: so that no text is gone on with where a round of it ends
    batch = 512  #: such engines write a few hundred texts a second

    def __init__(self, laws: PairTables, beyond: int):
        """beyond: tokens that are written after those that are judged, so that the last round of these has all its drafts."""
        self.laws, self.beyond = laws, whole("beyond", beyond, 0, 2**10)

    def written(self, starts: list[int], length: int, rng: np.random.Generator) -> Iterable[list[int]]:
        """After each start so many tokens."""
        raise NotImplementedError

    def __call__(self, batch: Batch) -> np.ndarray:
        length = batch.p.shape[1]
        texts = self.written(batch.base.tolist(), length + self.beyond, batch.rng)
        return padded((text[:length] for text in texts), length)


def table_model(rows: np.ndarray) -> Any:
    """A causal language model of transformers whose next token depends on the last one alone: rows [V, V] of probabilities. Its cache
    holds nothing, and is as long as the text."""
    table = table_of(rows)
    import torch
    from transformers import DynamicCache, GenerationMixin, PretrainedConfig, PreTrainedModel
    from transformers.modeling_outputs import CausalLMOutputWithPast

    class TableConfig(PretrainedConfig):  # type: ignore[misc]
        model_type = "draftgauge-table"

    class TableModel(PreTrainedModel, GenerationMixin):  # type: ignore[misc]
        config_class = TableConfig
        main_input_name = "input_ids"

        def __init__(self, config: Any):
            super().__init__(config)
            self.logits = torch.nn.Parameter(torch.from_numpy(log_rows(table)).float(), requires_grad=False)

        def forward(self, input_ids: Any, past_key_values: Any = None, logits_to_keep: int = 0, **_: Any) -> Any:
            cache = DynamicCache() if past_key_values is None else past_key_values
            nothing = torch.zeros(*input_ids.shape[:1], 1, input_ids.shape[1], 1)
            cache.update(nothing, nothing, 0)
            logits = self.logits[input_ids]
            return CausalLMOutputWithPast(logits=logits[:, -logits_to_keep:] if logits_to_keep else logits, past_key_values=cache)

    size = len(table)
    return TableModel(TableConfig(vocab_size=size, num_hidden_layers=1, hidden_size=1, num_attention_heads=1)).eval()


def transformers_generate(laws: Any, drafts: int = 5, *, beyond: int | None = None, **settings: Any) -> WholeTexts:
    """generate(assistant_model=) of transformers, on models made of the tables of `laws`, a Markov pair. It drafts for itself, so many
    tokens a round, and writes the whole text and so many tokens beyond it (as many as drafts if not given). Settings are of
    `generate`."""
    pair = pair_of(laws)
    target, assistant = table_model(pair.p), table_model(pair.q)
    assistant.generation_config.num_assistant_tokens = drafts
    assistant.generation_config.num_assistant_tokens_schedule = "constant"
    assistant.generation_config.assistant_confidence_threshold = 0.

    class Generate(WholeTexts):
        def written(self, starts: list[int], length: int, rng: np.random.Generator) -> Iterable[list[int]]:
            import torch

            with seeded(rng):
                return [target.generate(
                    torch.tensor([[start]]), assistant_model=assistant, do_sample=True, top_k=0, top_p=1., temperature=1.,
                    max_new_tokens=length, eos_token_id=None, pad_token_id=0, **settings)[0, 1:].tolist() for start in starts]

    return Generate(pair, drafts if beyond is None else beyond)


def mlx_generate(speculative_generate_step: Callable[..., Any], laws: Any, drafts: int = 2, *, beyond: int | None = None) -> WholeTexts:
    """speculative_generate_step of mlx_lm.generate, on models made of the tables of `laws`, a Markov pair. It drafts for itself, as
    `transformers_generate` does."""
    import mlx.core as mx

    class NoCache:
        @staticmethod
        def is_trimmable() -> bool:
            return True

        @staticmethod
        def trim(count: int) -> int:
            return count

    class Table:
        layers = (None,)

        def __init__(self, rows: np.ndarray):
            self.logits = mx.array(log_rows(rows).astype("float32"))

        def make_cache(self) -> list[NoCache]:
            return [NoCache()]

        def __call__(self, ids: Any, cache: Any) -> Any:
            return self.logits[ids]

    pair = pair_of(laws)
    target, draft = Table(pair.p), Table(pair.q)

    class Generate(WholeTexts):
        def written(self, starts: list[int], length: int, rng: np.random.Generator) -> Iterable[list[int]]:
            mx.random.seed(int(rng.integers(2**63)))
            return [[token for token, *_ in speculative_generate_step(
                mx.array([start]), target, draft, num_draft_tokens=drafts, max_tokens=length, sampler=mx.random.categorical)]
                for start in starts]

    return Generate(pair, drafts if beyond is None else beyond)


def transformers_gemma4(generator: Callable[..., Any]) -> Callable[..., tuple[np.ndarray, np.ndarray]]:
    """SinglePositionMultiTokenCandidateGenerator of transformers.generation.candidate_generator, as `draft` of an audit: the loop that
    drafts for Gemma 4, its network a table of the last token. It claims as q what it returns with its drafts, by which
    _speculative_sampling tests them."""

    def draft(q_rows: np.ndarray, base: np.ndarray, gamma: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        import torch

        table = torch.from_numpy(log_rows(q_rows)).float()

        class Gemma4AssistantTable:  # by whose name it is known
            generation_config = SimpleNamespace(num_assistant_tokens=gamma)
            device = torch.device("cpu")

            def __call__(self, inputs_embeds: Any, **_: Any) -> Any:
                return SimpleNamespace(logits=table[inputs_embeds[..., 0].long()], last_hidden_state=inputs_embeds[..., :1])

        loop = generator(Gemma4AssistantTable(), lambda ids: ids[..., None].float(), SimpleNamespace(max_length=2**30))
        seen = SimpleNamespace(hidden_states=[torch.zeros(len(base), 1, 1)], shared_kv_states={})
        ids, logits = loop.get_candidates(torch.from_numpy(base)[:, None], {}, seen, is_first_iteration=False, n_last_matches=0)
        return ids[:, 1:].numpy(), logits.double().softmax(-1).numpy()

    return draft
